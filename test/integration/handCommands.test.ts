/** Commands that put something into a machine by hand: programs, sprites, text, keys, sound, configuration. */
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startUltimate, type UltimatePeer } from '../peers/ultimateProcess'
import { CommandLine } from '../support/commandLine'
import { shellWords } from '../support/shellWords'
import { viceSnapshot } from '../support/viceSnapshot'

let calls: CommandLine
beforeAll(async () => {
  calls = new CommandLine()
  await calls.data('bridge', 'start')
})
afterAll(() => calls.remove())

const bytesSchema = z.object({ bytes: z.string() })
const read = async (address: string, length: number, ...more: string[]) =>
  bytesSchema.parse(await calls.data('read', '--address', address, '--length', String(length), ...more)).bytes
const save = (name: string, hex: string): void => writeFileSync(join(calls.folder, name), Buffer.from(hex, 'hex'))
const solid = 'ff'.repeat(63)

describe('a program that is loaded', () => {
  it('lies in memory, and does not run', async () => {
    save('code.prg', '00c0a902')
    expect(await calls.data('load', 'code.prg')).toMatchObject({ start: '$C000', end: '$C001', bytes: 2 })
    expect(await read('$C000', 2)).toBe('a902')
    expect(await calls.data('load', 'code.prg', '--at', '$c100')).toMatchObject({ start: '$C100' })
    expect(await calls.run('load', 'code.prg', '--at', '$ffff')).toMatchObject({ code: 2 })
  })

  it('is BASIC’s program where it was loaded to its place, so that RUN starts it', async () => {
    writeFileSync(join(calls.folder, 'hello.bas'), '10 PRINT "LOADED"')
    await calls.data('load', 'hello.bas')
    expect((await calls.run('listing')).stdout).toContain('10 PRINT "LOADED"')
    await calls.data('type', 'run', '--return')
    expect((await calls.run('screen', '--wait-for', 'loaded')).code).toBe(0)
  })
})

describe('a sprite', () => {
  it('is set and told in words, with why it is not seen', async () => {
    const seen = ['sprite', 'set', '1', '--data', solid, '--x', '160', '--y', '120', '--colour', 'red']
    expect(await calls.data(...seen)).toMatchObject({
      sprite: { sprite: 1, address: '$0340', colours: ['red'], seen: 504, pixels: 504, why: null },
    })
    expect(await calls.data('sprite', 'set', '1', '--x', '300')).toMatchObject({ sprite: { x: 300, seen: 504 } })
    expect(await calls.data('sprite', 'set', '1', '--colour', 'blue')).toMatchObject({
      sprite: { why: 'It has the colour of what is behind it.' },
    })
    expect((await calls.run('sprites')).stdout).toMatch(/^1 .* It has the colour of what is behind it\.$/m)
    expect(await calls.data('sprite', 'set', '1', '--power', 'off')).toMatchObject({
      sprite: { why: 'It is off: bit 1 of $D015 is clear.' },
    })
  })

  it('is refused where its data cannot be seen by the VIC-II', async () => {
    expect(await calls.run('sprite', 'set', '0', '--at', '$4000')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('a multiple of 64 from $0000 to $3FC0') as string,
    })
    expect(await calls.run('sprite', 'set', '0', '--data', 'ff')).toMatchObject({ code: 2 })
  })

  it('is saved as a picture, and so are character sets', async () => {
    expect(
      await calls.data('sprite', 'picture', '--png', 'sprites.png', '--at', '$0340', '--count', '2'),
    ).toMatchObject({
      sprites: 2,
      width: 204,
      height: 92,
    })
    expect(await calls.data('charset', '--png', 'chars.png')).toMatchObject({
      address: '$1000',
      width: 384,
      height: 384,
    })
    for (const file of ['sprites.png', 'chars.png'])
      expect(readFileSync(join(calls.folder, file)).subarray(1, 4).toString()).toBe('PNG')
  })
})

describe('the screen', () => {
  it('gets text at a place, in a colour', async () => {
    expect(await calls.data('print', 'GAME\nOVER', '--row', '20', '--column', '5', '--colour', 'red')).toMatchObject({
      address: '$0725',
      characters: 8,
    })
    const rows = (await calls.run('screen')).stdout.split('\n')
    expect([rows[20], rows[21]]).toEqual(['     GAME', '     OVER'])
    expect(await read('$DB25', 1, '--bank', 'io')).toMatch(/2$/)
    expect(await calls.run('print', 'X'.repeat(41))).toMatchObject({ code: 2 })
    expect((await calls.run('print', 'ж')).stderr).toContain('no character “ж”')
  })

  it('is shown with registers, VIC-II and memory at once', async () => {
    const shape = z.object({ rows: z.array(z.string()).length(25), registers: z.record(z.string(), z.number()) })
    const look = await calls.data('look', '--range', '$e000-$e003')
    expect(shape.parse(look).registers).toHaveProperty('PC')
    expect(look).toMatchObject({ execution: 'running', memory: { address: '$E000' } })
    expect((await calls.run('vic')).stdout).toMatch(/^mode +text$/m)
  })
})

describe('what is held', () => {
  /** Keeps what it sees of CIA 1's port A: LDA $DC00, ORA'd into $C100. */
  const follow =
    ' *=$c000\n lda #0\n sta $c100\nloop lda $dc00\n eor #$ff\n and #$1f\n ora $c100\n sta $c100\n jmp loop'

  it('is seen by the program, and let go of', async () => {
    writeFileSync(join(calls.folder, 'follow.asm'), `${follow}\n`)
    await calls.data('run', 'follow.asm', '--frames', '10')
    await calls.data('joystick', 'left', 'fire', '--hold', '200')
    expect(await read('$C100', 1)).toBe('14')
    // The program may just be about to write what it read before.
    await expect
      .poll(async () => {
        await calls.data('write', '--address', '$C100', '--bytes', '00')
        return read('$C100', 1)
      })
      .toBe('00')
    await calls.data('reset', '--kind', 'power')
    await calls.run('screen', '--wait-for', 'ready.')
    expect(await calls.data('key', 'a', '--frames', '10')).toMatchObject({ keys: ['a'], held: 200 })
    expect((await calls.run('screen', '--wait-for', '\na')).code).toBe(0)
    expect(await calls.run('key', 'spac')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean space?') as string,
    })
  })

  it('is a machine in warp, also for later calls', async () => {
    await calls.data('warp', 'on')
    expect(await calls.data('status')).toMatchObject({ warp: true, connection: 'live', standard: 'pal' })
    expect(await calls.data('status')).toMatchObject({ warp: true })
    await calls.data('warp', 'off')
    expect(await calls.data('status')).toMatchObject({ warp: false })
  })

  it('is a note, until it is silenced', async () => {
    expect(await calls.data('sound', 'note', 'A4', '--voice', '2')).toMatchObject({ hertz: 440, frequency: 7493 })
    expect(await read('$D407', 7, '--bank', 'io')).toBe('451d00081109f4')
    await calls.data('sound', 'off', '2')
    expect(await read('$D40B', 1, '--bank', 'io')).toBe('00')
    expect(await calls.run('sound', 'note', 'H4')).toMatchObject({ code: 2 })
  })
})

describe('the configuration of an Ultimate', () => {
  let peer: UltimatePeer
  let machine: readonly string[]
  beforeAll(async () => {
    peer = await startUltimate()
    machine = ['--machine', `ultimate:127.0.0.1:${peer.ports.rest}`]
  })
  afterAll(() => peer.stop())

  it('is changed, kept in a file, compared and restored', async () => {
    const category = 'Drive A Settings'
    await calls.data('config', 'save', 'saved.json', ...machine)
    expect(readFileSync(join(calls.folder, 'saved.json'), 'utf8')).not.toMatch(/password/i)
    const item = ['config', 'get', category, 'Drive', ...machine]
    const [before] = itemsSchema.parse(await calls.data(...item)).items
    const other = before?.choices?.find((choice) => choice !== before.value) ?? ''
    await calls.data('config', 'set', category, `Drive=${other}`, ...machine)
    expect(await calls.data('config', 'diff', 'saved.json', ...machine)).toMatchObject({
      differences: [{ category, item: 'Drive', now: other, saved: before?.value }],
    })
    expect(await calls.data('config', 'restore', 'saved.json', ...machine)).toMatchObject({
      restored: [{ item: 'Drive' }],
    })
    expect(await calls.data('config', 'diff', 'saved.json', ...machine)).toMatchObject({ differences: [] })
  })

  it('is kept in flash, and loaded from there', async () => {
    const value = async () =>
      itemsSchema.parse(await calls.data('config', 'get', 'Drive A Settings', 'Drive Bus ID', ...machine)).items[0]
        ?.value
    const kept = await value()
    await calls.data('config', 'set', 'Drive A Settings', 'Drive Bus ID=11', ...machine)
    expect(await value()).toBe(11)
    await calls.data('config', 'flash', 'load', 'Drive A Settings', ...machine)
    expect(await value()).toBe(kept)
  })

  it('is refused with what would be right', async () => {
    expect((await calls.run('config', 'get', 'Drive A Settings', 'Drve', ...machine)).stderr).toContain(
      'Did you mean Drive?',
    )
    expect((await calls.run('config', 'set', 'Drive A Settings', 'Drive=Maybe', ...machine)).code).not.toBe(0)
    expect(await calls.run('config', 'set', 'Drive A Settings', 'Drive', ...machine)).toMatchObject({ code: 2 })
    save('wrong.json', '7b7d')
    expect((await calls.run('config', 'diff', 'wrong.json', ...machine)).stderr).toContain('no saved configuration')
    expect(existsSync(join(calls.folder, 'saved.json'))).toBe(true)
  })

  it('is no business of the built-in C64', async () => {
    expect(await calls.run('config')).toMatchObject({ code: 4 })
    expect(await calls.run('power-off')).toMatchObject({ code: 4 })
  })
})

const itemsSchema = z.object({
  items: z.array(
    z.object({ item: z.string(), value: z.union([z.string(), z.number()]), choices: z.array(z.string()).nullable() }),
  ),
})

/** Each section goes on with the files that the one before left. */
describe('The commands of the page', () => {
  const folderOfSample = '/tmp/sample'
  /** What cannot be called here. */
  const needsMore: readonly (readonly [RegExp, why: string])[] = [
    [/--machine vice/, 'A VICE'],
    [/^(?:agent add|build)/, 'A person at a terminal'],
    [/^(?:label load|load) game/, 'A program'],
    [/^graphics grab walk/, 'An animation'],
  ]

  let person: CommandLine
  beforeAll(async () => {
    person = new CommandLine()
    cpSync(resolve('docs/examples'), person.folder, { recursive: true })
    cpSync(resolve('resources/sample-project'), join(person.folder, 'sample'), { recursive: true })
    writeFileSync(join(person.folder, 'crash.vsf'), viceSnapshot(new Uint8Array(0x10000)))
    await person.data('bridge', 'start')
  })
  afterAll(() => person.remove())

  const checkpointNumbers = async () =>
    checkpointsSchema.parse(await person.data('checkpoint', 'list')).checkpoints.map(({ number }) => String(number))

  /** The words of a line, with the first checkpoint of this section as number 1. */
  async function wordsOf(line: string): Promise<string[]> {
    const words = shellWords(line.replace(folderOfSample, 'sample'))
    if (!line.startsWith('checkpoint delete')) return words
    const [first = words.at(-1) ?? ''] = await checkpointNumbers()
    return [...words.slice(0, -1), first]
  }

  const callableLines = (section: string): string[] =>
    [...section.matchAll(/^ *bridgedeck (.*)$|`bridgedeck (\S[^`\n]*)`/gm)]
      .map(([, alone, within]) => alone ?? within ?? '')
      .filter((line) => !needsMore.some(([pattern]) => pattern.test(line)))

  it.each(['start-programs', 'start-drawing', 'start-agents', 'for-users-of'])('%s are carried out', async (page) => {
    const sections = readFileSync(resolve(`docs/${page}.md`), 'utf8')
      .split(/^## /m)
      .map(callableLines)
      .filter((lines) => lines.length > 0)
    expect(Math.max(...sections.map((lines) => lines.length))).toBeGreaterThan(3)
    for (const lines of sections) {
      for (const number of await checkpointNumbers()) await person.run('checkpoint', 'delete', number)
      await person.run('run', 'letters.asm', '--frames', '15')
      for (const line of lines) {
        const { code, stderr } = await person.run(...(await wordsOf(line)))
        expect([line, code, stderr]).toEqual([line, 0, expect.any(String)])
      }
    }
  })
})

const checkpointsSchema = z.object({ checkpoints: z.array(z.object({ number: z.number() })) })
