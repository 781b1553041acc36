import { formatAddress, formatByte } from '@shared/c64/address'
import type { Checkpoint } from '@shared/contract/checkpoints'
import type { MachineState } from '@shared/contract/machine'
import type { Space } from '@shared/contract/memory'
import type { MenuItem } from './contextMenu'
import { limitOf } from './machines'

export interface ByteTarget {
  readonly address: number
  readonly space: Space
  readonly value?: number | undefined
  readonly pointsTo?: number | undefined
  readonly isInMemory?: boolean
}

export type Operation = Checkpoint['operations'][number]

interface ByteActions {
  readonly goTo: (address: number) => void
  readonly showHistory: () => void
  readonly goToWrite: () => void
  readonly breakWhen: (operation: Operation) => void
  readonly watch: () => void
  readonly plot: () => void
  readonly copy: (text: string) => void
}

const breaks: readonly { readonly label: string; readonly operation: Operation }[] = [
  { label: 'Stop when written', operation: 'store' },
  { label: 'Stop when read', operation: 'load' },
  { label: 'Stop when run', operation: 'exec' },
]

export function byteItems(target: ByteTarget, state: MachineState | undefined, actions: ByteActions): MenuItem[] {
  const { address, value, pointsTo, isInMemory = false } = target
  const copy = (copied: string): MenuItem => ({
    label: `Copy ${copied}`,
    run: () => actions.copy(copied),
  })
  const goTo = (to: number): MenuItem => ({ label: `Go to ${formatAddress(to)}`, run: () => actions.goTo(to) })
  return [
    ...(isInMemory ? [] : [goTo(address)]),
    ...(pointsTo === undefined
      ? []
      : [{ ...goTo(pointsTo), label: `Go to ${formatAddress(pointsTo)}, the address stored here` }]),
    {
      label: 'Show what wrote it',
      isFirstOfGroup: true,
      why: limitOf(state, 'timeTravel'),
      run: actions.showHistory,
    },
    { label: 'Go back to its last write', why: limitOf(state, 'timeTravel'), run: actions.goToWrite },
    ...breaks.map(({ label, operation }, index) => ({
      label,
      isFirstOfGroup: index === 0,
      why: limitOf(state, 'checkpoints'),
      run: () => actions.breakWhen(operation),
    })),
    {
      label: 'Watch for 1 min',
      isFirstOfGroup: true,
      why: limitOf(state, 'readMemory'),
      run: actions.watch,
    },
    { label: 'Plot in Timeline', run: actions.plot },
    { ...copy(formatAddress(address)), isFirstOfGroup: true },
    ...(value === undefined ? [] : [copy(formatByte(value))]),
  ]
}
