/** Specification 004, State Transition Diagram and State Update Rules, as Bridgedeck's own loop keeps to them on real files. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LoopOptions } from '@shared/contract/loopOptions'
import { initialStateSchema, startedStateSchema } from '../../src-main/formats/tuning/schema'
import { planStep } from '../../src-main/formats/tuning/actions/steps'
import { runTuning } from '../../src-main/loops/tuning/runTuning'
import { TuningFiles } from '../../src-main/loops/tuning/tuningFiles'
import { TuningFolder } from '../support/tuningFolder'

let at: TuningFolder
beforeEach(() => {
  at = new TuningFolder()
  at.put('skill/SKILL.md', '---\nname: notes\n---\n# Notes\n')
  for (const name of ['1', '2', '3']) at.put(`skill/phases/${name}.md`, '# Phase\n\n```js\nhistory.push(reply)\n```\n')
})
afterEach(() => at.remove())

const auto: LoopOptions<'tuning'> = { auto: true }

/** Takes steps until an action is completed; the first of its fixes is the only one that is chosen. */
async function until(action: string): Promise<void> {
  await at.begin()
  for (let steps = 0; !at.state().completed_actions.includes(action); steps++) {
    if (steps > 20) throw new Error(`${action} is not reached.`)
    await at.start({ ...auto, maxSteps: 1 })
    if (at.state().completed_actions.at(-1) === 'action-propose-fixes') change({ pending_fixes: ['FIX-1'] })
  }
}
const change = (fields: object) => at.put(at.stateFile, JSON.stringify({ ...at.state(), ...fields }, undefined, 2))

/** Actions of the next step, and the status after it. */
async function step(options: LoopOptions<'tuning'> = auto): Promise<string> {
  const before = at.state().completed_actions.length
  await at.start({ ...options, maxSteps: 1 })
  const { status, completed_actions } = at.state()
  return [...completed_actions.slice(before), status].join(' ')
}

const verified = 'action-verify'
const urgent = { quality_gate: 'fail' }

describe('State Transition Diagram', () => {
  it('pending, action-init: running', async () => {
    await at.begin()
    expect(at.state()).toMatchObject({ status: 'running', completed_actions: ['action-init'] })
  })

  it.each<[from: string, reached: string, fields: object, to: string]>([
    [
      'running, diagnosis actions: running',
      'action-init',
      {},
      'action-diagnose-context action-diagnose-memory action-diagnose-dataflow action-diagnose-agent action-generate-report running',
    ],
    ['diagnoses, no report of them: running', 'action-diagnose-agent', {}, 'action-propose-fixes running'],
    ['a pending fix, apply fix: running', 'action-propose-fixes', {}, 'action-apply-fix running'],
    ['an applied fix, action-verify: running', 'action-apply-fix', {}, 'action-verify running'],
    [
      'verified, a fix is pending, apply fix: running',
      verified,
      { pending_fixes: ['FIX-2'] },
      'action-apply-fix running',
    ],
    ['verified, quality gate=pass: completed', verified, { quality_gate: 'pass' }, 'action-complete completed'],
    ['verified, iterations left: iterate', verified, urgent, 'running'],
    [
      'verified, no iterations left: completed',
      verified,
      { ...urgent, max_iterations: 1 },
      'action-complete completed',
    ],
    ['running, error_count >= max_errors: failed', 'action-diagnose-agent', { error_count: 3 }, 'action-abort failed'],
    ['verified, error_count >= max_errors: failed', verified, { error_count: 3 }, 'action-abort failed'],
  ])('%s', async (_, reached, fields, to) => {
    await until(reached)
    change(fields)
    expect(await step()).toBe(to)
  })

  it('the next iteration diagnoses all areas again', async () => {
    await until(verified)
    change(urgent)
    await step()
    expect(at.state()).toMatchObject({
      iteration_count: 1,
      diagnosis: { context: null, memory: null, dataflow: null, agent: null },
    })
    expect(await step()).toMatch(/^action-diagnose-context .*running$/)
  })

  it.each(['completed', 'failed'])('%s: no way out', async (status) => {
    await until(verified)
    change({ status, quality_gate: 'pass' })
    const before = at.text(at.stateFile)
    await at.start(auto)
    expect(at.text(at.stateFile)).toBe(before)
  })
})

describe('State Update Rules', () => {
  it('Atomicity: whoever reads at any moment reads a whole state', async () => {
    await at.begin()
    const ended = new AbortController()
    let reads = 0
    const reader = (async () => {
      for (; !ended.signal.aborted; reads++) {
        startedStateSchema.parse(JSON.parse(readFileSync(join(at.root, at.stateFile), 'utf8')))
        await new Promise((resolve) => setImmediate(resolve))
      }
    })()
    await at.start(auto)
    ended.abort()
    await reader
    expect([at.state().status, reads > 10]).toEqual(['completed', true])
  })

  it('Atomicity: a change is made on the state as it is, not on one that was read before', async () => {
    await at.begin()
    let isMeddled = false
    await runTuning(
      at.work(auto, ({ file }) => {
        if (isMeddled || file !== at.stateFile) return
        isMeddled = true
        change({ user_issue_description: 'Said meanwhile' })
      }),
    )
    expect(at.state()).toMatchObject({ status: 'completed', user_issue_description: 'Said meanwhile' })
  })

  it('Immutability: planning an action changes nothing of what was read', async () => {
    await at.begin()
    const step = { name: 'diagnose', target: '' } as const
    const files = await new TuningFiles(at.work({}), () => undefined).read(step)
    const texts = [...files.files.values()].map((file) => Object.freeze(file).text)
    const first = planStep(files, step, { now: 5, startedAt: 5 })
    expect([...files.files.values()].map(({ text }) => text)).toEqual(texts)
    expect(planStep(files, step, { now: 5, startedAt: 5 }).changes.map(({ file }) => file)).toEqual(
      first.changes.map(({ file }) => file),
    )
  })

  it('Validation: a state that would break the schema is not written', async () => {
    await at.begin()
    const step = { name: 'apply-fix', target: 'FIX-1' } as const
    change({
      pending_fixes: ['FIX-1'],
      proposed_fixes: [{ ...fix, changes: [{ file: 'phases/1.md', action: 'modify', new_content: 'x' }] }],
    })
    const files = await new TuningFiles(at.work({}), () => undefined).read(step)
    expect(() => planStep(files, step, { now: Date.UTC(20_000, 0), startedAt: 5 })).toThrow(
      'would break specification 004',
    )
    expect(at.state().applied_fixes).toEqual([])
  })

  it('Validation: every state of a run is valid, the first one included', async () => {
    await at.begin()
    initialStateSchema.parse(at.state())
    await at.start(auto)
    expect(at.written.length).toBeGreaterThan(10)
    for (const text of at.written) startedStateSchema.parse(JSON.parse(text))
  })

  it('Timestamps: updated_at is set by every change, and never goes back', async () => {
    await at.begin()
    const before = Date.now()
    const first = Date.parse(at.text(at.stateFile).match(/"updated_at": "([^"]+)"/)?.[1] ?? '')
    await at.start(auto)
    const times = at.written.map((text) => Date.parse(/"updated_at": "([^"]+)"/.exec(text)?.[1] ?? ''))
    expect([first, ...times]).toEqual([first, ...times].toSorted((one, other) => one - other))
    expect(times[0]).toBeGreaterThanOrEqual(before)
  })
})

const fix = {
  id: 'FIX-1',
  issue_ids: [],
  strategy: 'custom',
  description: 'd',
  rationale: 'r',
  risk: 'low',
  estimated_impact: 'i',
  verification_steps: [],
}
