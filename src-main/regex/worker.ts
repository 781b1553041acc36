/** The worker thread that runs regular expressions of others: one that never ends costs this thread only. */
import { parentPort } from 'node:worker_threads'

parentPort?.on('message', ({ pattern, flags, text }: { pattern: string; flags: string; text: string }) => {
  parentPort?.postMessage(search(pattern, flags, text))
})
parentPort?.postMessage({ ready: true })

function search(pattern: string, flags: string, text: string): object {
  try {
    const found = new RegExp(pattern, flags).exec(text)
    return { found: found && { index: found.index, text: found[0] } }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}
