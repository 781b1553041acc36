import { describe, expect, it } from 'vitest'
import type { OpenRun } from './watch/openRun'
import { unknown } from '../formats/run'
import { search } from './search'

describe('a search', () => {
  it('that nobody waits for any more ends within the run that it is at', async () => {
    const controller = new AbortController()
    const keys = Array.from({ length: 1_000 }, (_, run) => `tuning:${String(run).padStart(4, '0')}`)
    const asked: string[] = []
    const nothing = {
      view: { title: unknown(), phases: [], needs: [], errors: [] },
      files: new Map(),
    } as unknown as OpenRun
    const run = (key: string): OpenRun => {
      asked.push(key)
      if (asked.length === 3) setImmediate(() => controller.abort(new Error('typed on')))
      // Slow enough for each to be a turn of its own.
      for (const end = performance.now() + 25; performance.now() < end;);
      return nothing
    }
    await expect(search(new Map([[1, { keys, run }]]), 'x', null, controller.signal)).rejects.toThrow('typed on')
    expect(asked.length).toBeLessThan(10)
  })
})
