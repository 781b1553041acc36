import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { UncountedRuns } from './uncountedRuns'

let own: string
beforeEach(() => (own = mkdtempSync(join(tmpdir(), 'bridgedeck-uncounted-'))))
afterEach(() => rmSync(own, { recursive: true }))

const remembered = () => {
  const kept = new Map<string, string>()
  return {
    get: (name: string) => kept.get(name),
    set: (changes: Readonly<Record<string, string | null>>) => {
      for (const [name, value] of Object.entries(changes)) {
        if (value === null) kept.delete(name)
        else kept.set(name, value)
      }
    },
  }
}
/** Runs by what each has printed; one that was stopped has nothing. */
const printed: Readonly<Record<string, number>> = { refused: 10, killed: 20, last: 40 }

function countedBy(memory: ReturnType<typeof remembered>): UncountedRuns {
  return new UncountedRuns({
    own,
    remembered: memory,
    adopt: async (_role, run, request) => {
      const tokens = printed[run]
      if (tokens === undefined || !request?.copies) return null
      const usage = { input_tokens: tokens, output_tokens: 1 }
      writeFileSync(request.copies.output, `${JSON.stringify({ type: 'turn.completed', usage })}\n`)
      return null
    },
  })
}

it('Each run of an agent is counted once, also tries that came to nothing and those of an earlier host', async () => {
  const memory = remembered()
  const before = countedBy(memory)
  before.add('coder', 'refused')
  before.add('coder', 'killed')
  const now = countedBy(memory)
  now.add('coder', 'killed')
  now.add('tester', 'stopped')
  now.add('coder', 'last')
  expect((await now.tokens()).map(({ agent, input }) => [agent, input])).toEqual([
    ['coder', 10],
    ['coder', 20],
    ['tester', null],
    ['coder', 40],
  ])
})

it('What the session’s file has counts no more', async () => {
  const memory = remembered()
  countedBy(memory).add('coder', 'last')
  memory.set(UncountedRuns.counted)
  expect(await countedBy(memory).tokens()).toEqual([])
})
