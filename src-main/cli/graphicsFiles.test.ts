import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { palettes } from '@shared/c64/palettes'
import { paletteOf, writeOptions } from './graphicsFiles'

describe('the palette of pictures', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bridgedeck-palette-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const paletteFrom = (text: string) => paletteOf(writeOptions.palette.read([text], '--palette', folder))

  it('is known by its name, or comes from a file of VICE', async () => {
    expect(await paletteOf(writeOptions.palette.read([], '--palette', folder))).toBe(palettes.pepto)
    expect(await paletteFrom('colodore')).toBe(palettes.colodore)
    const colours = Array.from({ length: 16 }, (_, n) => n * 0x11)
    const lines = colours.map((colour) => `00 00 ${colour.toString(16).padStart(2, '0')} 0`)
    await writeFile(join(folder, 'own.vpl'), ['# greys', ...lines].join('\n'))
    expect(await paletteFrom('own.vpl')).toEqual(colours)
  })

  it('says where a damaged file is damaged, and what is no palette', async () => {
    await writeFile(join(folder, 'damaged.vpl'), '# two\n00 00 00 0\nred\n')
    await expect(paletteFrom('damaged.vpl')).rejects.toMatchObject({
      code: 'INVALID',
      message: expect.stringContaining('damaged.vpl:3:') as unknown,
    })
    await writeFile(join(folder, 'short.vpl'), '00 00 00 0\n')
    await expect(paletteFrom('short.vpl')).rejects.toMatchObject({ code: 'INVALID' })
    await writeFile(join(folder, 'huge.vpl'), Buffer.alloc(70_000, 0x23))
    await expect(paletteFrom('huge.vpl')).rejects.toMatchObject({ code: 'INVALID' })
    await expect(paletteFrom('missing.vpl')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(() => writeOptions.palette.read(['pepta'], '--palette', folder)).toThrow(/one of pepto/)
  })
})
