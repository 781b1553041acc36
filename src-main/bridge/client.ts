import { commands, type CommandName, type Input, type Output, type OwnedBy } from '@shared/contract/contract'
import { AppError, fromFailure } from '@shared/contract/errors'
import type { z } from 'zod'
import { fromBridgeSchema, PROTOCOL_VERSION } from './messages'
import type { Line } from './transport'

type BridgeCommand = OwnedBy<'bridge'>

interface Pending {
  readonly resolve: (data: unknown) => void
  readonly reject: (error: AppError) => void
}

const outputs: { readonly [Name in CommandName]: { readonly output: z.ZodType<Output<Name>>; readonly deadline: number } } = commands

/** The command line's end of a control line: an id and a deadline for each call, cancellation, and a bridge that goes away. */
export class BridgeClient {
  readonly #line: Line
  readonly #pending = new Map<number, Pending>()
  #nextId = 1
  #ended: AppError | undefined

  constructor(line: Line) {
    this.#line = line
    line.onMessage((raw) => this.#onMessage(raw))
    line.onClose(() => this.#end(new AppError('BRIDGE_DOWN', 'The bridge process ended before it answered.')))
  }

  /** Rejects with the bridge's own AppError, TIMEOUT after the command's deadline, CANCELLED, or BRIDGE_DOWN. */
  async call<Name extends BridgeCommand>(command: Name, input: Input<Name>, signal?: AbortSignal): Promise<Output<Name>> {
    if (this.#ended) throw this.#ended
    signal?.throwIfAborted()
    const id = this.#nextId++
    const { output, deadline } = outputs[command]
    const giveUp = (error: AppError) => {
      this.#line.post({ kind: 'cancel', id })
      this.#pending.get(id)?.reject(error)
    }
    const onAbort = () => giveUp(new AppError('CANCELLED', `${command} was cancelled.`))
    const timer = setTimeout(() => giveUp(new AppError('TIMEOUT', `${command} was not answered within ${deadline / 1000} s.`)), deadline)
    signal?.addEventListener('abort', onAbort)
    try {
      const data = await new Promise((resolve, reject) => {
        this.#pending.set(id, { resolve, reject })
        this.#line.post({ kind: 'call', id, command, input })
      })
      return output.parse(data)
    } finally {
      this.#pending.delete(id)
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  close(): void {
    this.#line.close()
    this.#end(new AppError('BRIDGE_DOWN', 'The connection to the bridge process was closed.'))
  }

  #onMessage(raw: unknown): void {
    const parsed = fromBridgeSchema.safeParse(raw)
    if (!parsed.success) return
    const message = parsed.data
    if (message.kind === 'ready' && message.protocol !== PROTOCOL_VERSION) {
      this.#end(
        new AppError('CONFLICT', `The running bridge speaks version ${message.protocol} of the protocol, this command line version ${PROTOCOL_VERSION}.`, {
          hint: 'Close the Bridgedeck window, or use the command line that came with it.',
        }),
      )
    }
    if (message.kind !== 'reply') return
    const pending = this.#pending.get(message.id)
    if (message.result.ok) pending?.resolve(message.result.data)
    else pending?.reject(fromFailure(message.result.error))
  }

  #end(reason: AppError): void {
    this.#ended ??= reason
    for (const { reject } of this.#pending.values()) reject(this.#ended)
  }
}
