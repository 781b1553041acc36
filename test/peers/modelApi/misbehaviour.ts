/** What a service of a model does when it does not answer as it should. */
import type { ServerResponse } from 'node:http'
import type { Wire } from './script'

export interface Refusal {
  readonly status: number
  /** In its body; a status alone where not given. */
  readonly words?: string
  /** s, in its header. */
  readonly retryAfter?: number
}

export type Misbehaviour =
  | Refusal
  /** The stream ends in the middle of it. */
  | 'cut'
  /** The connection ends without a byte. */
  | 'nothing'
  /** A body that ends in the middle of an object. */
  | 'halfJson'
  /** Silence before it answers as it should, s. */
  | { readonly silence: number }

const grpcStatuses: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
}

const anthropicTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
  500: 'api_error',
  529: 'overloaded_error',
}

/** The error as the service documents it. */
const bodies: Readonly<Record<Wire, (status: number, message: string) => object>> = {
  // https://docs.claude.com/en/api/errors
  anthropic: (status, message) => ({ type: 'error', error: { type: anthropicTypes[status] ?? 'api_error', message } }),
  // https://developers.openai.com/api/docs/guides/error-codes
  openai: (status, message) => ({
    error: {
      message,
      type: status === 429 ? 'rate_limit_exceeded' : status < 500 ? 'invalid_request_error' : 'server_error',
      code: null,
    },
  }),
  // https://ai.google.dev/gemini-api/docs/troubleshooting
  gemini: (code, message) => ({ error: { code, message, status: grpcStatuses[code] ?? 'UNKNOWN' } }),
}

export function refuse(response: ServerResponse, wire: Wire, { status, words, retryAfter }: Refusal): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
  })
  response.end(words === undefined ? '' : JSON.stringify(bodies[wire](status, words)))
}

/** @param body of the answer as it should be */
export function spoil(response: ServerResponse, how: 'cut' | 'nothing' | 'halfJson', body: string, type: string): void {
  if (how === 'nothing') response.destroy()
  else if (how === 'halfJson') {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end('{"id": "x", "content": [{"type": "te')
  } else {
    response.writeHead(200, { 'content-type': type })
    response.write(body.slice(0, body.length / 2), () => response.destroy())
  }
}
