import { machineNameSchema } from './machine'

/** Blocks of 20 ms that may be under way to the page before it answers with a credit: 200 ms. */
export const AUDIO_CREDITS = 10

export type AudioRequest = { readonly kind: 'subscribe'; readonly machine: string | null } | { readonly kind: 'credit' }

/** Some 20 ms of a machine's sound. Blocks come in order; dropped ones are left out. */
export interface AudioDelivery {
  readonly kind: 'audio'
  readonly machine: string
  /** Samples per second and channel; not a whole number on real machines. */
  readonly rate: number
  /** Left and right alternate. Exact-size: a view would clone its whole backing buffer across a process border. */
  readonly samples: Int16Array
  readonly dropped: number
}

export function parseAudioRequest(message: unknown): AudioRequest | undefined {
  if (typeof message !== 'object' || message === null || !('kind' in message)) return undefined
  if (message.kind === 'credit') return { kind: 'credit' }
  if (message.kind !== 'subscribe' || !('machine' in message)) return undefined
  const machine = message.machine === null ? null : machineNameSchema.safeParse(message.machine).data
  return machine === undefined ? undefined : { kind: 'subscribe', machine }
}

/** Hand-written instead of zod: it runs for every block. */
export function isAudioDelivery(message: unknown): message is AudioDelivery {
  return (
    typeof message === 'object' &&
    message !== null &&
    'kind' in message &&
    message.kind === 'audio' &&
    'machine' in message &&
    typeof message.machine === 'string' &&
    'rate' in message &&
    typeof message.rate === 'number' &&
    message.rate >= 8_000 &&
    message.rate <= 192_000 &&
    'samples' in message &&
    message.samples instanceof Int16Array &&
    message.samples.length % 2 === 0 &&
    'dropped' in message &&
    typeof message.dropped === 'number'
  )
}
