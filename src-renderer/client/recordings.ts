import type { Task } from '@shared/contract/tasks'
import { recordedText } from '@shared/recordedText'
import { SerialQueue } from '@shared/serialQueue'
import { learnTask, useTasks } from './tasks'
import { call } from './call'
import { requireFront } from './machineControl'
import { frontMachine, useMachines } from './machines'
import { attempt, notify } from './messages'
import { resumeOffer, whyStandsStill } from './standsStill'

function recordingOf(tasks: ReadonlyMap<string, Task>, machine: string): Task | undefined {
  for (const task of tasks.values()) {
    if (task.operation === 'record' && task.status === 'running' && task.runner === 'here' && task.machine === machine)
      return task
  }
  return undefined
}

export function useFrontRecording(): Task | undefined {
  const front = useMachines((state) => state.front)
  return useTasks(({ tasks }) => recordingOf(tasks, front))
}

export const recordingOperations: readonly string[] = ['record', 'sample']

export function useIsFrontRecorded(): boolean {
  const front = useMachines((state) => state.front)
  return useTasks(({ tasks }) =>
    [...tasks.values()].some(
      ({ operation, status, runner, machine }) =>
        recordingOperations.includes(operation) && status === 'running' && runner === 'here' && machine === front,
    ),
  )
}

/** @param time ms since 1970 */
export function recordingAt(
  tasks: ReadonlyMap<string, Task>,
  machine: string | null,
  time: number,
): string | undefined {
  for (const task of tasks.values()) {
    const { id, operation, own, recorded, startedAt, stoppedAt } = task
    const isOfMachine = own && task.machine === machine && recordingOperations.includes(operation)
    if (!isOfMachine || recorded === null || recorded.frames === 0) continue
    if (startedAt !== null && startedAt <= time && (stoppedAt ?? Infinity) >= time) return id
  }
  return undefined
}

const toggles = new SerialQueue()

export const toggleRecording = (show: (recording: string) => Promise<void>): Promise<void> =>
  toggles.run(() => startOrStop(show))

async function startOrStop(show: (recording: string) => Promise<void>): Promise<void> {
  const machine = requireFront()
  const made = recordingOf(useTasks.getState().tasks, machine)
  if (made) {
    const stopped = await call('tasks.stop', { id: made.id })
    learnTask(stopped)
    const { recorded } = stopped
    if (recorded === null || recorded.frames === 0) notify(`${made.id}: nothing was recorded.`)
    else
      notify(`${made.id}: ${recordedText(recorded)}.`, null, {
        label: 'Show in Timeline',
        run: () => attempt(() => show(made.id)),
      })
    return
  }
  const state = frontMachine()
  if (state?.sampling.mode === 'off')
    notify('Sampling is on while this machine is recorded.', state.samplingRisk ?? 'It is off again afterwards.')
  const why = whyStandsStill(state)
  if (why !== null) notify(why, null, resumeOffer(state))
  const started = await call('tasks.startGranted', {
    operation: 'record',
    machine,
    type: 'background',
    args: {},
    files: {},
    name: 'recording',
  })
  learnTask(started)
}
