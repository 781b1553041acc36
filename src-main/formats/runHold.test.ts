import { describe, expect, it } from 'vitest'
import { batchesIn, HOLD, ofBatches, raisedCeilings, runHold, type RunHold } from '@shared/runHold'
import { runFiles, type Texts } from '../../test/support/actions'
import type { Format } from './format'
import { maestro } from './maestro/format'
import { metashell } from './metashell/format'
import { ncrew } from './ncrew/format'

const ceiling = { scope: 'day', measure: 'cost', limit: 5, day: '2026-11-23' } as const
const holds: Readonly<Record<string, RunHold>> = {
  ceiling: { kind: 'ceiling', message: 'Cost limit of today reached.', since: 7, ceiling },
  breaker: { kind: 'no-progress', message: 'No progress.', since: 7 },
}
const session = { sessionId: 's', status: 'executing', currentPhase: 1, gapCount: 0, variables: {} }
const projects: Readonly<Record<'metashell' | 'ncrew' | 'maestro', readonly [Format, Texts]>> = {
  metashell: [metashell, { '.meta/context.md': '# Project: One\n', '.meta/session.json': JSON.stringify(session) }],
  ncrew: [
    ncrew,
    { 'tasks.md': '# Tasks\n\n## Discovery Phase\n- [ ] a\n', '.noodlecrew/manifest.yml': 'phases: []\n' },
  ],
  maestro: [
    maestro,
    { '.gemini/state/active-session.md': '---\nsession_id: 2026-03-02-a\nstatus: in_progress\nphases: []\n---\n' },
  ],
}

describe.each(['metashell', 'ncrew', 'maestro'] as const)('a run of %s that Bridgedeck does not continue', (system) => {
  const [format, texts] = projects[system]
  const held = (hold: RunHold | undefined) =>
    runFiles(format, texts, new Map(hold ? [[HOLD, JSON.stringify(hold)]] : []))
  const answer = (hold: RunHold | undefined, name: string, values = {}) =>
    format.plan(held(hold), { name, target: '', values, now: 9 }).remember ?? {}

  it('needs the person, and offers what answers that need', () => {
    const files = held(holds['ceiling'])
    const [need] = format.read(files)?.view.needs.slice(-1) ?? []
    expect(need).toMatchObject({ kind: 'limit', title: 'Cost limit of today reached.', since: { value: 7 } })
    const offer = format.actions(files).find(({ name }) => name === 'raise-limit')
    expect(offer).toMatchObject({ answersNeed: true, source: need?.source, fields: [{ value: 10, minimum: 5.01 }] })
    expect(format.read(held(undefined))?.view.needs).toEqual([])
    expect(format.actions(held(undefined)).map(({ name }) => name)).not.toContain('raise-limit')
  })

  it('may use more once its limit is raised', () => {
    const remembered = answer(holds['ceiling'], 'raise-limit', { limit: 8 })
    const after = new Map(Object.entries(remembered).flatMap(([key, value]) => (value === null ? [] : [[key, value]])))
    expect(remembered[HOLD]).toBeNull()
    expect(runHold(after)).toBeUndefined()
    expect(raisedCeilings(after)).toEqual([{ ...ceiling, limit: 8 }])
    expect(() => answer(holds['ceiling'], 'raise-limit', { limit: 5 })).toThrow(/New limit/)
  })

  it('goes on once it may continue', () => {
    expect(answer(holds['breaker'], 'continue-run')).toEqual({ [HOLD]: null })
  })
})

describe.each([
  ['a session', projects.maestro[1]],
  ['a folder without a session', { '.gemini/parallel/one/prompts/coder.md': 'Work.' }],
])('batches of Maestro at a limit, shown by %s', (_what, texts: Texts) => {
  const held = runFiles(maestro, texts, new Map([[ofBatches(HOLD), JSON.stringify(holds['ceiling'])]]))

  it('need the person, while the run itself is not held', () => {
    const view = maestro.read(held)?.view
    expect(view?.needs).toMatchObject([{ kind: 'limit', title: 'Cost limit of today reached.' }])
    expect(view?.state.value).toBe('waiting')
    expect(runHold(held.remembered)).toBeUndefined()
  })

  it('go on once they may, after an agent took work of others away', () => {
    const lost = { kind: 'lost-commits', message: 'The git repository is gone.', since: 7 }
    const files = runFiles(maestro, texts, new Map([[ofBatches(HOLD), JSON.stringify(lost)]]))
    expect(maestro.read(files)?.view.needs).toMatchObject([{ kind: 'failure', title: lost.message }])
    const { remember } = maestro.plan(files, { name: 'continue-run', target: 'batches', values: {}, now: 9 })
    expect(remember).toEqual({ [ofBatches(HOLD)]: null })
  })

  it('may use more once their limit is raised, the run itself as much as before', () => {
    const [offer] = maestro.actions(held).filter(({ name }) => name === 'raise-limit')
    expect(offer).toMatchObject({
      target: 'batches',
      answersNeed: true,
      source: maestro.read(held)?.view.needs[0]?.source,
    })
    const request = { name: 'raise-limit', target: 'batches', values: { limit: 8 }, now: 9 }
    const { remember = {} } = maestro.plan(held, request)
    const after = new Map(Object.entries(remember).flatMap(([key, value]) => (value === null ? [] : [[key, value]])))
    expect(remember[ofBatches(HOLD)]).toBeNull()
    expect(raisedCeilings(batchesIn(after))).toEqual([{ ...ceiling, limit: 8 }])
    expect(raisedCeilings(after)).toEqual([])
  })
})
