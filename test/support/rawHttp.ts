/** Requests as a hostile peer makes them: with any header, byte by byte, unread. */
import { request, type IncomingHttpHeaders } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { StartedServer } from './httpServer'

interface Asked {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string | Uint8Array
}

interface Answered {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** With headers that `fetch` does not let one set. */
export function send(
  { url }: StartedServer,
  path: string,
  { method = 'POST', headers = {}, body }: Asked,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, url), { method, headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }))
    })
    sent.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve({ status: response.statusCode, headers: response.headers, text: '' })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** What a peer sends byte by byte, and never reads unless asked to. */
export function rawSocket({ url }: StartedServer): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  return socket
}

export const closing = (socket: Socket): Promise<void> => new Promise((done) => socket.once('close', () => done()))

export const upgrade = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': Buffer.alloc(16).toString('base64'),
}
