/** Ends with a worker of Vitest what all its test files use. */

const ends = new Set<() => void>()
let isWatching = false

/**
 * Calls a function once, however often it was given, when the worker ends. It has to be done at once: Vitest ends a worker with SIGTERM, and kills it half a second later.
 * @returns takes it back
 */
export function atWorkerEnd(end: () => void): () => void {
  if (!isWatching) {
    isWatching = true
    process.once('exit', endAll)
    // Before Playwright’s own, which would wait for what it started.
    process.prependOnceListener('SIGTERM', endWorker)
  }
  ends.add(end)
  return () => void ends.delete(end)
}

function endAll(): void {
  for (const end of ends) end()
  ends.clear()
}

/** Vitest lets no test exit the process of a worker. */
function endWorker(): void {
  endAll()
  process.kill(process.pid, 'SIGKILL')
}
