import type { Asked, ToolCall, Usage, Wire } from './script'

/** What the model answers: words, or a call of a tool. */
export type Reply = { readonly say: string } | ToolCall

/** One service's messages. */
export interface WireFormat {
  readonly wire: Wire
  /** Whether a request is for an answer of the model. */
  readonly isAsked: (path: string) => boolean
  /** Undefined for one that is no task: a title, a choice of the model. */
  readonly read: (
    path: string,
    body: unknown,
  ) => { readonly asked: Asked; readonly isTask: boolean; readonly streams: boolean }
  /** A whole answer. */
  readonly object: (reply: Reply, asked: Asked, usage: Usage) => object
  /** The same as events, each with its name where it has one. */
  readonly events: (reply: Reply, asked: Asked, usage: Usage) => readonly StreamEvent[]
  /** What the first event of a stream tells of it; null where that is told at the end. */
  readonly toldFirst: (usage: Usage) => Usage | null
  /** Other requests that the program makes: their answers by path. */
  readonly others: (path: string) => object | undefined
}

export interface StreamEvent {
  readonly name?: string
  readonly data: object
}

/** As server-sent events. */
export const streamText = (events: readonly StreamEvent[]): string =>
  events
    .map(({ name, data }) => `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`)
    .join('')

let ids = 0
/** Unlike any other in this process. */
export const newId = (prefix: string): string => `${prefix}_${(++ids).toString(36).padStart(12, '0')}`
