import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { assemble, assembleAll, parseCharset } from './assemble.mjs'

const sources = resolve('resources/c64')
const SPACES = [0x20, 0x60]

describe('the images', () => {
  let folder
  const image = (name) => readFileSync(join(folder, name))
  const symbols = (name) =>
    new Map(
      readFileSync(join(folder, name), 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split(' = ')),
    )

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bridgedeck-images-'))
    await assembleAll(sources, folder)
  })
  afterAll(() => {
    rmSync(folder, { recursive: true })
  })

  it.each([
    ['kernal.bin', 8192],
    ['basic.bin', 8192],
    ['chargen.bin', 4096],
  ])('%s has %i bytes', (name, size) => {
    expect(image(name).length).toBe(size)
  })

  it('the hardware vectors and the jump table point into the KERNAL ROM', () => {
    const kernal = image('kernal.bin')
    for (const vector of [0xfffa, 0xfffc, 0xfffe]) {
      const target = kernal.readUInt16LE(vector - 0xe000)
      expect(target).toBeGreaterThanOrEqual(0xe000)
      expect(kernal[target - 0xe000]).not.toBe(0xff)
    }
    for (let entry = 0xff81; entry <= 0xfff3; entry += 3) expect([0x4c, 0x6c]).toContain(kernal[entry - 0xe000])
  })

  it('the BASIC ROM begins with its cold and warm start in the KERNAL ROM', () => {
    expect([image('basic.bin').readUInt16LE(0), image('basic.bin').readUInt16LE(2)]).toEqual([0xe394, 0xe37b])
  })

  it('places the addresses that programs jump to', () => {
    const kernal = symbols('kernal.sym')
    expect([kernal.get('interrupt'), kernal.get('interruptEnd'), kernal.get('reset')]).toEqual([
      '$ea31',
      '$ea81',
      '$fce2',
    ])
    expect([kernal.get('CHROUT'), kernal.get('GETIN'), kernal.get('PLOT')]).toEqual(['$ffd2', '$ffe4', '$fff0'])
  })

  it('every glyph but the spaces has pixels, and the reversed halves are exact inverses', () => {
    const characters = image('chargen.bin')
    for (let set = 0; set < 2; set++) {
      for (let code = 0; code < 128; code++) {
        const start = set * 2048 + code * 8
        const glyph = [...characters.subarray(start, start + 8)]
        const reversed = [...characters.subarray(start + 1024, start + 1032)]
        expect(reversed).toEqual(glyph.map((row) => row ^ 0xff))
        expect({ code, empty: glyph.every((row) => row === 0) }).toEqual({ code, empty: SPACES.includes(code) })
      }
    }
  })

  it('letters and digits differ from each other', () => {
    const characters = image('chargen.bin')
    const glyphs = Array.from({ length: 64 }, (_, code) => characters.subarray(code * 8, code * 8 + 8).toString('hex'))
    expect(new Set(glyphs).size).toBe(64)
  })

  it('the demo loads at $0801 with a line that calls its entry', () => {
    const demo = image('demo.prg')
    expect(demo.readUInt16LE(0)).toBe(0x0801)
    const entry = parseInt(symbols('demo.sym').get('entry').slice(1), 16)
    expect(demo.subarray(6, 12).toString('latin1')).toBe(`\u009e${entry}\0`)
    expect(demo.length + 0x0801 - 2).toBeLessThanOrEqual(0x2000)
  })

  it('the demo names the address of its frame counter in a row of 40 columns', () => {
    const demo = image('demo.prg').toString('latin1')
    const address = parseInt(symbols('demo.sym').get('frame').slice(1), 16).toString(16).toUpperCase()
    expect(/BITMAP[^\0]*/.exec(demo)?.[0]).toMatch(new RegExp(`^.{32}\\$${address}= {4}$`))
    expect(demo).toContain(`GO TO $${address}, THE FRAME COUNTER`)
  })

  it('are not written again while no source has changed', async () => {
    const path = join(folder, 'kernal.bin')
    const before = statSync(path).mtimeMs
    await assembleAll(sources, folder)
    expect(statSync(path).mtimeMs).toBe(before)
  })
})

describe('assembling', () => {
  let folder
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bridgedeck-assemble-'))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  const source = (text, name = 'main.asm') => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }

  it('gives raw bytes, or a program with its load address, and the symbols', () => {
    const path = source('    processor 6502\n    org $F123\nstart\n    lda #1\n')
    expect([...assemble(path, { format: 'raw' }).bytes]).toEqual([0xa9, 1])
    const { bytes, symbols } = assemble(path, { format: 'prg' })
    expect([...bytes]).toEqual([0x23, 0xf1, 0xa9, 1])
    expect(symbols.get('start')).toBe(0xf123)
  })

  it('finds included files beside the source and in the shared folder', () => {
    mkdirSync(join(folder, 'program'))
    source('ONE = 1\n', 'shared.inc')
    source('    lda #ONE\n', 'program/part.asm')
    const path = source(
      '    processor 6502\n    include "shared.inc"\n    org $1000\n    include "part.asm"\n',
      'program/main.asm',
    )
    expect([...assemble(path, { format: 'raw', shared: folder }).bytes]).toEqual([0xa9, 1])
  })

  it('names file, line and reason of a mistake, also in an included file', () => {
    source('    processor 6502\n    org $1000\n    lda #1\n    bogus\n', 'part.asm')
    const path = source('    include "part.asm"\n')
    expect(() => assemble(path, { format: 'raw' })).toThrow(/part\.asm:4: .*bogus/)
    expect(() => assemble(source('    processor 6502\n    org $1000\n    jmp nowhere\n'), { format: 'raw' })).toThrow(
      /main\.asm:3: .*nowhere/,
    )
  })

  it('fails when code runs into the next fixed address', () => {
    source(readFileSync(join(sources, 'c64.inc'), 'utf8'), 'c64.inc')
    const path = source('    processor 6502\n    include "c64.inc"\n    org $1000\n    ds 17\n    at $1010\n    rts\n')
    expect(() => assemble(path, { format: 'raw' })).toThrow(/main\.asm:5: .*code_before_has_run_into_this_address/)
  })

  it('assembles again when a source is newer, and keeps the old images when that fails', async () => {
    const copy = join(folder, 'sources')
    const output = join(folder, 'images')
    cpSync(sources, copy, { recursive: true })
    await assembleAll(copy, output)
    const before = readFileSync(join(output, 'basic.bin'))
    const basic = join(copy, 'basic/basic.asm')
    const text = readFileSync(basic, 'utf8')
    const later = new Date(Date.now() + 3_600_000)
    writeFileSync(basic, text.replace('"BRIDGEDECK"', '"bridgedeck"'))
    utimesSync(basic, later, later)
    await assembleAll(copy, output)
    const changed = readFileSync(join(output, 'basic.bin'))
    expect(changed.equals(before)).toBe(false)
    writeFileSync(basic, text.replace('rts', 'return'))
    utimesSync(basic, later, later)
    await expect(assembleAll(copy, output)).rejects.toThrow(/basic\.asm:\d+: /)
    expect(readFileSync(join(output, 'basic.bin')).equals(changed)).toBe(true)
  })
})

describe('the character set format', () => {
  const glyph = (code, pixel = '#') =>
    `glyph ${code.toString(16).padStart(2, '0')} x\n${`${pixel.repeat(8)}\n`.repeat(8)}`
  const set = Array.from({ length: 128 }, (_, code) => glyph(code)).join('')

  it('takes what set 2 does not draw from set 1', () => {
    const bytes = parseCharset(`; comment\nset 1\n${set}set 2\n${glyph(5, '.')}`)
    expect([bytes.length, bytes[0], bytes[1024], bytes[2048], bytes[2048 + 40], bytes[3072 + 40]]).toEqual([
      4096, 255, 0, 255, 0, 255,
    ])
  })

  it.each([
    [
      'a short row',
      'set 1\nglyph 00 x\n########\n#######\n',
      'charset:4: a glyph row is eight of . and #, found "#######"',
    ],
    ['a bad code', 'set 1\nglyph 80 x\n', 'charset:2: "80" is no screen code 00-7F'],
    ['a glyph outside the sets', 'glyph 00 x\n', 'charset:1: a glyph before the first "set" line'],
    ['a glyph drawn twice', `set 1\n${glyph(0)}${glyph(0)}`, 'charset:11: glyph 00 is drawn twice in this set'],
    ['another word', 'set 1\ngylph 00\n', 'charset:2: expected "set", "glyph" or a comment, found "gylph 00"'],
    ['a missing glyph', `set 1\n${glyph(0)}set 2\n`, 'charset: set 1 has no glyph 1'],
  ])('says where there is %s', (_, text, message) => {
    expect(() => parseCharset(text)).toThrow(message)
  })
})
