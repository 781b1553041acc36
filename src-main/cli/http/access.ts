/**
 * Only a program of this computer that has the token may talk to the server. A web page is refused by `Origin`, and one
 * that reaches us under its own name (DNS rebinding) by `Host`.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { AppError } from '@shared/contract/errors'
import { Refusal } from './refusal'

export interface Access {
  readonly port: number
  readonly token: string
}

const HTTP_PORT = 80

const ownHosts = (port: number): string[] =>
  ['127.0.0.1', 'localhost', '[::1]'].flatMap((host) => [`${host}:${port}`, ...(port === HTTP_PORT ? [host] : [])])

type Asked = Pick<IncomingMessage, 'headers' | 'headersDistinct'>

/** @throws Refusal */
export function requireOwnName({ headersDistinct: { host = [], origin = [] } }: Asked, { port }: Access): void {
  const hosts = ownHosts(port)
  const isOwnHost = host.length === 1 && host.every((name) => hosts.includes(name.toLowerCase()))
  if (!isOwnHost) throw refused(`The Host header of a request names this server: 127.0.0.1:${port}.`)
  const isOwnOrigin = origin.every((name) => hosts.some((own) => name === `http://${own}`))
  if (!isOwnOrigin) throw refused('Requests of web pages are refused: only a page of this server itself may ask.')
}

/** @throws Refusal */
export function requireToken({ headers }: Asked, { token }: Access): void {
  if (!isSame(bearerOf(headers), token)) throw noToken('Bearer realm="bridgedeck"')
}

/**
 * Many WebSocket clients cannot send headers, so the token may be one of the offered protocols.
 * @throws Refusal
 */
export function requireTokenOrProtocol({ headers }: Asked, { token }: Access): void {
  if (!isSame(bearerOf(headers), token) && !isSame(protocolOf(headers), token))
    throw noToken('Bearer realm="bridgedeck"')
}

/**
 * For the page in a browser, where the token is the password.
 * @throws Refusal
 */
export function requireTokenOrPassword({ headers }: Asked, { token }: Access): void {
  if (!isSame(bearerOf(headers), token) && !isSame(passwordOf(headers), token))
    throw noToken('Basic realm="bridgedeck: the token is the password", charset="UTF-8"')
}

type Headers = IncomingMessage['headers']

const bearerOf = ({ authorization = '' }: Headers): string => /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? ''

const protocolOf = ({ 'sec-websocket-protocol': offered = '' }: Headers): string =>
  /(?:^|[, ])bearer\.([\w-]+)/.exec(offered)?.[1] ?? ''

function passwordOf({ authorization = '' }: Headers): string {
  const [, encoded = ''] = /^Basic +(\S+)$/i.exec(authorization) ?? []
  return /^[^:]*:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString())?.[1] ?? ''
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Constant time. */
const isSame = (given: string, token: string): boolean => timingSafeEqual(digest(given), digest(token))

const refused = (message: string): Refusal => new Refusal(403, new AppError('FORBIDDEN', message))

const noToken = (challenge: string): Refusal =>
  new Refusal(
    401,
    new AppError('FORBIDDEN', 'The token is missing or wrong.', {
      hint: 'Send the header “Authorization: Bearer TOKEN” with the token that “bridgedeck serve” printed.',
    }),
    { 'WWW-Authenticate': challenge },
  )
