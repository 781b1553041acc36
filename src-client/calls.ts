export class BridgedeckError extends Error {
  /** Such as `INVALID`, `NOT_FOUND` or `FORBIDDEN`; `UNREACHABLE` where no server answers. */
  readonly code: string
  readonly hint: string | undefined
  /** HTTP status; 0 where no server answered. */
  readonly status: number

  constructor(
    code: string,
    message: string,
    { hint, status = 0, cause }: { hint?: string | undefined; status?: number; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.name = 'BridgedeckError'
    this.code = code
    this.hint = hint
    this.status = status
  }
}

export interface Answer<Key extends string = string> {
  readonly text: string
  readonly wholeText: () => Promise<string>
  readonly data: { readonly [Name in Key]?: unknown }
  readonly picture: Uint8Array | undefined
  readonly failed: boolean
}

export interface CallOptions {
  readonly signal?: AbortSignal
}

export type Call = (tool: string, op: string, given?: object, options?: CallOptions) => Promise<Answer>

export interface Server {
  readonly url: string
  readonly token: string
  /** Shown to the person who watches. Default: script. */
  readonly name?: string
}

export const headersFor = ({ token, name }: Server): Record<string, string> => ({
  Authorization: `Bearer ${token}`,
  ...(name === undefined ? {} : { 'Bridgedeck-Name': name }),
})

export const unreachable = (url: string, cause: unknown): BridgedeckError =>
  new BridgedeckError('UNREACHABLE', `No server answers at ${url}.`, {
    hint: 'Start it with “bridgedeck serve”.',
    cause,
  })

/** @throws BridgedeckError */
export async function callTool(
  server: Server,
  [tool, op]: readonly [string, string],
  given: object,
  { signal }: CallOptions,
): Promise<Answer> {
  const address = new URL(`/api/${encodeURIComponent(tool)}/${encodeURIComponent(op)}`, server.url)
  const response = await fetch(address, {
    method: 'POST',
    headers: { ...headersFor(server), 'Content-Type': 'application/json' },
    body: JSON.stringify(given),
    redirect: 'error',
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    throw signal?.aborted ? error : unreachable(server.url, error)
  })
  const body: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw errorOf(response.status, body)
  return answerOf(body, (more) => callTool(server, [tool, op], { more }, {}))
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

export function errorOf(status: number, body: unknown): BridgedeckError {
  const { code, message, hint } = isRecord(body) ? body : {}
  return new BridgedeckError(
    textOf(code) ?? 'INTERNAL',
    textOf(message) ?? `The server answered with status ${status}.`,
    {
      hint: textOf(hint),
      status,
    },
  )
}

function answerOf(body: unknown, readOn: (more: string) => Promise<Answer>): Answer {
  if (!isRecord(body) || typeof body['text'] !== 'string' || !isRecord(body['data']))
    throw new BridgedeckError('INVALID', 'What answered is no server of Bridgedeck.')
  const { text, data, more, picture, failed } = body
  return {
    text,
    data,
    failed: failed === true,
    wholeText: async () => (typeof more === 'string' ? text + (await (await readOn(more)).wholeText()) : text),
    picture: typeof picture === 'string' ? Uint8Array.from(atob(picture), (sign) => sign.charCodeAt(0)) : undefined,
  }
}
