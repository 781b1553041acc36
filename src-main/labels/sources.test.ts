import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MAX_SOURCE_BYTES } from '@shared/contract/labels'
import { createLabelIndex } from './labelIndex'
import type { Labels } from './labels'
import { listSources, readSource, sourceAt } from './sources'

const machine = 'builtin'

/** A cc65 debug file with one line of each source, $0800 on; the second is within the first. */
const debugOf = (...files: string[]) =>
  [
    'version\tmajor=2,minor=0',
    ...files.map((name, id) => `file\tid=${id},name="${name}",size=1,mtime=0x1,mod=0`),
    ...files.map((_, id) => `line\tid=${id},file=${id},line=${id + 1},span=${id}`),
    'seg\tid=0,name="CODE",start=0x000800,size=0x0100,addrsize=absolute,type=ro',
    ...files.map((_, id) => `span\tid=${id},seg=0,start=0,size=${8 - id}`),
  ].join('\n')

describe('the source files of a program', () => {
  let root: string
  let index: ReturnType<typeof createLabelIndex>
  let trusted: string[]
  const labels: Pick<Labels, 'ask'> = {
    // The real worker's table, without its thread.
    ask: ((name: 'sources' | 'sourcesAt', _: string, input: never) =>
      Promise.resolve(index[name](input))) as Labels['ask'],
  }
  const sources = { labels, trustedRoots: () => trusted }
  const write = (file: string, content: string | Uint8Array, at = 1_000): string => {
    const path = join(root, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    utimesSync(path, at, at)
    return path
  }
  const loadDebug = (file: string, ...sources: string[]): string => {
    const path = write(file, debugOf(...sources), 2_000)
    index.read({ machine, path, bytes: new TextEncoder().encode(debugOf(...sources)) })
    return path
  }
  const read = (debugFile: string, file: string) => readSource(sources, { machine, debugFile, file })

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'bridgedeck-sources-')))
    index = createLabelIndex()
    trusted = []
  })
  afterEach(() => rmSync(root, { recursive: true }))

  it('lie beside the debug file, with their code', async () => {
    const place = write('main.s', 'lda #1\n')
    const debugFile = loadDebug('game.dbg', 'main.s')
    expect(await listSources(sources, machine)).toEqual([{ debugFile, file: 'main.s', isFound: true }])
    expect(await read(debugFile, 'main.s')).toEqual({
      place,
      text: 'lda #1\n',
      problem: null,
      code: [{ line: 1, start: 0x800, end: 0x808 }],
    })
  })

  it('lie in the folder in which the build was started, within the repository', async () => {
    execFileSync('git', ['init', '--quiet', root])
    const place = write('src/main.s', '')
    const debugFile = loadDebug('build/game.dbg', 'src/main.s', '../src/main.s')
    expect((await read(debugFile, 'src/main.s')).place).toBe(place)
    expect((await read(debugFile, '../src/main.s')).place).toBe(place)
  })

  it('lie in a trusted folder that is built, without a repository', async () => {
    const place = write('src/main.s', '')
    const debugFile = loadDebug('build/game.dbg', '../src/main.s', 'src/main.s', '../../outside.s')
    await expect(read(debugFile, '../src/main.s')).rejects.toMatchObject({ code: 'FORBIDDEN' })
    trusted = [join(root, 'elsewhere'), root]
    expect((await read(debugFile, '../src/main.s')).place).toBe(place)
    expect((await read(debugFile, 'src/main.s')).place).toBe(place)
    trusted = [join(root, 'build')]
    await expect(read(debugFile, '../src/main.s')).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  it('are found by their name where the path is that of another computer', async () => {
    const place = write('main.asm', '')
    const debugFile = loadDebug('game.dbg', 'C:\\games\\main.asm', '/home/other/main.asm')
    expect((await read(debugFile, 'C:\\games\\main.asm')).place).toBe(place)
    expect((await read(debugFile, '/home/other/main.asm')).place).toBe(place)
  })

  it('are found by the end of their path where that is of another computer or a container', async () => {
    execFileSync('git', ['init', '--quiet', root])
    write('main.c', 'the wrong one')
    const place = write('src/game/main.c', '')
    const debugFile = loadDebug('build/game.dbg', 'C:/Users/other/game/src/game/main.c', '/app/src/game/main.c')
    expect((await read(debugFile, 'C:/Users/other/game/src/game/main.c')).place).toBe(place)
    expect((await read(debugFile, '/app/src/game/main.c')).place).toBe(place)
  })

  it('are not looked up on another computer', async () => {
    const debugFile = loadDebug('game.dbg', '\\\\server\\share\\main.s', '/../../../etc/passwd', 'C:/../../etc/passwd')
    await expect(read(debugFile, '\\\\server\\share\\main.s')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(read(debugFile, '/../../../etc/passwd')).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(read(debugFile, 'C:/../../etc/passwd')).rejects.toThrow()
  })

  it.each(['../secret.s', '/etc/hosts', 'link.s'])('are not read outside: %s', async (file) => {
    write('secret.s', '')
    mkdirSync(join(root, 'game'))
    symlinkSync(join(root, 'secret.s'), join(root, 'game', 'link.s'))
    const debugFile = loadDebug('game/game.dbg', file)
    await expect(read(debugFile, file)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  it('are only those that the debug file names', async () => {
    write('other.s', '')
    const debugFile = loadDebug('game.dbg', 'main.s')
    await expect(read(debugFile, 'other.s')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(read(join(root, 'other.dbg'), 'main.s')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(read(debugFile, 'main.s')).rejects.toThrow('There is no file main.s beside game.dbg.')
  })

  it('say that they were changed after the build', async () => {
    write('main.s', '', 3_000)
    const { problem } = await read(loadDebug('game.dbg', 'main.s'), 'main.s')
    expect(problem).toMatch(/^main\.s was changed after the build/)
  })

  it.each([
    ['too large', new Uint8Array(MAX_SOURCE_BYTES + 1).fill(32), /too large/],
    ['no text', Uint8Array.of(65, 0), /no text/],
  ])('are refused where they are %s', async (_, content, message) => {
    write('main.s', content)
    await expect(read(loadDebug('game.dbg', 'main.s'), 'main.s')).rejects.toThrow(message)
  })

  it('are refused where they are a folder', async () => {
    mkdirSync(join(root, 'main.s'))
    await expect(read(loadDebug('game.dbg', 'main.s'), 'main.s')).rejects.toMatchObject({ code: 'INVALID' })
  })

  it('have the line of an address, in the innermost one that is there', async () => {
    write('main.c', '')
    const debugFile = loadDebug('game.dbg', 'main.c', 'main.s')
    const at = (address: number) => sourceAt(sources, { machine, address })
    expect(await at(0x800)).toEqual({ debugFile, file: 'main.c', line: 1 })
    expect((await listSources(sources, machine)).map(({ file, isFound }) => [file, isFound])).toEqual([
      ['main.c', true],
      ['main.s', false],
    ])
    write('main.s', '')
    expect(await at(0x800)).toEqual({ debugFile, file: 'main.s', line: 2 })
    expect(await at(0x900)).toBeNull()
  })
})
