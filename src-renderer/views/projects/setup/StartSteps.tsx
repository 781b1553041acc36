import { CircleCheck, Circle } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { LoopName } from '@shared/contract/loops'
import type { RunNeed } from '@shared/contract/orchestration'
import { perform } from '../../../client/actions'
import { attempt } from '../../../client/messages'
import { Button } from '../../../widgets/Button'
import { visibleText } from '../../../widgets/visibleText'
import { answerNeed } from '../edit/editing'
import { gitStateOf, type GitState } from './conditions'
import { acceptEnv, setUpGit, trustRepository } from './prepareFolder'
import { setUpAgent } from './setupStore'
import type { Setup } from './useLoopSetup'
import './setup.css'

interface StartStepsProps {
  readonly name: LoopName
  readonly run: string
  readonly setup: Setup
  readonly question: RunNeed | undefined
}

/** Once shown it stays, so that nothing below moves. */
export function StartSteps({ name, run, setup, question }: StartStepsProps) {
  const { missing, tests, agents, roles, hasOptionalRoles, envWords } = setup
  const trust = missing.find(({ step }) => step === 'trust')
  const repository = missing.find(({ step }) => step === 'trustRepository')
  const agent = missing.find(({ step }) => step === 'agent')
  const git = gitStateOf(name, setup)
  const usesAgents = hasOptionalRoles ? roles.some(({ agent }) => agent !== null) : roles.length > 0
  const lacksGit = usesAgents && (git === 'required' || git === 'advised')
  const isOpen = missing.length > 0 || lacksGit || question !== undefined
  const [isShown, setShown] = useState(isOpen)
  const [asked, setAsked] = useState(question)
  if (isOpen && !isShown) setShown(true)
  if (question !== undefined && question !== asked) setAsked(question)
  const [hadWords, setHadWords] = useState(envWords !== null)
  if (envWords !== null && !hadWords) setHadWords(true)
  return (
    <>
      {!isShown ? null : (
        <ol className="start-steps" aria-label="Before it can run">
          <Step isDone={!trust} what={trust ? trust.what : 'The folder is trusted.'}>
            {trust ? <Button label="Trust the folder…" onClick={() => perform('project.trust')} /> : null}
          </Step>
          {repository ? (
            <Step isDone={false} what={repository.what}>
              <Button label="Trust that folder…" onClick={() => attempt(() => trustRepository(name.project))} />
            </Step>
          ) : null}
          {hadWords ? <EnvStep name={name} words={envWords} /> : null}
          {usesAgents ? (
            <>
              <Step isDone={git === 'there'} what={gitTexts[git]}>
                {lacksGit ? <Button label="Set up git…" onClick={() => attempt(() => setUpGit(name.project))} /> : null}
              </Step>
              <Step isDone={!agent} what={agent ? agent.what : `Agents: ${agents.join(', ')}`}>
                {agent ? <Button label="Set up an agent…" onClick={() => setUpAgent(name)} /> : null}
              </Step>
            </>
          ) : null}
          {asked ? (
            <Step isDone={!question} what={question ? question.title : `Answered: ${asked.title}`}>
              {question ? (
                <Button label="Answer…" onClick={() => answerNeed({ project: name.project, run }, question)} />
              ) : null}
            </Step>
          ) : null}
        </ol>
      )}
      {missing.length > 0 ? null : tests.map((test) => <TestText key={test.agent} {...test} />)}
    </>
  )
}

interface EnvStepProps {
  readonly name: LoopName
  /** Null once they are accepted. */
  readonly words: string | null
}

export function EnvStep({ name, words }: EnvStepProps) {
  if (words === null) return <Step isDone what="What the .env adds to the agents’ command lines is accepted." />
  return (
    <Step isDone={false} what="The .env of this project adds to the agents’ command lines:">
      <Button label="Accept" tip="Accept exactly these words" onClick={() => attempt(() => acceptEnv(name, words))} />
      <pre className="data">{words.split('\n').map(visibleText).join('\n')}</pre>
    </Step>
  )
}

const gitTexts: Readonly<Record<GitState, string>> = {
  there: 'The folder is in a git repository.',
  required: 'The folder is in no git repository: agents commit their work there.',
  advised: 'The folder is in no git repository: what agents commit cannot be checked or undone.',
  unknown: 'Whether the folder is in a git repository is not known yet.',
}

interface StepProps {
  readonly isDone: boolean
  readonly what: string
  readonly children?: ReactNode
}

function Step({ isDone, what, children }: StepProps) {
  const Icon = isDone ? CircleCheck : Circle
  const text = visibleText(what)
  return (
    <li>
      <Icon size={14} aria-label={isDone ? 'Done' : 'To do'} role="img" />
      <span className={isDone ? 'muted' : ''} title={text}>
        {text}
      </span>
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
