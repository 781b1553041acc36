/** Runs once after the current task's work, however often it was called in it. */
export function coalesced(run: () => void): () => void {
  let isDue = false
  return () => {
    if (isDue) return
    isDue = true
    queueMicrotask(() => {
      isDue = false
      run()
    })
  }
}
