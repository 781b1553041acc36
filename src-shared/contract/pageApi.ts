/**
 * What the preload exposes as `window.bridgedeck`, derived from the contract: one function for each command that the
 * page may call, grouped by area (`bridgedeck.machine.list({})`), events, cancellation and the ports.
 */
import type { CommandName, Commands, EventName, Input, Output, Payload } from './contract'
import type { Result } from './errors'
import type { Plane } from './ports'

/** Only these commands may be called by the page; the others take paths and are for main and the command line. */
export type PageCommandName = { [Name in CommandName]: Commands[Name]['page'] extends true ? Name : never }[CommandName]

type Area = PageCommandName extends `${infer Head}.${string}` ? Head : never

/** Always resolves, with an error as data. `callId` (1 to 64 characters, unique) is what `cancel` takes. */
export type PageCommand<Name extends PageCommandName> = (
  input: Input<Name>,
  callId?: string,
) => Promise<Result<Output<Name>>>

type PageCommands = {
  readonly [A in Area]: {
    readonly [
      Name in Extract<PageCommandName, `${A}.${string}`> as Name extends `${A}.${infer Verb}` ? Verb : never
    ]: PageCommand<Name>
  }
}

interface PageApi extends PageCommands {
  /** The call resolves with CANCELLED. A call that has already ended is left alone. */
  cancel(callId: string): void
  onEvent<Name extends EventName>(name: Name, callback: (payload: Payload<Name>) => void): () => void
  /**
   * Asks for a new port of a plane; the window's earlier one of that plane is closed. Listen first: the port arrives as
   * `window.onmessage` with `event.data === nonce`, `event.source === window` and the port in `event.ports`.
   * The nonce is 16 to 64 characters of `[A-Za-z0-9-]`, never used before. Ask again after 2 s without a port.
   */
  connectPort(plane: Plane, nonce: string): Promise<Result<Record<string, never>>>
}

declare global {
  interface Window {
    readonly bridgedeck: PageApi
  }
}
