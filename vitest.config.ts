import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

const alias = { '@shared': resolve('src-shared') }

/** What a test waits for may take long on a busy machine; the time is no part of what is tested. */
const patient = { testTimeout: 180_000, hookTimeout: 180_000, expect: { poll: { timeout: 30_000 } } }

/** Tests that share a machine's two cores with VICE or Electron run one file at a time. */
const oneAtATime = { fileParallelism: false, ...patient }

/** No test, and no program that one starts, reads or writes the tasks of whoever runs it. */
const env = { C64_TASK_STATE_FILE: resolve('out/test-tasks/tasks.json') }

export default defineConfig({
  test: {
    env,
    projects: [
      {
        resolve: { alias },
        test: { name: 'unit', include: ['src-*/**/*.test.{ts,tsx}', 'scripts/**/*.test.{ts,mjs}'], ...patient },
      },
      // A few of the cases that `npm run fuzz` tries.
      { resolve: { alias }, test: { name: 'fuzz', include: ['test/fuzz/**/*.test.ts'], ...patient } },
      { resolve: { alias }, test: { name: 'integration', include: ['test/integration/**/*.test.ts'], ...patient } },
      { resolve: { alias }, test: { name: 'vice', include: ['test/vice/**/*.test.ts'], ...oneAtATime } },
      { resolve: { alias }, test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'], ...oneAtATime } },
    ],
  },
})
