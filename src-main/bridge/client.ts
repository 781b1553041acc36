import {
  commandTable,
  eventTable,
  type EventName,
  type Input,
  type Output,
  type OwnedBy,
  type Payload,
} from '@shared/contract/contract'
import { AppError, fromFailure } from '@shared/contract/errors'
import { parseWithoutMisfits } from '@shared/contract/withoutMisfits'
import { currentAgentCall } from './agentCall'
import { fromBridgeSchema, PROTOCOL_VERSION } from './messages'
import { Caller } from '../rpc/caller'
import type { Line } from '../rpc/transport'

type BridgeCommand = OwnedBy<'bridge'>

export class BridgeClient {
  readonly #line: Line
  readonly #calls: Caller
  readonly #listeners = new Set<(event: string, payload: unknown) => void>()
  #ended: AppError | undefined

  constructor(line: Line) {
    this.#line = line
    this.#calls = new Caller((message) => {
      const agentCall = currentAgentCall.getStore()
      line.post(message.kind === 'cancel' || agentCall === undefined ? message : { ...message, agentCall })
    })
    line.onMessage((raw) => this.#onMessage(raw))
    line.onClose(() => this.#end(new AppError('BRIDGE_DOWN', 'The bridge process ended before it answered.')))
  }

  get isOpen(): boolean {
    return this.#ended === undefined
  }

  /** @throws AppError the bridge's own, TIMEOUT after the command's deadline, CANCELLED, or BRIDGE_DOWN */
  async call<Name extends BridgeCommand>(
    command: Name,
    input: Input<Name>,
    signal?: AbortSignal,
  ): Promise<Output<Name>> {
    if (this.#ended) throw this.#ended
    const { output, deadline } = commandTable[command]
    const answer = await this.#calls.call(command, input, { deadlineMs: deadline, signal })
    const { value, left } = parseWithoutMisfits(output, answer)
    if (left.length > 0)
      console.error(`Of the answer to ${command}, what does not fit was left out: ${left.join('; ')}`)
    return value
  }

  onEvent<Name extends EventName>(name: Name, listener: (payload: Payload<Name>) => void): () => void {
    const hear = (event: string, payload: unknown) => {
      if (event !== name) return
      const { data } = eventTable[name].safeParse(payload)
      if (data !== undefined) listener(data)
    }
    this.#listeners.add(hear)
    return () => this.#listeners.delete(hear)
  }

  close(): void {
    this.#line.close()
    this.#end(new AppError('BRIDGE_DOWN', 'The connection to the bridge process was closed.'))
  }

  #onMessage(raw: unknown): void {
    const parsed = fromBridgeSchema.safeParse(raw)
    if (!parsed.success) {
      this.#end(new AppError('CONFLICT', 'What answered is no bridge of this version.'))
      this.#line.close()
      return
    }
    const message = parsed.data
    if (message.kind === 'failed') this.#end(fromFailure(message.error))
    if (message.kind === 'ready' && message.protocol !== PROTOCOL_VERSION) {
      this.#end(
        new AppError(
          'CONFLICT',
          `The running bridge uses protocol version ${message.protocol}, this command line version ${PROTOCOL_VERSION}.`,
          {
            hint: 'Close the Bridgedeck window, or use the command line that came with it.',
          },
        ),
      )
    }
    if (message.kind === 'reply') this.#calls.settle(message)
    if (message.kind === 'event') for (const listener of this.#listeners) listener(message.event, message.payload)
  }

  #end(reason: AppError): void {
    this.#ended ??= reason
    this.#calls.rejectAll(this.#ended)
  }
}
