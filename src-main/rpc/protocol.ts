/**
 * The messages between two threads or processes, declared once for both ends.
 *
 * Values are parsed once, where they come from outside: inputs from the page (electron/router.ts) or a socket client
 * (bridge/dispatcher.ts), and the bridge's outputs and events at its client. Between the bridge and its worker threads
 * nothing is parsed: both ends are compiled together, and frames cross without work per byte.
 */
export interface Channel {
  /** Answered by the serving end, as methods: `read(input: Range): Uint8Array`. */
  readonly requests: object
  /** Sent to the serving end, without an answer. */
  readonly posts: object
  /** Sent by the serving end, without an answer. */
  readonly notices: object
}

export interface Protocol<C extends Channel> {
  /** The serving end's name at the start of a sentence: “The recorder”. */
  readonly name: string
  /** For the compiler only. */
  readonly channel?: C
}

export const defineProtocol = <C extends Channel>(name: string): Protocol<C> => ({ name })

/** The input or output of a request that has none. */
export type Nothing = Record<string, never>

export type RequestName<C extends Channel> = Extract<keyof C['requests'], string>
export type RequestInput<C extends Channel, Name extends RequestName<C>> = C['requests'][Name] extends (
  input: infer Input,
) => unknown
  ? Input
  : never
export type RequestOutput<C extends Channel, Name extends RequestName<C>> = C['requests'][Name] extends (
  input: never,
) => infer Output
  ? Output
  : never

/** One function for each request. The signal aborts when the caller cancels. */
export type RequestHandlers<C extends Channel> = {
  readonly [Name in RequestName<C>]: (
    input: RequestInput<C, Name>,
    signal: AbortSignal,
  ) => RequestOutput<C, Name> | Promise<RequestOutput<C, Name>>
}

export type PostHandlers<C extends Channel> = {
  readonly [Name in keyof C['posts']]: (payload: C['posts'][Name]) => void
}
export type NoticeHandlers<C extends Channel> = {
  readonly [Name in keyof C['notices']]: (payload: C['notices'][Name]) => void
}

type Send<Payloads extends object> = <Name extends Extract<keyof Payloads, string>>(
  name: Name,
  payload: Payloads[Name],
  /** Buffers to move instead of copy. */
  transfer?: readonly ArrayBuffer[],
) => void
export type Notify<C extends Channel> = Send<C['notices']>
export type Post<C extends Channel> = Send<C['posts']>
