/** Required by a process under measurement: every thread of it writes what it holds, a line of JSON at a time, to $MEMORY_PROBE. */
const { appendFileSync } = require('node:fs')
const { basename } = require('node:path')
const { isMainThread, threadId } = require('node:worker_threads')

const SAMPLE_PERIOD_MS = 5_000

const { MEMORY_PROBE: file } = process.env
if (file !== undefined) {
  setInterval(() => {
    const { rss, heapTotal, heapUsed, external, arrayBuffers } = process.memoryUsage()
    const name = basename(process.argv[1] ?? 'unknown')
    const held = { heapTotal, heapUsed, external, arrayBuffers }
    const line = { time: Date.now(), thread: threadId, name, ...(isMainThread ? { rss } : {}), ...held }
    appendFileSync(file, `${JSON.stringify(line)}\n`)
  }, SAMPLE_PERIOD_MS).unref()
}
