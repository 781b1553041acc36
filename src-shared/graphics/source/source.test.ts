import { strToU8 } from 'fflate'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { assembleSource } from '../../c64/assembly/assembleSource'
import { tokenise } from '../../c64/basic/tokenise'
import { expectGolden } from '../../../test/support/goldenFile'
import {
  allPixels,
  bitmap,
  characters,
  exportOptions,
  randomBytes,
  screen,
  sheet,
  textOf,
} from '../../../test/support/graphicsSamples'
import type { Artwork, CharacterSet } from '../artwork'
import type { GraphicsFormat } from '../format'
import { acme } from '../formats/acme'
import { basicData } from '../formats/basicData'
import { ca65 } from '../formats/ca65'
import { formatsOf } from '../formats'
import { kickAssembler } from '../formats/kickAssembler'
import { oscar64 } from '../formats/oscar64'
import { tass64 } from '../formats/tass64'
import { readSource } from './readSource'

const dialects: readonly GraphicsFormat[] = [kickAssembler, acme, tass64, ca65, oscar64, basicData]
const tiled: CharacterSet = {
  ...characters(),
  materials: randomBytes(12, 256, 16),
  tiles: { width: 2, height: 2, cells: Uint16Array.of(0, 1, 2, 300), colours: Uint8Array.of(5), names: ['wall'] },
  map: { columns: 3, rows: 2, cells: Uint16Array.of(0, 0, 0, 0, 0, 0) },
}
const everything: readonly Artwork[] = [
  sheet(3),
  tiled,
  screen(),
  screen('extendedText', false),
  bitmap(),
  bitmap('bitmap'),
]
const written = (format: GraphicsFormat, artworks: readonly Artwork[], numbers: 'hex' | 'binary' | 'decimal' = 'hex') =>
  new TextDecoder().decode(format.write?.(artworks, { ...exportOptions, numbers }))
const readText = (text: string) => kickAssembler.read?.(new TextEncoder().encode(text))

describe.each(dialects.map((format) => [format.title, format] as const))('%s', (_, format) => {
  it('is what its golden file holds', () => {
    const file = format.write?.([sheet(2)], exportOptions) ?? new Uint8Array()
    expectGolden(`source/${format.id}.${format.extensions[0] ?? ''}`, file)
  })

  it.each(['hex', 'binary', 'decimal'] as const)('gives everything back from %s numbers', (numbers) => {
    const file = format.write?.(everything, { ...exportOptions, numbers }) ?? new Uint8Array()
    expect(textOf(format.read?.(file))).toBe(textOf({ artworks: everything, problems: [] }))
  })

  it('gives the same pixels for FLI and expanded sprites with overlays', () => {
    const layered = {
      ...sheet(2),
      sprites: sheet(2).sprites.map((each) => ({ ...each, overlay: true, expandX: true })),
    }
    const artworks = [layered, bitmap('multicolourBitmap', true)]
    const again = format.read?.(format.write?.(artworks, exportOptions) ?? new Uint8Array())
    expect(textOf(again?.artworks.flatMap(allPixels))).toBe(textOf(artworks.flatMap(allPixels)))
    expect(again?.artworks[0]).toEqual(layered)
  })

  it('is known again', () => {
    const file = format.write?.([sheet(1)], exportOptions) ?? new Uint8Array()
    expect(formatsOf(file, format.extensions[0] ?? '')[0]?.id).toBe(format.id)
  })
})

describe('a source text', () => {
  it.each([[kickAssembler], [acme], [tass64], [ca65]])('of $title can be assembled', (format) => {
    const result = assembleSource(`* = $2000\n${written(format, [sheet(2), screen()], 'binary')}`)
    expect(result.ok ? [...result.program.prg.subarray(2, 65)] : result.problems).toEqual([
      ...(sheet(2).sprites[0]?.bytes ?? []),
    ])
  })

  it('shows the pixels of a sprite in binary, a row of it in each line', () => {
    expect(written(acme, [sheet(1)], 'binary')).toMatch(/\n {4}!byte %[01]{8}, %[01]{8}, %[01]{8}\n/)
  })

  it('of BASIC is a program whose lines fit the screen', () => {
    const text = written(basicData, [{ ...sheet(2), name: 'x'.repeat(200) }, screen()])
    expect(tokenise(text)).toMatchObject({ ok: true })
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(80)
  })

  it('of BASIC is refused where the line numbers do not suffice', () => {
    expect(() =>
      written(
        basicData,
        Array.from({ length: 100 }, () => bitmap('bitmap', true)),
      ),
    ).toThrow(/lines of BASIC/)
  })

  it('of others is taken for sprites where 64 or 63 bytes stand behind each label, else for characters', () => {
    const bytes = [...Array.from({ length: 63 }, (_, at) => at), 0x85].join(',')
    expect(readText(`ship: .byte ${bytes} ; first\n boat\n .by ${bytes}\n lda #1`)?.artworks).toMatchObject([
      { kind: 'sprites', sprites: [{ name: 'ship', colour: 5, multicolour: true }, { name: 'boat' }] },
    ])
    expect(readText('static const char a[][3] = {{1,\n2,3}, {4,5,6}, {0x0b, 0b101}};')?.problems).toHaveLength(0)
    expect(readText('10 DATA1,2,3,4,5,6,7,8')?.artworks).toMatchObject([
      { kind: 'characters', bytes: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8) },
    ])
    expect(readText(' !by %..##..##,1,2,3,4,5,6,7')?.artworks).toMatchObject([{ bytes: { 0: 0x33 } }])
  })

  it('tells the byte of what it cannot read, and loads the rest', () => {
    const read = readText('; äö\n .byte 1,2,300,4,foo,6,7,8\n .word 1')
    expect(read?.problems).toEqual([
      { offset: 18, text: 'Expected a byte, 0 to 255, found “300”.' },
      { offset: 24, text: 'Expected a byte, 0 to 255, found “foo”.' },
      { offset: 35, text: 'Expected bytes, found .word: these are left out.' },
    ])
    expect(read?.artworks).toHaveLength(1)
    expect(readText('nothing')?.problems).toEqual([{ offset: 7, text: 'Expected lines of bytes, found none.' }])
  })

  it.each([
    ['begins with a byte order mark', [0xef, 0xbb, 0xbf]],
    ['is no UTF-8', [0x3b, 0xe4, 0x0a]],
    ['has letters of two bytes', [0x3b, 0xc3, 0xa4, 0x0a]],
  ])('that %s tells the byte, too', (_what, first) => {
    const line = [...new TextEncoder().encode('!byte 1,300\n')]
    const { problems } = acme.read?.(Uint8Array.from([...first, ...line])) ?? { problems: [] }
    expect(problems[0]).toMatchObject({ offset: first.length + 8 })
  })

  it('that was cut tells how many bytes are missing, and has what is there', () => {
    const text = written(acme, [screen()])
    const read = readText(text.slice(0, 3000))
    expect(read?.problems.map(({ text: what }) => what)).toContainEqual(
      expect.stringMatching(/^Expected 1000 bytes of codes, found \d+\.$/),
    )
    expect(read?.artworks).toHaveLength(1)
  })
})

describe('a hostile source text', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  /** How often a part of the text is cut out or looked at with a pattern. */
  const stepsOf = (text: string): number => {
    const file = strToU8(text)
    const spies = [vi.spyOn(String.prototype, 'slice'), vi.spyOn(RegExp.prototype, 'exec')]
    readSource(file)
    const steps = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
    vi.restoreAllMocks()
    return steps
  }

  it('with many bytes in a line takes no step for each of them', () => {
    expect(stepsOf(`10 data ${'1,'.repeat(4000)}`)).toBe(stepsOf(`10 data ${'1,'.repeat(1000)}`))
  })

  it.each([
    ['other values', (count: number) => `10 data ${'x,'.repeat(count)}`],
    ['lines of bytes', (count: number) => '10 data 1,2\n'.repeat(count)],
    ['labels', (count: number) => 'a:\n .byte 1\n'.repeat(count)],
  ])('of %s takes twice the steps for twice as many', (_, textOf) => {
    expect(stepsOf(textOf(2000))).toBeLessThanOrEqual(2 * stepsOf(textOf(1000)))
  })

  it('of more names than any artwork has is read up to there, which is told', () => {
    const { artworks, problems } = readSource(strToU8(`a:\n .byte ${'1,'.repeat(64)}\n${'b:\n'.repeat(200_000)}`))
    expect(artworks).toHaveLength(1)
    expect(problems.map(({ text }) => text)).toEqual(['Expected 150000 names and notes at most; the rest is left out.'])
  })
})
