/** A stop at a checkpoint in words, the same on the command line and in the window. */
import { formatAddress, formatRange } from './c64/address'
import type { Names } from './c64/labels/names'
import type { Checkpoint, CheckpointStop } from './contract/machine'

type Operation = Checkpoint['operations'][number]

/** What the machine stops at, as choices: `Stop when $C000 is written`. */
export const stopOperations: readonly { readonly operation: Operation; readonly label: string }[] = [
  { operation: 'exec', label: 'runs' },
  { operation: 'load', label: 'is read' },
  { operation: 'store', label: 'is written' },
]

const happened: Readonly<Record<Operation, string>> = { exec: 'was reached', load: 'was read', store: 'was written' }

/** What addresses are called. */
type StopNames = Pick<Names, 'at'>
const noNames: StopNames = { at: () => undefined }

/** `$0819 (draw)` */
function named(address: number, names: StopNames): string {
  const name = names.at(address)?.name
  return name === undefined ? formatAddress(address) : `${formatAddress(address)} (${name})`
}

/** `$D020 was written` */
function describeAccess({ pc, start, end, operation }: CheckpointStop, names: StopNames): string {
  const isOne = start === end && start !== pc
  const range = isOne ? named(start, names) : formatRange({ start, end: end + 1 })
  return operation === null ? `the checkpoint at ${range} was hit` : `${range} ${happened[operation]}`
}

/** `$080D INC $D020` */
export const describeInstruction = ({ address, text }: NonNullable<CheckpointStop['by']>): string =>
  `${formatAddress(address)} ${text}`

/** `Stopped at $0810 because $D020 was written by $080D INC $D020 while A == 5, at hit 3`: without a full stop. */
export function describeStop(stop: CheckpointStop, names: StopNames = noNames): string {
  const by = stop.by === null ? '' : ` by ${describeInstruction(stop.by)}`
  const condition = stop.condition === null ? '' : ` while ${stop.condition}`
  const hit = stop.hit === null ? '' : `, at hit ${stop.hit}`
  return `Stopped at ${named(stop.pc, names)} because ${describeAccess(stop, names)}${by}${condition}${hit}`
}
