export interface Limits {
  readonly bodyBytes: number
  readonly connections: number
  readonly strangers: number
  readonly strangersOfOne: number
  readonly requests: number
  readonly requestsOfOne: number
  readonly sessions: number
  readonly callers: number
  readonly sockets: number
  /** ms after which an unused session or caller is closed. */
  readonly idleMs: number
  /** ms for the headers of a request. */
  readonly headersMs: number
  /** ms for a whole request to arrive. */
  readonly requestMs: number
  /** ms in which a reader takes none of the waiting data. */
  readonly stalledMs: number
}

/** The bridge takes 64 clients: these limits leave places for the window and the command line. */
export const usualLimits: Limits = {
  bodyBytes: 1024 * 1024,
  connections: 128,
  strangers: 96,
  strangersOfOne: 64,
  requests: 64,
  requestsOfOne: 16,
  sessions: 20,
  callers: 12,
  sockets: 12,
  idleMs: 10 * 60_000,
  headersMs: 10_000,
  requestMs: 30_000,
  stalledMs: 30_000,
}
