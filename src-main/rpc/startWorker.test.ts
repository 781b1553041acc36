import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WorkerOptions } from 'node:worker_threads'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { AppError } from '@shared/contract/errors'
import { defineProtocol } from './protocol'
import { startWorker, YOUNG_GENERATION_MB } from './startWorker'

interface LimitsChannel {
  readonly requests: { limits(input: Record<string, never>): Record<string, number> }
  readonly posts: Record<string, never>
  readonly notices: Record<string, never>
}
const protocol = defineProtocol<LimitsChannel>('The limits')

let folder: string
let program: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-worker-'))
  program = join(folder, 'limits.mjs')
  writeFileSync(
    program,
    `import { parentPort, resourceLimits } from 'node:worker_threads'
     parentPort.on('message', ({ id }) => parentPort.postMessage({ kind: 'reply', id, result: { ok: true, data: resourceLimits } }))`,
  )
})
afterAll(() => rmSync(folder, { recursive: true }))

it('collects the garbage of every worker before it is much, beside what a worker is limited to', async () => {
  const limitsOf = async (workerOptions?: WorkerOptions): Promise<Record<string, number>> => {
    const worker = startWorker(protocol, program, { notices: {}, ...(workerOptions ? { workerOptions } : {}) })
    const limits = await worker.call('limits', {})
    await worker.end(new AppError('CANCELLED', 'The test has ended.'))
    return limits
  }
  expect(await limitsOf()).toMatchObject({ maxYoungGenerationSizeMb: YOUNG_GENERATION_MB })
  expect(await limitsOf({ resourceLimits: { maxOldGenerationSizeMb: 64 } })).toMatchObject({
    maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
    maxOldGenerationSizeMb: 64,
  })
})
