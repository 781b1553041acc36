import { formatAddress, formatRange } from './c64/address'
import { calledIn, spaceRead, spaceWritten, type AccessSpace } from './c64/banking'
import type { Names } from './c64/labels/names'
import type { Checkpoint, CheckpointStop } from './contract/checkpoints'

type Operation = Checkpoint['operations'][number]

export const stopOperations: readonly { readonly operation: Operation; readonly label: string }[] = [
  { operation: 'exec', label: 'runs' },
  { operation: 'load', label: 'is read' },
  { operation: 'store', label: 'is written' },
]

const happened: Readonly<Record<Operation, string>> = { exec: 'was reached', load: 'was read', store: 'was written' }

const noNames: Names = { find: () => [], at: () => undefined, programLabelsAt: () => [] }

function named(address: number, space: AccessSpace | null, names: Names): string {
  const name = space === null ? names.at(address)?.name : calledIn(space, address, names)
  return name === undefined || name === null ? formatAddress(address) : `${formatAddress(address)} (${name})`
}

function describeAccess({ pc, start, end, operation, pins }: CheckpointStop, names: Names): string {
  const spaceAt = operation === 'store' ? spaceWritten : spaceRead
  const space = pins === null ? null : spaceAt(pins, start)
  const isOne = start === end && start !== pc
  const range = isOne ? named(start, space, names) : formatRange({ start, end: end + 1 })
  return operation === null ? `the checkpoint at ${range} was hit` : `${range} ${happened[operation]}`
}

export const describeInstruction = ({ address, text }: NonNullable<CheckpointStop['by']>): string =>
  `${formatAddress(address)} ${text}`

export function describeStop(stop: CheckpointStop, names: Names = noNames): string {
  const by = stop.by === null ? '' : ` by ${describeInstruction(stop.by)}`
  const condition = stop.condition === null ? '' : ` while ${stop.condition}`
  const pcSpace = stop.pins === null ? null : spaceRead(stop.pins, stop.pc)
  const hit = stop.hit === null ? '' : `, at hit ${stop.hit}`
  return `Stopped at ${named(stop.pc, pcSpace, names)} because ${describeAccess(stop, names)}${by}${condition}${hit}`
}
