import { create } from 'zustand'
import { fullNameOf } from '@shared/c64/labels/programLabel'
import type { CheckpointChanges, CheckpointLine, LabelledCheckpoint } from '@shared/contract/checkpoints'
import { SerialQueue } from '@shared/serialQueue'
import { AppError } from '@shared/contract/errors'
import { call } from './call'
import type { Operation } from './byteItems'
import { isSwitchedOn } from './checkpointText'
import type { MenuItem } from './contextMenu'
import { onEvent } from './events'
import { namesNow } from './labels'
import { machineTitles, titleOfMachine, useMachines } from './machines'
import { attempt, warn } from './messages'
import { showView } from './navigation'
import { setViewValue } from './viewState'

/** Follows the source line, or a label of the program that begins there. */
export async function setCheckpoint(
  address: number,
  operation: Operation,
  line: CheckpointLine | null = null,
): Promise<void> {
  const [label] = namesNow().programLabelsAt(address)
  await call('machine.setCheckpoint', {
    machine: useMachines.getState().front,
    checkpoint: {
      start: address,
      end: address,
      operations: [operation],
      stop: true,
      enabled: true,
      temporary: false,
      condition: null,
      fromHit: 1,
      log: null,
      label: label && line === null ? fullNameOf(label) : null,
      line,
    },
  })
}

const toggles = new SerialQueue()

export const stopsWhereRun =
  (address: number) =>
  ({ start, end, operations }: LabelledCheckpoint): boolean =>
    start === address && end === address && operations.includes('exec')

/**
 * Removes these checkpoints of the machine in front, or sets one that stops where the address runs; null for no code
 * there.
 * @throws AppError INVALID for a line without code and without checkpoints
 */
export const toggleCheckpoint = (
  address: number | null,
  isOne: (checkpoint: LabelledCheckpoint) => boolean,
  line: CheckpointLine | null = null,
): Promise<void> =>
  toggles.run(async () => {
    const machine = useMachines.getState().front
    const { checkpoints } = await call('machine.checkpoints', { machine })
    const own = checkpoints.filter(isOne)
    if (own.length === 0) {
      if (address === null) throw new AppError('INVALID', 'The line has no code: no checkpoint can be set there.')
      return setCheckpoint(address, 'exec', line)
    }
    for (const { number } of own) await call('machine.deleteCheckpoint', { machine, number })
  })

const change = (action: (machine: string) => Promise<unknown>): void =>
  attempt(() => action(useMachines.getState().front))

export const enableCheckpoint = (number: number, enabled: boolean): void =>
  change((machine) => call('machine.enableCheckpoint', { machine, number, enabled }))

export const removeCheckpoint = (number: number): void =>
  change((machine) => call('machine.deleteCheckpoint', { machine, number }))

export const changeCheckpoint = async (machine: string, number: number, changes: CheckpointChanges): Promise<number> =>
  (await call('machine.changeCheckpoint', { machine, number, changes })).number

interface Edited {
  readonly number: number | null
  readonly closed: number | null
}

export const useEditedCheckpoint = create<Edited>(() => ({ number: null, closed: null }))

export const closeEditedCheckpoint = (closed: number): void => useEditedCheckpoint.setState({ number: null, closed })

export async function editCheckpoint(number: number): Promise<void> {
  setViewValue('registers.checkpoints', true)
  await showView('registers')
  // The fields take the keyboard after the view has.
  useEditedCheckpoint.setState({ number, closed: null })
}

export function checkpointItems(checkpoint: LabelledCheckpoint): MenuItem[] {
  const { number } = checkpoint
  const isOn = isSwitchedOn(checkpoint)
  return [
    { label: 'Edit checkpoint…', isFirstOfGroup: true, run: () => void editCheckpoint(number) },
    {
      label: isOn ? 'Disable checkpoint' : 'Enable checkpoint',
      run: () => enableCheckpoint(number, !isOn),
    },
    { label: 'Remove checkpoint', run: () => removeCheckpoint(number) },
  ]
}

export function announceLostCheckpoints(): void {
  onEvent('machine.checkpointsChanged', ({ machine, lost }) => {
    if (lost === null) return
    const title = titleOfMachine(machineTitles(useMachines.getState()), machine)
    const show = { label: 'Show checkpoints', run: () => void showView('registers') }
    warn(`${title}: not all checkpoints could be put back.\n${lost}`, 'Set them again.', show)
  })
}
