import { defineProtocol } from '../rpc/protocol'

export interface Search {
  readonly pattern: string
  readonly flags: string
  readonly text: string
}

export interface Match {
  readonly index: number
  readonly text: string
}

export interface RegexChannel {
  readonly requests: { search(input: Search): Match | null }
  readonly posts: object
  readonly notices: object
}

export const regexProtocol = defineProtocol<RegexChannel>('The search')
