import { CircleCheck, Circle } from 'lucide-react'
import type { ReactNode } from 'react'
import type { LoopName } from '@shared/contract/loops'
import type { RunNeed } from '@shared/contract/orchestration'
import { perform } from '../../../client/actions'
import { call } from '../../../client/call'
import { attempt, notify } from '../../../client/messages'
import { Button } from '../../../widgets/Button'
import { visibleText } from '../../../widgets/visibleText'
import { answerNeed } from '../edit/editing'
import { lacksGit } from './conditions'
import { setUpAgent } from './setupStore'
import type { Setup } from './useLoopSetup'
import './setup.css'

interface StartStepsProps {
  readonly name: LoopName
  /** The run's key. */
  readonly run: string
  readonly setup: Setup
  /** It waits for the answer. */
  readonly question: RunNeed | undefined
  readonly onChanged: () => void
}

/** What a run needs before it can go on, each with the button that sees to it; nothing once all is there. */
export function StartSteps({ name, run, setup, question, onChanged }: StartStepsProps) {
  const { missing, hasRepository, tests, agents } = setup
  const trust = missing.find(({ step }) => step === 'trust')
  const agent = missing.find(({ step }) => step === 'agent')
  const isGitNeeded = lacksGit(name, setup)
  const gitButton = <Button label="Set up git…" onClick={() => attempt(() => setUpGit(name.project, onChanged))} />
  return (
    <>
      {missing.length === 0 && !isGitNeeded && !question ? null : (
        <ol className="start-steps" aria-label="Before it can run">
          <Step isDone={!trust} what={trust ? trust.what : 'The folder is trusted.'}>
            {trust ? <Button label="Trust the folder…" onClick={() => perform('project.trust')} /> : null}
          </Step>
          {isGitNeeded ? (
            <Step isDone={false} what="The folder is in no git repository: agents commit their work there.">
              {gitButton}
            </Step>
          ) : null}
          <Step isDone={!agent} what={agent ? agent.what : `Agents: ${agents.join(', ')}`}>
            {agent ? <Button label="Set up an agent…" onClick={() => setUpAgent(name)} /> : null}
          </Step>
          {question ? (
            <Step isDone={false} what={question.title}>
              <Button label="Answer…" onClick={() => answerNeed({ project: name.project, run }, question)} />
            </Step>
          ) : null}
        </ol>
      )}
      {hasRepository === false && !isGitNeeded ? (
        <p className="start-note">
          <span className="warn-text">
            The folder is in no git repository: what agents commit cannot be checked or undone.
          </span>
          {gitButton}
        </p>
      ) : null}
      {missing.length > 0 ? null : tests.map((test) => <TestText key={test.agent} {...test} />)}
    </>
  )
}

interface StepProps {
  readonly isDone: boolean
  readonly what: string
  readonly children: ReactNode
}

function Step({ isDone, what, children }: StepProps) {
  const Icon = isDone ? CircleCheck : Circle
  return (
    <li>
      <Icon size={14} aria-label={isDone ? 'Done' : 'To do'} role="img" />
      <span className={isDone ? 'muted' : ''}>{visibleText(what)}</span>
      {children}
    </li>
  )
}

function TestText({ agent, result }: Setup['tests'][number]) {
  if (result === null)
    return <p className="muted">{visibleText(agent)} is tested with one short prompt before it runs.</p>
  if (result.problems.length === 0) return null
  return (
    <p className="warn-text">
      {visibleText(agent)} failed its test: {visibleText(result.problems.join(' '))}
    </p>
  )
}

async function setUpGit(project: number, onChanged: () => void): Promise<void> {
  const { state } = await call('projects.createRepository', { project })
  if (state === null) return
  onChanged()
  notify(state === 'committed' ? 'Created a git repository with a first commit.' : 'The folder is in a repository.')
}
