import { copyFileSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { MachineLabels } from '@shared/contract/labels'
import { openDatabase } from '../storage/database'
import { NoteStore } from '../storage/notes'
import { Labels } from './labels'

const workerPath = resolve('test/support/labelsWorker.mjs')
const fixture = (name: string) => resolve('test/fixtures/labels', name)
const machine = 'builtin'
const WAIT = { timeout: 30_000 }

describe('the files of labels of a machine', () => {
  let folder: string
  let notes: NoteStore
  let changes: MachineLabels[]
  const open: Labels[] = []

  const start = (): Labels => {
    const labels = new Labels({
      workerPath,
      notes,
      watches: true,
      onChanged: (changed) => changes.push(changed),
      log: (message, error) => console.error(message, error),
    })
    open.push(labels)
    return labels
  }
  const briefly = ({ files }: MachineLabels) => files.map(({ name, origin, labels }) => `${name} ${origin} ${labels}`)

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bridgedeck-labels-'))
    notes = new NoteStore(openDatabase(join(folder, 'data.sqlite')))
    changes = []
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map((labels) => labels.close()))
    rmSync(folder, { recursive: true })
  })

  it('are those beside a program, in place of those of the program before', async () => {
    const labels = start()
    copyFileSync(fixture('border.lbl'), join(folder, 'border.lbl'))
    copyFileSync(fixture('borderCa65.dbg'), join(folder, 'other.dbg'))
    await labels.load(machine, fixture('borderAcme.vs'))
    await labels.programLoaded(machine, join(folder, 'border.prg'))
    expect(briefly(await labels.files(machine))).toEqual(['borderAcme.vs person 5', 'border.lbl program 7'])
    await labels.programLoaded(machine, join(folder, 'other.prg'))
    expect(briefly(await labels.files(machine))).toEqual(['borderAcme.vs person 5', 'other.dbg program 8'])
  })

  it('are read again when they are rebuilt, and found when they come after the program', async () => {
    const labels = start()
    await labels.programLoaded(machine, join(folder, 'border.prg'))
    expect(await labels.addressOf(machine, 'main')).toBeNull()
    copyFileSync(fixture('border.lbl'), join(folder, 'border.lbl'))
    await vi.waitUntil(() => changes.some(({ labels }) => labels === 7), WAIT)
    expect(await labels.addressOf(machine, 'main')).toBe(0x80d)
    copyFileSync(fixture('moved.lbl'), join(folder, 'border.lbl'))
    await vi.waitUntil(async () => (await labels.addressOf(machine, 'main')) === 0x81d, WAIT)
  })

  it('are read again also where they are rebuilt just after they were read', async () => {
    const path = join(folder, 'border.lbl')
    copyFileSync(fixture('border.lbl'), path)
    const keep = notes.set.bind(notes)
    // What is loaded is noted once it was read, and watched after that.
    notes.set = (...note) => {
      notes.set = keep
      keep(...note)
      copyFileSync(fixture('moved.lbl'), path)
    }
    const labels = start()
    await labels.load(machine, path)
    await vi.waitUntil(async () => (await labels.addressOf(machine, 'main')) === 0x81d, WAIT)
  })

  it('that are older than their program are told of, until they are written again', async () => {
    const labels = start()
    const [program, path] = [join(folder, 'border.prg'), join(folder, 'border.lbl')]
    copyFileSync(fixture('border.prg'), program)
    copyFileSync(fixture('border.lbl'), path)
    const hourAgo = new Date(Date.now() - 3_600_000)
    utimesSync(path, hourAgo, hourAgo)
    await labels.programLoaded(machine, program)
    expect(await labels.files(machine)).toMatchObject({
      labels: 7,
      files: [{ problem: expect.stringContaining('border.lbl is older than border.prg') as string }],
    })
    copyFileSync(fixture('moved.lbl'), path)
    await vi.waitUntil(() => changes.at(-1)?.files[0]?.problem === null, WAIT)
  })

  it('are source lines too, of 64tass and ACME; listings of other tools beside a program are passed over', async () => {
    const labels = start()
    const program = join(folder, 'acme.prg')
    copyFileSync(fixture('lines/acme.prg'), program)
    copyFileSync(fixture('lines/acme.rep'), join(folder, 'acme.rep'))
    writeFileSync(join(folder, 'acme.lst'), 'ca65 V2.19\nMain file   : acme.s\n')
    await labels.programLoaded(machine, program)
    expect(await labels.files(machine)).toMatchObject({
      files: [{ name: 'acme.rep', format: 'ACME report', labels: 0, lines: 20, problem: null }],
    })
    await expect(labels.load(machine, join(folder, 'acme.lst'))).rejects.toThrow('acme.lst: This is no file of labels.')
  })

  it('keep what they had while they are damaged, and say so', async () => {
    const labels = start()
    const path = join(folder, 'border.lbl')
    copyFileSync(fixture('border.lbl'), path)
    await labels.load(machine, path)
    writeFileSync(path, Uint8Array.of(0, 1, 2))
    await vi.waitUntil(() => typeof changes.at(-1)?.files[0]?.problem === 'string', WAIT)
    expect(changes.at(-1)?.files[0]?.problem).toMatch('border.lbl: This is no file of labels.')
    expect(await labels.addressOf(machine, 'main')).toBe(0x80d)
  })

  it('are remembered, and read at the first question', async () => {
    await start().load(machine, fixture('border.lbl'))
    expect(await start().addressOf(machine, 'draw')).toBe(0x819)
    expect(briefly(await start().files(machine))).toEqual(['border.lbl person 7'])
  })

  it('are cleared one by one, or all', async () => {
    const labels = start()
    await labels.load(machine, fixture('border.lbl'))
    await labels.load(machine, fixture('borderAcme.vs'))
    expect(briefly(await labels.clear(machine, fixture('border.lbl')))).toEqual(['borderAcme.vs person 5'])
    await expect(labels.clear(machine, '/not/loaded.lbl')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await labels.clear(machine, null)).toMatchObject({ labels: 0, files: [] })
    expect(briefly(await start().files(machine))).toEqual([])
  })

  it('are refused with the reason where they cannot be read', async () => {
    const labels = start()
    await expect(labels.load(machine, join(folder, 'none.lbl'))).rejects.toThrow('There is no file none.lbl.')
    await expect(labels.load(machine, folder)).rejects.toThrow('is a folder, not a file.')
    await expect(labels.load(machine, fixture('border.prg'))).rejects.toThrow('border.prg: This is no file of labels.')
    expect(await labels.files(machine)).toMatchObject({ files: [] })
  })

  it('are 20 at most for a machine', async () => {
    const labels = start()
    const paths = Array.from({ length: 21 }, (_, n) => join(folder, `${n}.lbl`))
    for (const path of paths) copyFileSync(fixture('border.lbl'), path)
    for (const path of paths.slice(0, 20)) await labels.load(machine, path)
    await expect(labels.load(machine, paths[20] ?? '')).rejects.toThrow('20 files at most')
  })
})
