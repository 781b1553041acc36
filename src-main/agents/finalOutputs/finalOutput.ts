/**
 * Final outputs of agents' programs, as they printed them when a server on the loopback answered so, without what no reader looks at
 * and with ids made up. One row each: what it is, how the process ended, the lines of its output, what is to be made of it, and what it
 * printed as errors.
 */
export type Line = string | object

/**
 * A number: a limit that resets then, ms since 1970. `turns`: a limit of its own. `person`: who has to sign in, pay or set it up.
 * `unknown`: an error of its service that kept it from doing anything.
 */
export type Expected = 'answer' | 'error' | 'limit' | 'outage' | 'turns' | 'person' | 'unknown' | 'program' | number

export type FinalOutput = readonly [
  what: string,
  end: number | NodeJS.Signals,
  output: readonly Line[],
  expected: Expected,
  errors?: string,
]

/** What outputs of a program are put together from. */
export interface OutputParts {
  readonly begin: readonly Line[]
  readonly says: (words: string) => Line
  readonly toolPrinted: readonly ((words: string) => Line)[]
  readonly done: (words: string) => Line
  /** Ends that are no refusal of its service, one that only the person can help with, and those that a later try may change. */
  readonly failures: readonly (readonly Line[])[]
  readonly wantsPerson: readonly Line[]
  readonly refusals: readonly (readonly Line[])[]
}

/** When they are read. */
export const NOW = Date.UTC(2026, 10, 28, 14, 45)
export const inSeconds = (seconds: number): number => NOW + seconds * 1000

/** What compilers, tests, logs and agents print of numbers, limits and lines that are none of their service's. */
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
