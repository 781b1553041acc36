/** The messages of every channel. A channel between processes also has schemas for them. */
import type { Result } from '@shared/contract/errors'

/** A request that expects a reply. */
export interface Call {
  readonly kind: 'call'
  readonly id: number
  readonly command: string
  readonly input: unknown
  readonly agentCall?: number
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

/** The worker ends itself. */
export interface End {
  readonly kind: 'end'
}

/** A message without a reply, in either direction. */
export interface Notice {
  readonly kind: 'notice'
  readonly name: string
  readonly payload: unknown
}
