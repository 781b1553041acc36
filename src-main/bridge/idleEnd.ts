const TICK_MS = 500

/** A caller that ends and one that starts next should find the same machine. */
const IDLE_TICKS = 4

/** For whoever started the bridge to connect and start its task. */
const FIRST_IDLE_TICKS = 30

/** Calls `end` once nothing is busy any more; returns a function that stops checking. */
export function endWhenIdle(isBusy: () => boolean, end: () => void): () => void {
  let left = FIRST_IDLE_TICKS
  const timer = setInterval(() => {
    left = isBusy() ? IDLE_TICKS : left - 1
    if (left > 0) return
    clearInterval(timer)
    end()
  }, TICK_MS)
  return () => clearInterval(timer)
}
