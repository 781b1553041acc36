import { vi } from 'vitest'

/** Waits until a check passes, for what may take long on a busy machine. */
export const soon = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 60_000, interval: 50 })
