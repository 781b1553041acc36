import { setTimeout as wait } from 'node:timers/promises'

const WRITE_WAIT_MS = 500
const WRITE_RETRY_MS = 50

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
