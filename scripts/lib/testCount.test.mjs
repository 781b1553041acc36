import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

it('counts every outcome, with a suite or file that could not start as a failure, and lists the slowest', () => {
  const root = resolve(import.meta.dirname, '../..')
  const folder = mkdtempSync(join(tmpdir(), 'bridgedeck-count-'))
  try {
    const file = join(folder, 'count.json')
    const args = [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      `--reporter=${join(root, 'scripts/lib/testCount.mjs')}`,
    ]
    const { VITEST: _ours, ...environment } = process.env
    const { status } = spawnSync(process.execPath, args, {
      cwd: join(root, 'test/fixtures/testCount'),
      env: { ...environment, BRIDGEDECK_TEST_COUNT: file },
    })
    expect(status).toBe(1)
    const { files, errors, slowest } = JSON.parse(readFileSync(file, 'utf8'))
    const shown = ({ name, reason, text }) => ({ name, reason, isTold: text.includes(reason) })
    const outcomes = files.toSorted((a, b) => (a.file < b.file ? -1 : 1))
    expect(outcomes.map((outcome) => ({ ...outcome, failed: outcome.failed.map(shown) }))).toEqual([
      {
        project: '',
        file: 'outcomes.sample.mjs',
        passed: 1,
        seconds: expect.any(Number),
        failed: [
          { name: 'outcomes.sample.mjs > a suite', reason: 'The suite cannot start.', isTold: true },
          { name: 'outcomes.sample.mjs > fails', reason: 'expected 1 to be 2 // Object.is equality', isTold: true },
        ],
        skipped: [
          { name: 'is skipped' },
          { name: 'is skipped with a reason', reason: 'the reason' },
          { name: 'a suite > never runs', reason: 'what stands around it failed' },
        ],
      },
      {
        project: '',
        file: 'unreadable.sample.mjs',
        passed: 0,
        seconds: expect.any(Number),
        failed: [{ name: 'unreadable.sample.mjs', reason: 'This file cannot be loaded.', isTold: true }],
        skipped: [],
      },
    ])
    expect(errors).toEqual([])
    expect(slowest).toHaveLength(5)
    expect(slowest).toContainEqual({ file: 'outcomes.sample.mjs', name: 'passes', seconds: expect.any(Number) })
    const seconds = slowest.map((test) => test.seconds)
    expect(seconds).toEqual(seconds.toSorted((a, b) => b - a))
  } finally {
    rmSync(folder, { recursive: true })
  }
})
