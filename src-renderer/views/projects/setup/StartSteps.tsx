import { CircleCheck, Circle } from 'lucide-react'
import type { ReactNode } from 'react'
import type { LoopName } from '@shared/contract/loops'
import { perform } from '../../../client/actions'
import { call } from '../../../client/call'
import { attempt, notify } from '../../../client/messages'
import { Button } from '../../../widgets/Button'
import { visibleText } from '../../../widgets/visibleText'
import { setUpAgent } from './setupStore'
import type { Setup } from './useLoopSetup'
import './setup.css'

interface StartStepsProps {
  readonly name: LoopName
  readonly setup: Setup
  readonly onChanged: () => void
}

/** What a run needs before it can start, each with the button that sees to it; nothing once all is there. */
export function StartSteps({ name, setup, onChanged }: StartStepsProps) {
  const { missing, hasRepository, tests, agents } = setup
  const trust = missing.find(({ step }) => step === 'trust')
  const agent = missing.find(({ step }) => step === 'agent')
  return (
    <>
      {missing.length === 0 ? null : (
        <ol className="start-steps" aria-label="Before the first run">
          <Step isDone={!trust} what={trust ? trust.what : 'The folder is trusted.'}>
            {trust ? <Button label="Trust the folder…" onClick={() => perform('project.trust')} /> : null}
          </Step>
          <Step isDone={!agent} what={agent ? agent.what : `Agents: ${agents.join(', ')}`}>
            {agent ? <Button label="Set up an agent…" onClick={() => setUpAgent(name)} /> : null}
          </Step>
        </ol>
      )}
      {hasRepository === false ? (
        <p className="start-note">
          <span className="warn-text">
            The folder is in no git repository: what agents commit cannot be checked or undone.
          </span>
          <Button label="Set up git…" onClick={() => attempt(() => setUpGit(name.project, onChanged))} />
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
