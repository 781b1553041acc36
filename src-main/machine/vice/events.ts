import { messageTypes, type Message } from './codec'
import { parseCheckpoint, parseRegisters, type CheckpointInfo, type RegisterValue } from './commands'
import { Fields } from './fields'

export type Event =
  | { readonly kind: 'stopped' | 'resumed'; readonly pc: number }
  | { readonly kind: 'checkpoint'; readonly checkpoint: CheckpointInfo }
  /** As they are where it stops; `stopped` follows. */
  | { readonly kind: 'registers'; readonly registers: readonly RegisterValue[] }
  | { readonly kind: 'jam' }

export function parseEvent({ type: kind, body }: Message): Event | undefined {
  switch (kind) {
    case messageTypes.stopped:
      return { kind: 'stopped', pc: new Fields(body, 'report where it stopped').u16() }
    case messageTypes.resumed:
      return { kind: 'resumed', pc: new Fields(body, 'report where it resumed').u16() }
    case messageTypes.checkpoint:
      return { kind: 'checkpoint', checkpoint: parseCheckpoint(body) }
    case messageTypes.registers:
      return { kind: 'registers', registers: parseRegisters(body) }
    case messageTypes.jam:
      return { kind: 'jam' }
    default:
      return undefined
  }
}
