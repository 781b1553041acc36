import type { Result } from '@shared/contract/errors'

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

export interface End {
  readonly kind: 'end'
}

export interface Notice {
  readonly kind: 'notice'
  readonly name: string
  readonly payload: unknown
}
