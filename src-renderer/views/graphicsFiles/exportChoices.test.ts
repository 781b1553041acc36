import { describe, expect, it } from 'vitest'
import { builtInNames } from '@shared/c64/labels/names'
import { palettes } from '@shared/c64/palettes'
import { graphicsExtensions } from '@shared/contract/graphics'
import type { Artwork } from '@shared/graphics/artwork'
import { formatNamed, graphicsFormats } from '@shared/graphics/formats'
import type { GraphicsFormat } from '@shared/graphics/format'
import { fieldsOf, formatsFor, kindOf, optionsOf, readExportChoices } from './exportChoices'

const shownPalette = palettes.colodore.toReversed()
const around = { name: 'ship', shownPalette, romCharacters: new Uint8Array(4096), names: builtInNames }
const named = (id: string): GraphicsFormat => {
  const format = formatNamed(id)
  if (!format) throw new Error(id)
  return format
}
const sprites: Artwork = {
  kind: 'sprites',
  name: '',
  sprites: [],
  animations: [],
  background: 0,
  multicolour1: 1,
  multicolour2: 2,
}

describe('the options of an export', () => {
  it('have a field each, as the format heeds them', () => {
    const names = (id: string) => fieldsOf(named(id), 'ship').map(({ name }) => name)
    expect(names('png')).toEqual(['palette', 'scale', 'isTransparent', 'columns', 'aspect'])
    expect(names('kickass')).toEqual(['name', 'numbers'])
    expect(names('prg-sprites')).toEqual(['address'])
    expect(names('koala')).toEqual([])
  })

  it('are the usual ones until something else is typed', () => {
    const { options, problems } = optionsOf(named('png'), {}, around)
    expect(problems).toEqual({})
    expect(options).toMatchObject({
      name: 'ship',
      numbers: 'hex',
      palette: shownPalette,
      scale: 1,
      isTransparent: true,
      columns: 16,
      aspect: 'square',
      frameMs: 100,
      address: 0x2000,
    })
  })

  it('are taken as they are typed', () => {
    const values = { scale: '4', palette: 'pepto', isTransparent: 'false', aspect: 'ntsc', name: ' hero ' }
    expect(optionsOf(named('png'), values, around).options).toMatchObject({
      scale: 4,
      palette: palettes.pepto,
      isTransparent: false,
      aspect: 'ntsc',
      name: 'hero',
    })
    expect(optionsOf(named('prg-sprites'), { address: '3000' }, around).options.address).toBe(0x3000)
  })

  it.each(['0', '9', '', '1.5', 'big'])(
    'tell what is wrong with the scale “%s”, where the format heeds it',
    (scale) => {
      expect(optionsOf(named('png'), { scale }, around)).toMatchObject({
        problems: { scale: 'Scale: a whole number from 1 to 8.' },
        options: { scale: 1 },
      })
      expect(optionsOf(named('koala'), { scale }, around).problems).toEqual({})
    },
  )

  it('tell what is wrong with an address', () => {
    expect(optionsOf(named('prg-sprites'), { address: 'nowhere' }, around).problems.address).toContain('nowhere')
  })

  it('are read from what was stored, whatever that is', () => {
    for (const stored of [undefined, null, 1, 'x', { formats: 7, values: [] }])
      expect(readExportChoices(stored)).toEqual({ formats: {}, values: {} })
    expect(readExportChoices({ formats: { sprites: 'png' }, values: { scale: '3' } })).toEqual({
      formats: { sprites: 'png' },
      values: { scale: '3' },
    })
  })
})

describe('formats', () => {
  it('that hold the artwork come first, and none that only reads', () => {
    const ids = formatsFor(graphicsFormats, [sprites]).map(({ id }) => id)
    expect(ids.indexOf('raw-sprites')).toBeLessThan(ids.indexOf('koala'))
    expect(ids).toHaveLength(graphicsFormats.filter(({ write }) => write).length)
  })

  it('have endings that the page may save', () => {
    const all = new Set(graphicsFormats.flatMap(({ extensions }) => extensions))
    expect([...all].sort()).toEqual([...graphicsExtensions].sort())
  })

  it('are remembered by the kind of artwork', () => {
    expect(kindOf([sprites, sprites])).toBe('sprites')
    expect(kindOf([sprites, { ...sprites, kind: 'characters' } as unknown as Artwork])).toBe('mixed')
  })
})
