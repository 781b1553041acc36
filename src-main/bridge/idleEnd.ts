const TICK_MS = 500

/** A caller that starts right after another ended should find the same machine. */
const IDLE_TICKS = 4

const FIRST_IDLE_TICKS = 30

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
