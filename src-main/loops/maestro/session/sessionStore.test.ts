import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { maestro } from '../../../formats/maestro/format'
import { planChanges } from '../../../formats/maestro/session/phaseChange'
import { createSession } from './createSession'
import { modifiedIn, resumePoint } from './resumePoint'
import { SessionStore } from './sessionStore'

let root: string
let store: SessionStore
const stateDir = '.gemini'
const file = '.gemini/state/active-session.md'
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'bridgedeck-session-')))
  store = new SessionStore({ root, stateDir, signal: new AbortController().signal })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const phases = ['Reader: coder', 'Notes: technical_writer']
const create = (more: Partial<Parameters<typeof createSession>[0]> = {}) =>
  createSession({ root, stateDir, task: 'Tapes', phases, now: Date.parse('2026-03-02T10:00:00Z'), ...more })
const text = () => readFileSync(join(root, file), 'utf8')
const start = (phase: string) =>
  store.change((run, values) => planChanges(run, [{ phase, status: 'in_progress' }], [], values))

describe('a session on the disk', () => {
  it('is made for its owner alone, once', async () => {
    expect(await create()).toEqual({ id: '2026-03-02-tapes', file })
    if (process.platform !== 'win32') expect(statSync(join(root, file)).mode & 0o777).toBe(0o600)
    await expect(create()).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('is not made from a plan outside the project, nor while a design waits', async () => {
    await expect(create({ plan: '/etc/hosts' })).rejects.toMatchObject({ code: 'INVALID' })
    writeFileSync(
      join(root, '.gemini/state/x.design-gate.json'),
      '{"session_id":"x","entered_at":"2026-03-02T09:00:00Z","approved_at":null,"design_document_path":null}',
    )
    await expect(create()).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(existsSync(join(root, file))).toBe(false)
  })

  it('keeps two changes that are made at once', async () => {
    await create()
    await Promise.all([start('1'), start('2')])
    expect(text().match(/status: "in_progress"/g)).toHaveLength(3)
  })

  it('says where there is none', async () => {
    await expect(store.read()).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it.skipIf(process.platform === 'win32')('is not written through a link', async () => {
    await create()
    writeFileSync(join(root, 'elsewhere.md'), text())
    rmSync(join(root, file))
    symlinkSync(join(root, 'elsewhere.md'), join(root, file))
    await expect(start('1')).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  it('is archived as it is, with mode and all', async () => {
    await create()
    const { plan } = await store.change((run, { now }) =>
      maestro.plan(run.files, { name: 'archive', target: '', values: {}, now }),
    )
    expect(plan.summary).toContain('2026-03-02-tapes')
    expect(await store.exists()).toBe(false)
    expect(existsSync(join(root, '.gemini/state/archive/2026-03-02-tapes.md'))).toBe(true)
    expect((await create()).id).toBe('2026-03-02-tapes-2')
  })
})

describe('going on with a session', () => {
  it('names the next phase, and first what to look at', async () => {
    writeFileSync(
      join(root, 'plan.md'),
      '| Phase | Agent |\n|---|---|\n| 1 Reader | coder |\n| 2 Notes | technical_writer |\n',
    )
    await create({ phases: [], plan: join(root, 'plan.md') })
    await store.change((run, values) =>
      planChanges(run, [{ phase: '1', status: 'in_progress', files: { created: ['tape.asm'] } }], [], values),
    )
    await store.change((run, values) =>
      planChanges(
        run,
        [{ phase: '1', status: 'failed', errors: [{ agent: 'coder', type: 'runtime', message: 'no tape' }] }],
        [],
        values,
      ),
    )
    writeFileSync(join(root, 'tape.asm'), '')
    const later = Date.now() / 1000 + 60
    for (const name of ['tape.asm', 'plan.md']) utimesSync(join(root, name), later, later)
    expect(await resumePoint(await store.read(), modifiedIn(root), '')).toEqual({
      lastCompleted: null,
      next: 'phase 2 (Notes)',
      notes: [
        'Open error in phase 1 (Reader): no tape',
        'plan.md changed since the session was last written.',
        'tape.asm changed since the session was last written.',
      ],
    })
  })
})
