import { Dialog } from 'radix-ui'
import { useEffect, useRef, useState } from 'react'
import { commandText } from '@shared/agentPresets'
import { describeFailure } from '@shared/contract/errors'
import type { AgentTestResult, LoopName } from '@shared/contract/loops'
import { perform } from '../../../client/actions'
import { showAgentRun } from '../../../client/agents/agentChoice'
import { call } from '../../../client/call'
import { attempt } from '../../../client/messages'
import { showView } from '../../../client/navigation'
import { useSettings } from '../../../client/settings'
import { useAnswer } from '../../../client/useAnswer'
import { Button } from '../../../widgets/Button'
import { textOf } from '../../../widgets/form/fields'
import { Form, FormFields, FormProblemText, SubmitButton } from '../../../widgets/form/Form'
import { useForm } from '../../../widgets/form/useForm'
import { visibleText } from '../../../widgets/visibleText'
import { keyOf, loopName } from '../loops'
import { answerNeed } from '../edit/editing'
import { choicesOf, type AgentChoice } from './agentChoices'
import { useProjects } from '../store'
import { obstacleOf, openQuestion } from './conditions'
import { setUpAgent, useAgentSetup } from './setupStore'
import { useLoopSetup } from './useLoopSetup'
import './setup.css'

const close = () => setUpAgent(null)

export function SetUpAgentDialog() {
  const run = useAgentSetup((state) => state.run)
  return (
    <Dialog.Root open={run !== null} onOpenChange={close}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        {run === null ? null : (
          <Dialog.Content className="dialog of-form setup-dialog" aria-describedby={undefined}>
            <Dialog.Title>Set up an agent</Dialog.Title>
            <Steps key={keyOf(run)} run={run} />
          </Dialog.Content>
        )}
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Steps({ run }: { readonly run: LoopName }) {
  const [saved, setSaved] = useState<string | null>(null)
  return saved === null ? <Choose onSaved={setSaved} /> : <Test run={run} agent={saved} />
}

function Choose({ onSaved }: { readonly onSaved: (agent: string) => void }) {
  const [taken] = useState(useSettings().agents.map(({ name }) => name))
  const { data, failure, again } = useAnswer('agents.find', true, (signal) => call('agents.find', {}, { signal }))
  if (failure) return <p className="problem">{failure.message}</p>
  if (data === null)
    return (
      <p className="muted" role="status">
        Looking for agents on the PATH…
      </p>
    )
  const choices = choicesOf(data.found, taken)
  return choices.length === 0 ? <NoneFound onAgain={again} /> : <ChooseForm choices={choices} onSaved={onSaved} />
}

const NoneFound = ({ onAgain }: { readonly onAgain: () => void }) => (
  <>
    <p>No known agent is on the PATH: Claude Code, Gemini CLI, Codex CLI and OpenCode are looked for.</p>
    <p className="muted">Install one and search again, or name another command-line program.</p>
    <div className="prompt-buttons">
      <Button label="Cancel" onClick={close} />
      <OtherProgram />
      <Button label="Search again" look="primary" onClick={onAgain} />
    </div>
  </>
)

const OtherProgram = () => (
  <Button
    label="Another program…"
    onClick={() => {
      close()
      void showView('agents')
    }}
  />
)

interface ChooseFormProps {
  readonly choices: readonly AgentChoice[]
  readonly onSaved: (agent: string) => void
}

function ChooseForm({ choices, onSaved }: ChooseFormProps) {
  const [name, setName] = useState(choices[0]?.agent.name ?? '')
  const agent = choices.find((choice) => choice.agent.name === name)?.agent
  const form = useForm({
    fields: [
      {
        kind: 'radios',
        name: 'agent',
        label: 'Found on the PATH',
        options: choices.map((choice) => ({ value: choice.agent.name, label: visibleText(choice.label) })),
      },
    ],
    values: { agent: name },
    onChange: (_field, value) => setName(textOf(value)),
    send: async () => {
      if (!agent) return
      await call('agents.save', agent)
      onSaved(agent.name)
    },
  })
  const fields = useRef<HTMLDivElement>(null)
  // The dialog opened before there was a form in it.
  useEffect(() => fields.current?.querySelector<HTMLElement>('[data-first]')?.focus(), [])
  return (
    <Form form={form} label="Agents found" layout="stacked">
      <div ref={fields}>
        <FormFields form={form} />
      </div>
      <div className="form-field">
        <span id="setup-command">Command</span>
        <code className="data setup-command" aria-labelledby="setup-command">
          {agent ? commandText(agent) : ''}
        </code>
      </div>
      <p className="muted">
        Next, one short prompt in an empty folder tests that it is logged in, may write files, and answers as this run
        needs. It may cost a little.
      </p>
      <FormProblemText form={form} />
      <div className="prompt-buttons">
        <Button label="Cancel" shortcut="Esc" onClick={close} />
        <OtherProgram />
        <SubmitButton form={form} label="Allow and test…" shortcut="Enter" />
      </div>
    </Form>
  )
}

interface TestProps {
  readonly run: LoopName
  readonly agent: string
}

function Test({ run, agent }: TestProps) {
  const [round, setRound] = useState(1)
  const { data, failure } = useAnswer(`${round}`, true, (signal) =>
    call('loops.testAgent', { ...run, agent }, { signal }),
  )
  const again = () => setRound(round + 1)
  if (failure) return <Failed agent={agent} problems={[describeFailure(failure)]} log={null} onAgain={again} />
  if (data === null) return <Testing agent={agent} />
  return data.problems.length > 0 ? (
    <Failed agent={agent} problems={data.problems} log={data.log} onAgain={again} />
  ) : (
    <Passed run={run} agent={agent} notes={data.notes} />
  )
}

const Testing = ({ agent }: Pick<TestProps, 'agent'>) => (
  <>
    <p role="status">Testing {agent}…</p>
    <div className="prompt-buttons">
      <Button label="Stop the test" onClick={close} />
    </div>
  </>
)

interface FailedProps extends Pick<TestProps, 'agent'>, Pick<AgentTestResult, 'problems' | 'log'> {
  readonly onAgain: () => void
}

const Failed = ({ agent, problems, log, onAgain }: FailedProps) => (
  <>
    <p role="alert">{agent} is set up, but this run cannot work with it yet:</p>
    <ul className="setup-problems problem">
      {problems.map((problem) => (
        <li key={problem}>{visibleText(problem)}</li>
      ))}
    </ul>
    <div className="prompt-buttons">
      <Button label="Close" onClick={close} />
      <Button
        label="Show its log"
        why={log === null ? 'No log: it did not start.' : null}
        onClick={() => {
          close()
          if (log !== null) attempt(() => showAgentRun(log))
        }}
      />
      <Button label="Test again" look="primary" onClick={onAgain} />
    </div>
  </>
)

function Passed({ run, agent, notes }: TestProps & Pick<AgentTestResult, 'notes'>) {
  const { setup } = useLoopSetup(run, '')
  const whole = useProjects(({ runs }) =>
    [...runs.values()].find((placed) => {
      const name = loopName(placed.project, placed.run)
      return name !== null && keyOf(name) === keyOf(run)
    }),
  )
  const question = whole && openQuestion(whole.run)
  const why = setup === null ? 'Checking what it needs…' : obstacleOf(run, setup, question)
  const asked = setup !== null && question && obstacleOf(run, setup, undefined) === null ? question : undefined
  const [first, setFirst] = useState<HTMLButtonElement | null>(null)
  useEffect(() => first?.focus(), [first])
  const start = (action: 'run.start' | 'run.step') => {
    close()
    perform(action)
  }
  return (
    <>
      <p role="status">{agent} passed its test: this run can read its answers.</p>
      {notes.map((note) => (
        <p key={note} className="muted">
          {visibleText(note)}
        </p>
      ))}
      <div className="prompt-buttons">
        <Button label="Close" shortcut="Esc" onClick={close} />
        <Button label="Run" why={why} onClick={() => start('run.start')} />
        {asked ? (
          <>
            <Button label="Run one step" why={why} onClick={() => start('run.step')} />
            <Button
              ref={setFirst}
              label="Answer…"
              tip={visibleText(asked.title)}
              look="primary"
              onClick={() => {
                close()
                if (whole) answerNeed({ project: run.project, run: whole.run.key }, asked)
              }}
            />
          </>
        ) : (
          <Button ref={setFirst} label="Run one step" look="primary" why={why} onClick={() => start('run.step')} />
        )}
      </div>
    </>
  )
}
