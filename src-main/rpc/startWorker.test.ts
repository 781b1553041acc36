import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
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
interface LoadingChannel {
  readonly requests: Record<string, never>
  readonly posts: Record<string, never>
  readonly notices: { loading: unknown }
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

it('lets a worker that loads a native addon end itself, as to terminate it meanwhile would end the process', async () => {
  const loading = join(folder, 'loading.mjs')
  const addon = JSON.stringify(createRequire(import.meta.url).resolve('better-sqlite3'))
  writeFileSync(
    loading,
    `import { createRequire } from 'node:module'
     import { parentPort } from 'node:worker_threads'
     parentPort.on('message', ({ kind }) => kind === 'end' && process.exit())
     parentPort.postMessage({ kind: 'notice', name: 'loading' })
     new (createRequire(import.meta.url)(${addon}))(':memory:')`,
  )
  const notices = defineProtocol<LoadingChannel>('Loading')
  for (let worker = 0; worker < 40; worker++) {
    let isLoading: (payload: unknown) => void = () => undefined
    const begun = new Promise((resolve) => (isLoading = resolve))
    const running = startWorker(notices, loading, { notices: { loading: isLoading }, endsItself: true })
    await begun
    await running.end(new AppError('CANCELLED', 'The test has ended.'))
  }
})

it('terminates a worker that does not end itself', async () => {
  const busy = join(folder, 'busy.mjs')
  writeFileSync(busy, 'for (;;);')
  const running = startWorker(protocol, busy, { notices: {}, endsItself: true })
  await running.end(new AppError('CANCELLED', 'The test has ended.'))
  await expect(running.call('limits', {})).rejects.toMatchObject({ code: 'CANCELLED' })
})

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
