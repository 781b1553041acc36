/** What VICE reports by itself. */
import { messageTypes, type Message } from './codec'
import { parseCheckpoint, type CheckpointInfo } from './commands'
import { Fields } from './fields'

/** What VICE says unasked. `stopped` and `resumed` carry the program counter. */
export type Event =
  | { readonly kind: 'stopped' | 'resumed'; readonly pc: number }
  | { readonly kind: 'checkpoint'; readonly checkpoint: CheckpointInfo }
  | { readonly kind: 'jam' }

/** The event, or undefined for one that tells nothing (register lists come with each stop) or is of a kind not known. */
export function parseEvent({ type: kind, body }: Message): Event | undefined {
  switch (kind) {
    case messageTypes.stopped:
      return { kind: 'stopped', pc: new Fields(body, 'say where it stopped').u16() }
    case messageTypes.resumed:
      return { kind: 'resumed', pc: new Fields(body, 'say where it went on').u16() }
    case messageTypes.checkpoint:
      return { kind: 'checkpoint', checkpoint: parseCheckpoint(body) }
    case messageTypes.jam:
      return { kind: 'jam' }
    default:
      return undefined
  }
}
