import { History, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { isHeldBack, type AgentCall } from '@shared/contract/steering'
import { AgentName } from '../../client/AgentName'
import { call as command } from '../../client/call'
import { titleOfMachine, useMachines, useMachineTitles } from '../../client/machines'
import { showMachine } from '../../client/machineControl'
import { attempt, notify } from '../../client/messages'
import { showView } from '../../client/navigation'
import { recordingAt } from '../../client/recordings'
import { useTasks } from '../../client/tasks'
import { scrubTo, showRecording } from '../../frames/timeline'
import { Button } from '../../widgets/Button'
import { dayAndTime } from '../../widgets/times'
import { visibleText } from '../../widgets/visibleText'
import { callDuration, cyclesBack, outcomeLabel, pastOf, undoneWith, undoText } from './callText'

interface CallDetailProps {
  readonly call: AgentCall
  /** Newest first, including the calls newer than this one. */
  readonly calls: readonly AgentCall[]
}

export function CallDetail({ call, calls }: CallDetailProps) {
  const titles = useMachineTitles()
  const { word, tone } = outcomeLabel(call)
  const facts: readonly (readonly [title: string, text: string])[] = [
    ['Began', dayAndTime(call.time)],
    ['Took', callDuration(call) || 'running'],
    ['Machine', titleOfMachine(titles, call.machine) || 'none'],
    ['Right', call.right],
  ]
  return (
    <>
      <h2 className="call-title">
        <AgentName name={call.name} colour={call.colour} />
        <span>{visibleText(call.title)}</span>
        <span className={`state-words ${tone}`}>
          <span className="dot" aria-hidden />
          {word}
        </span>
      </h2>
      {call.message === null ? null : (
        <p className={call.outcome === 'failed' ? 'problem' : 'muted'}>{visibleText(call.message)}</p>
      )}
      <WaysBack call={call} calls={calls} />
      <dl className="call-facts">
        {facts.map(([title, text]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd className="data">{text}</dd>
          </div>
        ))}
      </dl>
      <h3>Arguments</h3>
      <p className="call-arguments data">{visibleText(call.text) || 'none'}</p>
    </>
  )
}

/** Asks first where several calls are undone, in a place that then has the keyboard. */
function WaysBack({ call, calls }: CallDetailProps) {
  const [isAsking, setAsking] = useState(false)
  const what = undoText(call)
  const count = undoneWith(calls, call).length
  const isSure = isAsking && what !== null && count > 1
  const undo = () => {
    setAsking(false)
    attempt(async () => notify((await command('steering.undo', { call: call.call })).text))
  }
  return (
    <>
      <div className="call-buttons">
        <span data-key="u">
          <Button
            label="Undo"
            icon={Undo2}
            shortcut="U"
            tip={what ?? 'Undo this call'}
            why={what === null ? whyNotUndone(call) : isSure ? 'Answer below.' : null}
            onClick={count > 1 ? () => setAsking(true) : undo}
          />
        </span>
        <GoThere call={call} />
        {what === null || isSure ? null : <span className="muted">Undo: {firstLower(what)}.</span>}
      </div>
      {isSure ? (
        <div className="call-sure" role="alertdialog" aria-label="Undo several calls" tabIndex={-1} ref={takeFocus}>
          <p>
            {what}, and undoes {count === 2 ? 'the later call' : `the ${count - 1} later calls`} of{' '}
            {visibleText(call.name)} on this machine too.
          </p>
          <Button label={`Undo ${count} calls`} look="primary" onClick={undo} />
          <Button label="Keep them" onClick={() => setAsking(false)} />
        </div>
      ) : null}
    </>
  )
}

const takeFocus = (element: HTMLElement | null): void => element?.focus()
const firstLower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

function whyNotUndone({ outcome, right }: AgentCall): string {
  if (outcome === 'running') return 'It is still running.'
  if (right === 'look' || isHeldBack(outcome)) return 'It changed nothing.'
  return 'What it changed is not kept, or was undone already.'
}

function GoThere({ call }: { readonly call: AgentCall }) {
  const past = useMachines(({ machines }) => pastOf(machines, call.machine))
  const recording = useTasks(({ tasks }) => recordingAt(tasks, call.machine, call.time))
  const back = cyclesBack(call, past)
  if (back === null && recording === undefined) return null
  return (
    <>
      {back === null ? null : (
        <span data-key="g">
          <Button
            label="Go there"
            icon={History}
            shortcut="G"
            tip="Pause the machine and take it to the moment before this call. “To now” in Registers comes back."
            onClick={() => attempt(() => goToMoment(call))}
          />
        </span>
      )}
      {recording === undefined ? null : (
        <span data-key="t">
          <Button
            label="Show in Timeline"
            shortcut="T"
            tip={`The moment of this call in the recording ${recording}`}
            onClick={() =>
              attempt(async () => {
                await showRecording(recording)
                scrubTo(call.time)
              })
            }
          />
        </span>
      )}
    </>
  )
}

/** The machine's time goes on until it is paused, so how far back the call is can only be told afterwards. */
async function goToMoment(call: AgentCall): Promise<void> {
  const { machine } = call
  if (machine === null) return
  const pausedAt = await command('machine.pause', { machine }).then(() => command('machine.list', {}))
  const beforeEnd = cyclesBack(call, pastOf(pausedAt.machines, machine))
  if (beforeEnd === null) {
    notify('This moment is not in the machine’s past any more.')
    return
  }
  await command('timeTravel.goTo', { machine, beforeEnd })
  // At the clock of the call its effect has already happened.
  await command('timeTravel.back', { machine, unit: 'instruction', count: 1 })
  showMachine(machine)
  await showView('registers')
}
