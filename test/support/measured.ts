/** Vitest's set-up of each file in a run with `--report`: notes with each test and file what they cost. */
import { closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach } from 'vitest'
import type { Cost } from '../../scripts/lib/testReport.mjs'
import { processorSeconds } from '../../scripts/lib/processorTime.mjs'
import { atWorkerEnd } from './workerEnd'

declare module 'vitest' {
  interface TaskMeta {
    cost?: Cost
  }
}

const starts = join(tmpdir(), `bridgedeck-starts-${process.pid}`)
closeSync(openSync(starts, 'a'))
process.env['BRIDGEDECK_STARTS'] = starts
// What a file has started may go on in the next one of the worker.
atWorkerEnd(() => rmSync(starts, { force: true }))

/** Looks at the costs so far; returns what came since. */
function measure(): () => Cost {
  const began = performance.now()
  const { size } = statSync(starts)
  const processor = processorSeconds({ isAlone: size === 0 })
  return () => {
    const seconds = (performance.now() - began) / 1000
    const used = processorSeconds({ isAlone: statSync(starts).size === 0 }) - processor
    const started = readFileSync(starts).subarray(size).toString().split('\n').filter(Boolean)
    return { seconds, processor: used, waited: Math.max(0, seconds - used), starts: countEach(started) }
  }
}

function countEach(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

const costOfFile = measure()
let costOfTest = costOfFile
beforeEach(() => {
  costOfTest = measure()
})
afterEach(({ task }) => {
  task.meta.cost = costOfTest()
})
afterAll(({}, suite) => {
  suite.meta.cost = costOfFile()
})
