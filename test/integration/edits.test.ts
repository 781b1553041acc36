/** What a person changes in runs that agents write too, on real files. */
import { chmod, cp, mkdtemp, open as openFile, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Payload } from '@shared/contract/contract'
import { editsEvents, type EditRequest, type EditValues } from '@shared/contract/edits'
import type { Projects } from '../../src-main/projects/projects'
import { openDatabase, type Database } from '../../src-main/storage/database'
import { SidecarStore } from '../../src-main/storage/sidecar'
import { projectsHere } from '../support/projectWorkerHere'
import { soon } from '../support/soon'

const RUN = 'ncrew:tape-archive/.noodlecrew'
const QUESTION = 'tape-archive/questions/software-architect-002-levels.md'

let folder: string
let root: string
let database: Database
let overwritten: Payload<'projects.overwritten'>[]
const opened: Projects[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-edits-'))
  root = join(folder, 'project')
  await cp('resources/sample-project', root, { recursive: true })
  database = openDatabase(join(folder, 'bridgedeck.sqlite'))
  overwritten = []
})
afterEach(async () => {
  for (const projects of opened.splice(0)) await projects.closeAll()
  database.close()
  await rm(folder, { recursive: true })
})

async function open() {
  const projects = projectsHere(database, {
    onOverwritten: (event) => overwritten.push(editsEvents['projects.overwritten'].parse(event)),
  })
  opened.push(projects)
  const { project } = await projects.open(root)
  const at = { project, run: RUN }
  const edits = async () => (await projects.ask('projects.edits', at)).edits
  return {
    projects,
    at,
    actions: async (target: string | null = null) =>
      (await projects.ask('projects.actions', { ...at, target })).actions,
    preview: (request: EditRequest) => projects.ask('projects.preview', { ...at, request }),
    write: (request: EditRequest, token: string) => projects.ask('projects.write', { ...at, request, token }),
    undo: (edit: number) => projects.ask('projects.undo', { project, edit }),
    list: edits,
    findings: async () => (await projects.ask('projects.run', at)).findings,
  }
}

const answer = (values: EditValues): EditRequest => ({ kind: 'action', name: 'answer', target: QUESTION, values })
const levels = answer({ decision: 'A', reason: 'It is what the tape has.' })
const ANSWERED = 'Answered “What counts as a good recording”'
const read = (file = QUESTION) => readFile(join(root, file), 'utf8')
const put = (text: string, file = QUESTION) => writeFile(join(root, file), text)
async function replace(text: string, file = QUESTION) {
  await put(text, `${file}.tmp`)
  await rename(join(root, `${file}.tmp`), join(root, file))
}

describe('an answer', () => {
  it('is offered where the question stands, shown as a difference, and written in its bytes alone', async () => {
    const { actions, preview, write } = await open()
    const [offered] = await actions(QUESTION)
    expect(offered).toMatchObject({ name: 'answer', target: QUESTION, answersNeed: true })
    const before = await read()
    const shown = await preview(levels)
    expect(await read()).toBe(before)
    expect(shown.files.map(({ file, kind }) => [file, kind])).toEqual([[QUESTION, 'changed']])
    const changed = shown.files.flatMap(({ hunks }) =>
      hunks.flatMap(({ lines }) => lines.filter((line) => !line.startsWith(' '))),
    )
    expect(await write(levels, shown.token)).toMatchObject({ outcome: 'written', summary: ANSWERED })
    const after = await read()
    expect(changed.filter((line) => line.startsWith('+')).map((line) => line.slice(1))).toEqual(
      after.split('\n').filter((line) => !before.split('\n').includes(line)),
    )
    expect(after).toContain('status: resolved')
    expect(after).toContain('**Decision:** A')
  })

  it('can be undone until it was, or another program changed the same place', async () => {
    const { projects, at, preview, write, undo, list } = await open()
    const undoable = async () => {
      const edits = (await list()).map(({ edit }) => edit)
      return (await projects.ask('projects.undoable', { project: at.project, edits: [...edits, 999] })).edits
    }
    await write(levels, (await preview(levels)).token)
    const [answered] = (await list()).map(({ edit }) => edit)
    expect(await undoable()).toEqual([answered])
    const text = await read()
    await replace(text.replace('**Decision:** A', '**Decision:** B'))
    expect(await undoable()).toEqual([])
    await replace(text)
    await undo(answered ?? 0)
    expect(await undoable()).not.toContain(answered)
  })

  it('stands in the journal as Bridgedeck’s, and what others write does not', async () => {
    const { projects, at, preview, write } = await open()
    const { token } = await preview(levels)
    await write(levels, token)
    const writers = async () => {
      const { entries } = await projects.ask('projects.journal', { ...at, before: null })
      return entries
        .filter(({ file, kind }) => file === QUESTION && kind === 'changed')
        .map(({ to, writer }) => [to, writer])
    }
    await soon(async () => expect(await writers()).toContainEqual(['resolved', 'bridgedeck']))
    await replace((await read()).replace('status: resolved', 'status: pending'))
    await soon(async () => expect(await writers()).toContainEqual(['pending', null]))
  })

  it('makes Bridgedeck the last writer of its run, also for a later start, until others write to it', async () => {
    const { projects, at, preview, write } = await open()
    const writer = async (of = projects) => (await of.ask('projects.run', at)).run.writtenBy
    expect(await writer()).toBeNull()
    await write(levels, (await preview(levels)).token)
    await soon(async () => expect(await writer()).toBe('bridgedeck'))
    await projects.closeAll()
    const again = (await open()).projects
    await soon(async () => expect(await writer(again)).toBe('bridgedeck'))
    await replace(`${await read()}\nA note of an agent.\n`)
    await soon(async () => expect(await writer(again)).toBeNull())
  })

  it('is written beside what an agent changed since it was shown', async () => {
    const { preview, write } = await open()
    const { token } = await preview(levels)
    await replace(`${await read()}\nA note of an agent.\n`)
    expect(await write(levels, token)).toMatchObject({ outcome: 'written' })
    expect(await read()).toMatch(/\*\*Decision:\*\* A[^]*A note of an agent\.\n$/)
  })

  it('is a conflict when the same was answered otherwise in the meantime; then nothing is written and both are shown', async () => {
    const { preview, write } = await open()
    const { token } = await preview(levels)
    const theirs = (await read()).replace(/\*\*Decision:\*\*.*/, '**Decision:** B')
    await replace(theirs)
    const result = await write(levels, token)
    expect(result).toMatchObject({ outcome: 'conflict', changed: [{ file: QUESTION, to: '**Decision:** B' }] })
    expect(result).toHaveProperty('preview.files.0.file', QUESTION)
    expect(await read()).toBe(theirs)
  })

  it('is a conflict with the reason when it cannot be given any more', async () => {
    const { preview, write } = await open()
    const { token } = await preview(levels)
    await replace((await read()).replace('status: pending', 'status: resolved'))
    expect(await write(levels, token)).toMatchObject({
      outcome: 'conflict',
      preview: null,
      reason: expect.stringContaining('already answered') as string,
    })
  })

  it('waits for a file that is half written', async () => {
    const { preview, write } = await open()
    const { token } = await preview(levels)
    const whole = await read()
    await put('')
    // After it was read once, of which nothing tells.
    setTimeout(() => void put(`${whole}\nMore.\n`), 100)
    expect(await write(levels, token)).toMatchObject({ outcome: 'written' })
    expect(await read()).toMatch(/\*\*Decision:\*\* A[^]*More\.\n$/)
  })

  it('is agreed on also with a bridge that was started since, unless the files have moved on', async () => {
    const { token } = await (await open()).preview(levels)
    expect(await (await open()).write(levels, token)).toMatchObject({ outcome: 'written' })
    await (await open()).undo(1)
    await replace(`${await read()}\n`)
    expect(await (await open()).write(levels, token)).toMatchObject({ outcome: 'conflict' })
  })
})

describe('what was written', () => {
  it('keeps what another program writes at the same moment, also when the projects are closed right then', async () => {
    const { projects, preview, write } = await open()
    const { token } = await preview(levels)
    const before = await read()
    const theirs = await openFile(join(root, QUESTION), 'r+')
    await write(levels, token)
    // Into the file that the answer has just replaced.
    await theirs.write(`${before}\nA note of an agent.\n`, 0)
    await theirs.close()
    await projects.closeAll()
    expect(await read()).toMatch(/\*\*Decision:\*\* A[^]*A note of an agent\.\n$/)
  })

  it('is on the list, is taken back to the byte, and that is taken back too', async () => {
    const { preview, write, undo, list } = await open()
    const before = await read()
    await write(levels, (await preview(levels)).token)
    const after = await read()
    const [edit] = await list()
    expect(edit).toMatchObject({ run: RUN, files: [QUESTION], undoneAt: null, request: levels })
    expect(await undo(edit?.edit ?? 0)).toMatchObject({ outcome: 'written', summary: `Undid: ${ANSWERED}` })
    expect(await read()).toBe(before)
    expect(await list()).toHaveLength(2)
    await undo((await list())[0]?.edit ?? 0)
    expect(await read()).toBe(after)
    await expect(undo(edit?.edit ?? 0)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('already undone') as string,
    })
  })

  it('is taken out of a file that went on, and not out of one that changed at the same place', async () => {
    const { preview, write, undo } = await open()
    const before = await read()
    await write(levels, (await preview(levels)).token)
    await replace(`${await read()}\nAn agent was here.\n`)
    await undo(1)
    expect(await read()).toBe(`${before}\nAn agent was here.\n`)
    await write(levels, (await preview(levels)).token)
    await replace((await read()).replace('**Decision:** A', '**Decision:** C'))
    await expect(undo(3)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('is told of when an agent writes the file as it was before, with what is needed to write it again', async () => {
    const { preview, write, list } = await open()
    const before = await read()
    await write(levels, (await preview(levels)).token)
    await soon(async () => {
      await replace(`${before}\n${Math.random()}\n`)
      // A version that is not seen as the edit's end may get it once more.
      expect(overwritten.at(-1)).toMatchObject({
        run: RUN,
        edit: 1,
        summary: ANSWERED,
        file: QUESTION,
        kind: 'dropped',
      })
      expect((await list())[0]).toMatchObject({ overwritten: { file: QUESTION }, request: levels })
    })
    expect(await write(levels, (await preview(levels)).token)).toMatchObject({ outcome: 'written' })
  })

  it('is written again into the version of an agent that had read the file before', async () => {
    const { preview, write, list } = await open()
    const before = await read()
    await write(levels, (await preview(levels)).token)
    await replace(`${before}\nA note of an agent.\n`)
    await soon(async () => expect(await read()).toMatch(/\*\*Decision:\*\* A[^]*A note of an agent\.\n$/))
    expect(overwritten).toEqual([])
    expect((await list())[0]).toMatchObject({ overwritten: null, undoneAt: null })
  })

  it('is not missed when a later edit takes it away', async () => {
    const { preview, write, undo } = await open()
    const before = await read()
    await write(levels, (await preview(levels)).token)
    await undo(1)
    // Longer than the guard takes to look at the file again; nothing tells of a look that finds nothing.
    await new Promise((done) => setTimeout(done, 1_500))
    expect(await read()).toBe(before)
    expect(overwritten).toEqual([])
  })

  it('is also told of when its run was moved away meanwhile', async () => {
    const { projects, at, preview, write } = await open()
    const before = await read()
    await write(levels, (await preview(levels)).token)
    await rm(join(root, 'tape-archive/.noodlecrew'), { recursive: true })
    await rm(join(root, 'tape-archive/INDEX.md'))
    await soon(() => expect(projects.ask('projects.run', at)).rejects.toMatchObject({ code: 'NOT_FOUND' }))
    await soon(async () => {
      await replace(before)
      expect(overwritten).toMatchObject([{ run: RUN, edit: 1, kind: 'dropped' }])
    })
  })

  it('has no drafts left, which survive everything else', async () => {
    const first = await open()
    const form = { ...first.at, name: 'answer', target: QUESTION }
    await first.projects.ask('projects.keepDraft', { ...form, values: { decision: 'A, because' } })
    const second = await open()
    const draft = async () => (await second.projects.ask('projects.draft', form)).draft
    expect(await draft()).toMatchObject({ values: { decision: 'A, because' } })
    expect([...new SidecarStore(database).all(form.project, RUN).keys()]).toEqual([])
    await second.write(levels, (await second.preview(levels)).token)
    expect(await draft()).toBeNull()
  })
})

describe('files that move', () => {
  const session = '.gemini/state/active-session.md'
  const archived = '.gemini/state/archive/2026-11-17-scroller.md'
  const design = '.gemini/plans/2026-11-17-scroller-design.md'
  const archivedDesign = '.gemini/plans/archive/2026-11-17-scroller-design.md'
  const look = async (file: string) => {
    const { mode, mtime } = await stat(join(root, file))
    return { mode: mode & 0o777, mtime }
  }

  it('keep their modes in an archive and back, and their times where nothing else is changed', async () => {
    const then = new Date('2026-01-02T03:04:05Z')
    for (const file of [session, design]) {
      await chmod(join(root, file), 0o644)
      await utimes(join(root, file), then, then)
    }
    const { projects, at, undo } = await open()
    const run = { ...at, run: `maestro:${session}` }
    const request: EditRequest = { kind: 'action', name: 'archive', target: '', values: {} }
    const shown = await projects.ask('projects.preview', { ...run, request })
    expect(shown.files.map(({ file, kind, from }) => [kind, from, file])).toContainEqual(['moved', session, archived])
    expect(shown.files.find(({ file }) => file === archivedDesign)).toMatchObject({ kind: 'moved', hunks: [] })
    await projects.ask('projects.write', { ...run, request, token: shown.token })
    expect(await look(archivedDesign)).toEqual({ mode: 0o644, mtime: then })
    expect(await look(archived)).toMatchObject({ mode: 0o644 })
    await undo(1)
    expect(await look(design)).toEqual({ mode: 0o644, mtime: then })
    expect(await look(session)).toMatchObject({ mode: 0o644 })
  })

  it('and those that come back after they were deleted have the mode that they had', async () => {
    const complete = 'tape-archive/CREW_COMPLETE'
    await put('', complete)
    await chmod(join(root, complete), 0o755)
    const { actions, preview, write, undo } = await open()
    const reopen = (await actions()).find(({ name }) => name === 'reopen')
    const task = reopen?.fields[0]?.value
    const request: EditRequest = { kind: 'action', name: 'reopen', target: '', values: { task: String(task) } }
    await write(request, (await preview(request)).token)
    await expect(stat(join(root, complete))).rejects.toThrow()
    await undo(1)
    expect(await look(complete)).toMatchObject({ mode: 0o755 })
  })
})

describe('a file that is not text', () => {
  const run = 'tuning:.workflow/.scratchpad/skill-tuning-20261118090000'
  const backup = '.workflow/.scratchpad/skill-tuning-20261118090000/backups/sprite-sheets-backup'
  const restore: EditRequest = { kind: 'action', name: 'abort', target: '', values: { skill: 'restore' } }
  const [lost, replaced] = ['skills/sprite-sheets/lost.bin', 'skills/sprite-sheets/replaced.bin']
  const [old, own] = [Buffer.from([0, 0xff, 0x80]), Buffer.from([0xfe, 0, 1, 2])]
  const bytesOf = (file: string) => readFile(join(root, file))

  it('is restored byte for byte, shown by its size, and undone', async () => {
    for (const name of ['lost.bin', 'replaced.bin']) await writeFile(join(root, backup, name), old)
    await chmod(join(root, backup, 'lost.bin'), 0o750)
    await writeFile(join(root, replaced), own)
    const { projects, at, undo } = await open()
    const shown = await projects.ask('projects.preview', { ...at, run, request: restore })
    expect(shown.files.filter(({ file }) => file.endsWith('.bin'))).toEqual([
      expect.objectContaining({ file: lost, kind: 'created', bytes: 3, hunks: [] }),
      expect.objectContaining({ file: replaced, kind: 'changed', bytes: 3, hunks: [] }),
    ])
    const written = await projects.ask('projects.write', { ...at, run, request: restore, token: shown.token })
    expect([written.outcome, await bytesOf(lost), await bytesOf(replaced)]).toEqual(['written', old, old])
    expect((await stat(join(root, lost))).mode & 0o777).toBe(0o750)
    await undo(1)
    expect(await bytesOf(replaced)).toEqual(own)
    await expect(stat(join(root, lost))).rejects.toThrow()
    expect(overwritten).toEqual([])
  })

  it('that another program changed since is not taken back', async () => {
    await writeFile(join(root, backup, 'replaced.bin'), old)
    await writeFile(join(root, replaced), own)
    const { projects, at, undo } = await open()
    const { token } = await projects.ask('projects.preview', { ...at, run, request: restore })
    await projects.ask('projects.write', { ...at, run, request: restore, token })
    await writeFile(join(root, replaced), Buffer.from([0, 7]))
    await expect(undo(1)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await bytesOf(replaced)).toEqual(Buffer.from([0, 7]))
  })
})

describe('a finding that can be repaired', () => {
  it('shows its repair as a difference and writes it', async () => {
    const { findings, preview, write } = await open()
    await replace((await read()).replace('status: pending', 'status: Pending'))
    await soon(async () => expect((await findings()).some(({ repair }) => repair !== null)).toBe(true))
    const found = (await findings()).find(({ repair }) => repair !== null)
    if (!found) throw new Error('There is no repair.')
    const { rule, file, line, column } = found
    const request: EditRequest = { kind: 'repair', rule, file, line, column }
    const shown = await preview(request)
    expect(shown.files).toHaveLength(1)
    expect(await write(request, shown.token)).toMatchObject({ outcome: 'written' })
    await soon(async () =>
      expect(
        (await findings()).some((other) => other.rule === rule && other.line === line && other.file === file),
      ).toBe(false),
    )
  })
})
