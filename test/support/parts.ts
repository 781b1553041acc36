/**
 * Which parts of the system the tests can do without. `npm test` says in BRIDGEDECK_MISSING what it could not provide;
 * a test that needs it is skipped, and the summary lists it with the reason.
 */
export type Part = 'electron' | 'xvfb' | 'vice' | 'socat'

const missing = new Set((process.env.BRIDGEDECK_MISSING ?? '').split(',').filter((part) => part !== ''))

/** For `describe.skipIf(lacks('vice', 'xvfb'))`. */
export const lacks = (...parts: Part[]): boolean => parts.some((part) => missing.has(part))
