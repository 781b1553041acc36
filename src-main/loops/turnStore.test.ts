import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { TurnStore } from './turnStore'

let own: string
const values = new Map<string, string>()
const remembered = {
  get: (name: string) => values.get(name),
  set: (changes: Readonly<Record<string, string | null>>) => {
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) values.delete(name)
      else values.set(name, value)
    }
  },
}
const store = () => new TurnStore({ own, remembered }, z.object({ task: z.string() }))

beforeEach(() => {
  own = mkdtempSync(join(tmpdir(), 'bridgedeck-turns-'))
  values.clear()
})
afterEach(() => rmSync(own, { recursive: true }))

describe('the turns of a run', () => {
  it('leave a note until they are over, which the next start finds', () => {
    expect(store().note).toBeUndefined()
    store().begin({ task: '02' })
    expect(store().note).toEqual({ task: '02' })
    store().end({ 'gate:design': 'reached' })
    expect(store().note).toBeUndefined()
    expect([...values]).toEqual([['gate:design', 'reached']])
  })

  it.each(['{', '{"task":2}', 'null'])('have no note that cannot be read: %s', (text) => {
    values.set('turn', text)
    expect(store().note).toBeUndefined()
  })

  it('keep their prompts in order over several starts, for their owner alone', async () => {
    const first = store()
    await first.keepPrompt('planner', 'Plan.')
    await first.keepPrompt('executor-01', 'Do.')
    await store().keepPrompt('verifier', 'Verify.')
    const folder = join(own, 'prompts')
    expect(readdirSync(folder).sort()).toEqual(['000001-planner.md', '000002-executor-01.md', '000003-verifier.md'])
    expect(readFileSync(join(folder, '000002-executor-01.md'), 'utf8')).toBe('Do.')
    if (process.platform !== 'win32') expect(statSync(join(folder, '000001-planner.md')).mode & 0o777).toBe(0o600)
  })

  it('keep the newest five hundred prompts', async () => {
    const turns = store()
    for (let turn = 0; turn < 502; turn++) await turns.keepPrompt('executor', '')
    const names = readdirSync(join(own, 'prompts')).sort()
    expect(names).toHaveLength(500)
    expect(names[0]).toBe('000003-executor.md')
  })
})
