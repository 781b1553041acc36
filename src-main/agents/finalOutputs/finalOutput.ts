/**
 * Final outputs of agents' programs, recorded with a loopback server. Columns: what it is, how the process ended, its
 * output lines, the expected result, its errors.
 */
export type Line = string | object

/**
 * A number: a limit that resets then, ms since 1970. `turns`: the program's own limit. `person`: somebody has to sign
 * in, pay or set it up. `unknown`: a service error that kept it from doing anything.
 */
export type Expected = 'answer' | 'error' | 'limit' | 'outage' | 'turns' | 'person' | 'unknown' | 'program' | number

export type FinalOutput = readonly [
  what: string,
  end: number | NodeJS.Signals,
  output: readonly Line[],
  expected: Expected,
  errors?: string,
]

export interface OutputParts {
  readonly begin: readonly Line[]
  readonly says: (words: string) => Line
  readonly toolPrinted: readonly ((words: string) => Line)[]
  readonly done: (words: string) => Line
  readonly failures: readonly (readonly Line[])[]
  readonly wantsPerson: readonly Line[]
  readonly refusals: readonly (readonly Line[])[]
}

export const NOW = Date.UTC(2026, 10, 28, 14, 45)
export const inSeconds = (seconds: number): number => NOW + seconds * 1000

export const hostileWords = [
  'src/main.asm:429: error: illegal addressing mode',
  'src/main.asm:503: error: label not defined',
  'Error: line 529: unexpected token',
  'Error: connect ECONNREFUSED 127.0.0.1:6510',
  'FAIL src/net.test.ts > expected 200, got HTTP 429',
  'AssertionError: expected "rate limit exceeded" to be undefined',
  'HTTP/1.1 503 Service Unavailable',
  'API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
  "You've hit your session limit · resets 5pm",
  'Claude AI usage limit reached|1795890000',
  'exceeded retry limit, last status: 429 Too Many Requests',
  '{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"Quota exceeded"}}',
  'stream disconnected before completion',
  'The usage limit has been reached',
] as const
