import { expect, it } from 'vitest'
import { HOLD, type RunHold } from '@shared/runHold'
import { tuningStatus } from './tuningStatus'

it('names what holds a run, in place of its next step', async () => {
  const hold: RunHold = { kind: 'no-progress', message: 'No progress: 3 turns in a row.', since: 1 }
  const nextOf = async (remembered: ReadonlyMap<string, string>) =>
    (await tuningStatus('resources/sample-project', () => () => remembered, new AbortController().signal)).runs[0]?.next
  expect(await nextOf(new Map())).not.toContain('No progress')
  expect(await nextOf(new Map([[HOLD, JSON.stringify(hold)]]))).toBe(
    'No progress: 3 turns in a row. Let it continue in the inbox or with project answer, then resume it.',
  )
})
