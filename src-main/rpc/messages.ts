/** The messages that every channel has. A process border has schemas for them beside its own messages. */
import type { Result } from '@shared/contract/errors'

/** A request that is to be answered. */
export interface Call {
  readonly kind: 'call'
  readonly id: number
  readonly command: string
  readonly input: unknown
}

export interface Cancel {
  readonly kind: 'cancel'
  readonly id: number
}

export interface Reply {
  readonly kind: 'reply'
  readonly id: number
  readonly result: Result<unknown>
}

/** Unasked and unanswered, either way. */
export interface Notice {
  readonly kind: 'notice'
  readonly name: string
  readonly payload: unknown
}
