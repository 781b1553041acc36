import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { FileOrder } from './scripts/lib/fileOrder.mjs'

const alias = { '@shared': resolve('src-shared') }

const ownTasks = resolve('test/support/ownTasks.ts')
const fixedSeed = resolve('test/support/fixedSeed.ts')
const endedCalls = resolve('test/support/endedCalls.ts')
const ownDisplay = resolve('test/support/ownDisplay.ts')
/** First, so that its last look comes after all that the others put away. */
const measured = process.env['BRIDGEDECK_MEASURED'] ? [resolve('test/support/measured.ts')] : []

/** What a test waits for may take long on a busy machine; the time is no part of what is tested. */
const shared = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
  setupFiles: [...measured, fixedSeed, ownTasks, endedCalls],
  globalSetup: [resolve('test/support/build.ts')],
  // A worker has all modules, a display and a window for file after file.
  isolate: false,
}

export default defineConfig({
  test: {
    // More than the cores of a small machine: most tests wait for other programs. Those of the window are fewer in `npm test`.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: { sequencer: FileOrder },
    projects: [
      {
        resolve: { alias },
        test: {
          ...shared,
          name: 'unit',
          include: ['src-*/**/*.test.{ts,tsx}', 'scripts/**/*.test.{ts,mjs}'],
        },
      },
      // A few of the cases that `npm run fuzz` tries.
      { resolve: { alias }, test: { ...shared, name: 'fuzz', include: ['test/fuzz/**/*.test.ts'] } },
      { resolve: { alias }, test: { ...shared, name: 'integration', include: ['test/integration/**/*.test.ts'] } },
      // The real programs of agents: `npm run test:agents`.
      { resolve: { alias }, test: { ...shared, name: 'agents', include: ['test/agents/**/*.test.ts'] } },
      {
        resolve: { alias },
        test: {
          ...shared,
          name: 'vice',
          include: ['test/vice/**/*.test.ts'],
          setupFiles: [...measured, fixedSeed, ownTasks, endedCalls, ownDisplay],
        },
      },
      {
        resolve: { alias },
        test: {
          ...shared,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          setupFiles: [...measured, fixedSeed, ownTasks, endedCalls, ownDisplay],
        },
      },
    ],
  },
})
