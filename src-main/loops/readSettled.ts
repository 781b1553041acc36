import { setTimeout as wait } from 'node:timers/promises'

/** How long a file that another program is writing may take to become whole. */
const WRITE_WAIT_MS = 500
const WRITE_RETRY_MS = 50

/** Reads again for half a second while the files look half written. @returns the last reading, whole or not */
export async function readSettled<T>(
  read: () => Promise<T>,
  isWhole: (reading: T) => boolean,
  signal?: AbortSignal,
): Promise<T> {
  const deadline = performance.now() + WRITE_WAIT_MS
  for (;;) {
    const reading = await read()
    if (isWhole(reading) || performance.now() > deadline) return reading
    await wait(WRITE_RETRY_MS, undefined, { signal })
  }
}
