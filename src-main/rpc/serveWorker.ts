import { parentPort } from 'node:worker_threads'
import { AppError } from '@shared/contract/errors'
import type { Call, Cancel, End, Notice, Reply } from './messages'
import type { Channel, Notify, PostHandlers, Protocol, RequestHandlers } from './protocol'
import { Responder } from './responder'

export interface ServingEnd<C extends Channel> {
  readonly requests: RequestHandlers<C>
  readonly posts: PostHandlers<C>
  readonly onFault?: (command: string, error: unknown) => void
}

export function serveWorker<C extends Channel>(
  protocol: Protocol<C>,
  create: (notify: Notify<C>) => ServingEnd<C>,
): void {
  const port = parentPort
  if (!port) throw new Error(`${protocol.name} runs in a worker thread only.`)
  const post = (message: Reply | Notice, transfer: readonly ArrayBuffer[] = []) => port.postMessage(message, transfer)
  const receive = receiver(
    protocol.name,
    create((name, payload, transfer) => post({ kind: 'notice', name, payload }, transfer)),
    post,
  )
  port.on('message', (message: Call | Cancel | End | Notice) => {
    if (message.kind === 'end') process.exit()
    receive(message)
  })
}

export function receiver<C extends Channel>(
  name: string,
  { requests, posts, onFault = rethrow }: ServingEnd<C>,
  post: (reply: Reply) => void,
): (message: Call | Cancel | Notice) => void {
  const responder = new Responder({
    run: (command, input, signal) => find(requests, command, name)(input, signal),
    onFault,
  })
  return (message) => {
    switch (message.kind) {
      case 'call': {
        const { id, command, input } = message
        void responder.call(id, command, input).then((result) => post({ kind: 'reply', id, result }))
        break
      }
      case 'cancel':
        responder.cancel(message.id)
        break
      case 'notice':
        find(posts, message.name, name)(message.payload)
    }
  }
}

type AnyHandler = (...args: unknown[]) => unknown

function find(handlers: object, command: string, name: string): AnyHandler {
  if (Object.hasOwn(handlers, command)) return (handlers as Record<string, AnyHandler>)[command] as AnyHandler
  throw new AppError('NOT_FOUND', `${name} does not know ${command.slice(0, 100)}.`)
}

function rethrow(_command: string, error: unknown): never {
  throw error
}
