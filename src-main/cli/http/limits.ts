/** What one client, and all of them together, may ask of the server. */
export interface Limits {
  readonly bodyBytes: number
  /** Of those that have shown the token. */
  readonly connections: number
  /** Connections that have not shown the token yet, of all addresses and of one; the oldest goes for a new one. */
  readonly strangers: number
  readonly strangersOfOne: number
  /** Requests at once. */
  readonly requests: number
  readonly requestsOfOne: number
  /** Of agents, by the Model Context Protocol. */
  readonly sessions: number
  /** Scripts, by their names. */
  readonly callers: number
  readonly sockets: number
  /** After which time a session or caller that nobody uses is closed, ms. */
  readonly idleMs: number
  /** How long the headers of a request may take, ms. */
  readonly headersMs: number
  /** How long a whole request may take to arrive, ms. */
  readonly requestMs: number
  /** How long a reader may take none of what waits for it, ms. */
  readonly stalledMs: number
}

/** The bridge takes 64 clients: with these the window and the command line always find a place. */
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
