import { z } from 'zod'
import { AppError, toFailure } from '@shared/contract/errors'
import type { EventName, Payload } from '@shared/contract/contract'
import type { Plane } from '@shared/contract/ports'
import { AudioPort, type AudioSource } from './audioPort'
import { Dispatcher } from './dispatcher'
import type { Handlers } from '../rpc/commands'
import { FramePort, type FrameSource } from './framePort'
import { fromClientSchema, PROTOCOL_VERSION, toBridgeSchema, type FromBridge } from './messages'
import type { SteeredLine } from '../steering/handlers'
import type { BridgeSide } from '../rpc/transport'

export interface Bridge {
  readonly handlers: Handlers
  readonly frames: FrameSource
  readonly audio: AudioSource
  openSteeredLine(): SteeredLine
  readonly log: (message: string, error?: unknown) => void
  onEvent(listener: <Name extends EventName>(event: Name, payload: Payload<Name>) => void): () => void
  fallAsleep(): void
  /** After waking up, nothing counts as current until it was looked at again. */
  wakeUp(): void
  close(): Promise<void>
}

const MAX_CLIENT_CALLS = 32

export function serve(bridge: Bridge, side: BridgeSide, ended: () => void): void {
  const { control, peer } = side
  const isClient = peer === 'client'
  const steered = isClient ? bridge.openSteeredLine() : undefined
  const dispatcher = new Dispatcher(bridge.handlers, {
    trustsInputs: !isClient,
    maxCalls: isClient ? MAX_CLIENT_CALLS : Infinity,
    line: steered,
    log: bridge.log,
  })
  const send = (message: FromBridge) => control.post(message)
  const stopEvents = bridge.onEvent((event, payload) => send({ kind: 'event', event, payload }))
  const end = () => {
    stopEvents()
    dispatcher.cancelAll()
    steered?.close()
    ended()
  }
  const refuse = () => {
    const error = toFailure(new AppError('INVALID', 'The client sent what is no message for the bridge.'))
    bridge.log(`A client was dropped. ${error.message}`)
    send({ kind: 'failed', error })
    control.close()
    end()
  }
  control.onMessage((raw) => {
    const message = (isClient ? fromClientSchema : toBridgeSchema).safeParse(raw)
    if (!message.success) {
      if (isClient) refuse()
      else bridge.log(`A message that is none of the protocol was ignored: ${z.prettifyError(message.error)}`)
      return
    }
    switch (message.data.kind) {
      case 'call': {
        const { id, command, input, agentCall } = message.data
        void dispatcher.call(id, command, input, agentCall).then((result) => send({ kind: 'reply', id, result }))
        break
      }
      case 'cancel':
        dispatcher.cancel(message.data.id)
        break
      case 'ping':
        send({ kind: 'pong', at: message.data.at })
        break
      case 'suspend':
        bridge.fallAsleep()
        break
      case 'resume':
        bridge.wakeUp()
        break
      case 'shutdown':
        end()
        break
    }
  })
  control.onClose(end)
  const ports: Partial<Record<Plane, { close(): void }>> = {}
  side.onPort((plane, line) => {
    // A window has one live port of each plane.
    ports[plane]?.close()
    ports[plane] =
      plane === 'audio' ? new AudioPort(line, bridge.audio, bridge.log) : new FramePort(line, bridge.frames, bridge.log)
  })
  send({ kind: 'ready', protocol: PROTOCOL_VERSION })
}
