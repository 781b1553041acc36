/**
 * Values are parsed once, where they come from outside: inputs of the page (electron/router.ts) and of a socket client
 * (bridge/dispatcher.ts), and the bridge's outputs and events at its client. Nothing is parsed between the bridge and
 * its worker threads: both ends are compiled together.
 */
export interface Channel {
  readonly requests: object
  readonly posts: object
  readonly notices: object
}

export interface Protocol<C extends Channel> {
  readonly name: string
  readonly channel?: C
}

export const defineProtocol = <C extends Channel>(name: string): Protocol<C> => ({ name })

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

/** The signal aborts when the caller cancels. */
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
  transfer?: readonly ArrayBuffer[],
) => void
export type Notify<C extends Channel> = Send<C['notices']>
export type Post<C extends Channel> = Send<C['posts']>
