/** A stop at a checkpoint in words, the same on the command line and in the window. */
import { formatAddress, formatRange } from './c64/address'
import { calledIn, spaceRead, spaceWritten, type AccessSpace } from './c64/banking'
import type { Names } from './c64/labels/names'
import type { Checkpoint, CheckpointStop } from './contract/checkpoints'

type Operation = Checkpoint['operations'][number]

/** What the machine stops at, as choices: `Stop when $C000 is written`. */
export const stopOperations: readonly { readonly operation: Operation; readonly label: string }[] = [
  { operation: 'exec', label: 'runs' },
  { operation: 'load', label: 'is read' },
  { operation: 'store', label: 'is written' },
]

const happened: Readonly<Record<Operation, string>> = { exec: 'was reached', load: 'was read', store: 'was written' }

const noNames: Names = { find: () => [], at: () => undefined, programLabelsAt: () => [] }

/** `$0819 (draw)`, `$D020 (RAM under I/O)` */
function named(address: number, space: AccessSpace | null, names: Names): string {
  const name = space === null ? names.at(address)?.name : calledIn(space, address, names)
  return name === undefined || name === null ? formatAddress(address) : `${formatAddress(address)} (${name})`
}

/** `$D020 was written` */
function describeAccess({ pc, start, end, operation, pins }: CheckpointStop, names: Names): string {
  const spaceAt = operation === 'store' ? spaceWritten : spaceRead
  const space = pins === null ? null : spaceAt(pins, start)
  const isOne = start === end && start !== pc
  const range = isOne ? named(start, space, names) : formatRange({ start, end: end + 1 })
  return operation === null ? `the checkpoint at ${range} was hit` : `${range} ${happened[operation]}`
}

/** `$080D INC $D020` */
export const describeInstruction = ({ address, text }: NonNullable<CheckpointStop['by']>): string =>
  `${formatAddress(address)} ${text}`

/** `Stopped at $0810 because $D020 was written by $080D INC $D020 while A == 5, at hit 3`: without a full stop. */
export function describeStop(stop: CheckpointStop, names: Names = noNames): string {
  const by = stop.by === null ? '' : ` by ${describeInstruction(stop.by)}`
  const condition = stop.condition === null ? '' : ` while ${stop.condition}`
  const pcSpace = stop.pins === null ? null : spaceRead(stop.pins, stop.pc)
  const hit = stop.hit === null ? '' : `, at hit ${stop.hit}`
  return `Stopped at ${named(stop.pc, pcSpace, names)} because ${describeAccess(stop, names)}${by}${condition}${hit}`
}
