import type { EventName, Input, Output, OwnedBy, Payload } from '@shared/contract/contract'

/** The signal aborts when the caller cancels or disconnects. */
export type Handlers = {
  readonly [Name in OwnedBy<'bridge'>]: (
    input: Input<Name>,
    signal: AbortSignal,
  ) => Promise<Output<Name>> | Output<Name>
}

export type Area = keyof Handlers extends `${infer Head}.${string}` ? Head : never

export type AreaHandlers<Of extends Area> = Pick<Handlers, Extract<keyof Handlers, `${Of}.${string}`>>

export type Emit = <Name extends EventName>(event: Name, payload: Payload<Name>) => void
