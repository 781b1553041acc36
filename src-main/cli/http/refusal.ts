import type { ServerResponse } from 'node:http'
import { AppError, toFailure, type ErrorCode, type Failure } from '@shared/contract/errors'
import { withoutLongInput } from '../mcp/repeatedInput'

export class Refusal extends Error {
  readonly status: number
  readonly failure: Failure
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, cause: AppError, headers: Readonly<Record<string, string>> = {}) {
    super(cause.message, { cause })
    this.status = status
    this.failure = toFailure(cause)
    this.headers = headers
  }
}

const statusOf: Readonly<Record<ErrorCode, number>> = {
  INVALID: 400,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  UNSUPPORTED: 422,
  BUSY: 423,
  INTERNAL: 500,
  UNREACHABLE: 502,
  LOST: 502,
  CANCELLED: 503,
  BRIDGE_DOWN: 503,
  TIMEOUT: 504,
}

export const tooMany = (message: string): Refusal =>
  new Refusal(429, new AppError('BUSY', message, { hint: 'Try again in a moment.' }), { 'Retry-After': '1' })

export const notThere = (message: string): Refusal => new Refusal(404, new AppError('NOT_FOUND', message))

export const toRefusal = (thrown: unknown): Refusal => {
  if (thrown instanceof Refusal) return thrown
  const failure = toFailure(thrown)
  const { hint } = failure
  return new Refusal(
    statusOf[failure.code],
    new AppError(failure.code, withoutLongInput(failure.message), hint === undefined ? {} : { hint }),
  )
}

/** Security headers of every answer: no caching, no sniffing, no framing. */
export const ownHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
} as const

export function sendJson(response: ServerResponse, status: number, body: object, headers: object = {}): void {
  if (response.headersSent || response.destroyed) return
  response.writeHead(status, { ...ownHeaders, 'Content-Type': 'application/json', ...headers })
  response.end(`${JSON.stringify(body)}\n`)
}

export const errorBody = ({ code, message, hint }: Failure): object => ({
  code,
  message,
  ...(hint === undefined ? {} : { hint }),
})

export const sendRefusal = (response: ServerResponse, { status, failure, headers }: Refusal): void =>
  sendJson(response, status, errorBody(failure), headers)
