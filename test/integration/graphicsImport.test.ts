/** `graphics export`, `import` and `convert` on the built-in C64 of a bridge in the background. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decode } from 'fast-png'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { TextScreen } from '@shared/graphics/artwork'
import type { ExportOptions } from '@shared/graphics/format'
import { petmate } from '@shared/graphics/formats/petmate'
import { rgbaPng } from '../../src-main/files/png'
import { CommandLine } from '../support/commandLine'

let calls: CommandLine
beforeAll(async () => {
  calls = new CommandLine()
  await calls.data('bridge', 'start')
})
afterAll(() => calls.remove())

const title: TextScreen = {
  kind: 'screen',
  name: 'title',
  mode: 'text',
  columns: 40,
  rows: 25,
  border: 14,
  backgrounds: [6, 0, 0, 0],
  codes: new Uint8Array(1000).fill(1),
  colours: new Uint8Array(1000).fill(14),
  characters: 'upper',
}
const options: ExportOptions = {
  name: '',
  palette: [],
  numbers: 'hex',
  scale: 1,
  columns: 16,
  address: 0,
  isTransparent: false,
  aspect: 'square',
  romCharacters: new Uint8Array(4096),
}
const SPRITE = '183c7e'.repeat(21)
const file = (name: string) => join(calls.folder, name)
const graphics = (...words: string[]) => calls.run('graphics', ...words)
const bytesSchema = z.object({ bytes: z.string() })
const read = async (address: string, length: number, bank = 'ram') => {
  const answer = await calls.data('read', '--address', address, '--length', String(length), '--bank', bank)
  return bytesSchema.parse(answer).bytes
}

describe('graphics of a machine', () => {
  it('go into a file and back to another address', async () => {
    await calls.data('write', '--address', '$2000', '--bytes', SPRITE)
    await calls.data('graphics', 'export', 'ship.spd', '--what', 'sprites', '--at', '$2000', '--count', '1')
    expect(await calls.data('graphics', 'import', 'ship.spd', '--at', '$3000')).toMatchObject({
      artwork: { kind: 'sprites', count: 1 },
      written: [{ space: 'ram', address: '$3000', bytes: 64 }],
    })
    expect(await read('$3000', 63)).toBe(SPRITE)
  })

  it('are shown where no address is given, with colours and mode', async () => {
    writeFileSync(
      file('field.koa'),
      Uint8Array.from({ length: 10_003 }, (_, at) => (at < 2 ? ([0, 0x60][at] ?? 0) : at & 0x0f)),
    )
    const { stdout } = await graphics('import', 'field.koa')
    expect(stdout).toContain(
      'Put a bitmap of field.koa into builtin: $2000 (8000 bytes), $0400 (1000 bytes), colour RAM (1000 bytes).',
    )
    expect(stdout).toContain('The VIC-II’s mode is multicolour bitmap.')
    expect(await read('$2000', 4)).toBe('02030405')
    const [control] = Buffer.from(await read('$D011', 1, 'io'), 'hex')
    expect((control ?? 0) & 0x60).toBe(0x20)
  })

  it('of a damaged file are loaded as far as they are there, and the call fails with what is wrong', async () => {
    await calls.data('graphics', 'export', 'two.spd', '--what', 'sprites', '--at', '$2000', '--count', '2')
    writeFileSync(file('cut.spd'), readFileSync(file('two.spd')).subarray(0, 100))
    await calls.data('write', '--address', '$3400', '--bytes', '00 '.repeat(64))
    const { code, stderr } = await graphics('import', 'cut.spd', '--at', '$3400')
    expect(code).toBe(1)
    expect(stderr).toMatch(/Byte \d+: Expected .*sprites/)
    expect(await read('$3400', 4)).toBe(await read('$2000', 4))
    expect(await graphics('convert', 'cut.spd', 'cut.png')).toMatchObject({ code: 1 })
  })

  it('are compared with a picture that was saved of them, and one of another size is told what to do', async () => {
    await calls.data('pause')
    await calls.data('screen', '--png', 'shot.png')
    expect(await calls.run('graphics', 'compare', 'shot.png')).toMatchObject({ code: 0 })
    writeFileSync(file('small.png'), rgbaPng({ width: 320, height: 200, rgba: new Uint8Array(320 * 200 * 4) }))
    const { code, stdout } = await calls.run('graphics', 'compare', 'small.png')
    expect(code).toBe(1)
    expect(stdout).toMatch(/The sizes differ: 320 x 200 and 384 x \d+ pixels\. .*--save of the same file/)
    await calls.data('resume')
  })

  it('have one line for the sprites that are off', async () => {
    await calls.data('write', '--address', '$d015', '--bytes', '05', '--bank', 'io')
    const { stdout } = await calls.run('sprite', 'list')
    expect(stdout).toMatch(/^0 .*\n2 .*\nOff: 1, 3, 4, 5, 6, 7\.$/m)
    await calls.data('write', '--address', '$d015', '--bytes', '00', '--bank', 'io')
    expect((await calls.run('sprite', 'list')).stdout).toContain('All sprites are off.')
  })

  it('of a sound file that is not loaded as it is succeed, with a note', async () => {
    const header = [...Buffer.from('SPD'), 5, 0, 1, 0, 0, 0, 0, 0, 1, 1, 6, 11, 12]
    writeFileSync(file('apart.spd'), Uint8Array.from([...header, 2, 0, 1, 0, ...Buffer.alloc(64, 0x18)]))
    const notes = [expect.stringMatching(/^Byte 16: Overlays are 2 sprites apart/) as string]
    expect(await calls.data('graphics', 'convert', 'apart.spd', 'apart.spm')).toMatchObject({ notes })
    expect(await calls.data('graphics', 'import', 'apart.spd', '--at', '$3800')).toMatchObject({ notes })
    const { code, stdout } = await graphics('import', 'apart.spd', '--at', '$3800')
    expect(code).toBe(0)
    expect(stdout).toContain('Overlays are 2 sprites apart')
  })

  it('that are text in characters of the ROM are drawn with them, whose they are is said', async () => {
    // So that the cursor does not blink between two pictures.
    await calls.data('pause')
    const codes = Uint8Array.from({ length: 1000 }, (_, at) => at & 0xff)
    await calls.data('write', '--address', '$0400', '--bytes', Buffer.from(codes).toString('hex'))
    for (const [address, bytes] of [
      ['$D011', '1b'],
      ['$D016', 'c8'],
      ['$D018', '15'],
    ] as const)
      await calls.data('write', '--address', address, '--bytes', bytes, '--bank', 'io')
    await calls.data('graphics', 'export', 'text.petmate', '--what', 'screen')
    expect(await calls.data('graphics', 'export', 'text.png', '--what', 'screen')).toMatchObject({ notes: [] })
    expect(await calls.data('graphics', 'convert', 'text.petmate', 'converted.png')).toMatchObject({
      notes: ['Text is drawn with Bridgedeck’s own characters.'],
    })
    const [shown, converted] = [file('text.png'), file('converted.png')].map((path) => decode(readFileSync(path)))
    expect(converted?.data).toEqual(shown?.data)
    expect(new Set(shown?.data).size).toBeGreaterThan(1)
  })

  it('of which a file holds several are taken one by one, and what holds one alone says which hold more', async () => {
    const twice = petmate.write?.(
      ['first', 'second'].map((name) => ({ ...title, name })),
      options,
    )
    writeFileSync(file('twice.petmate'), twice ?? '')
    const refused = await graphics('convert', 'twice.petmate', 'both.png')
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.stderr).toMatch(/PNG picture holds one, and these are 2\.[^]*petmate, [^]*--pick/)
    expect(await calls.data('graphics', 'convert', 'twice.petmate', 'second.png', '--pick', '2')).toMatchObject({
      artworks: [{ kind: 'screen', name: 'second' }],
    })
    expect(await calls.data('graphics', 'import', 'twice.petmate', '--pick', '2')).toMatchObject({
      artwork: { name: 'second' },
    })
    const missing = await graphics('convert', 'twice.petmate', 'third.png', '--pick', '3')
    expect(missing).toMatchObject({ code: 1 })
    expect(missing.stderr).toContain('holds 2, and none with the number 3')
  })

  it('that a file’s ending does not hold are refused with the formats that do', async () => {
    writeFileSync(file('one.petmate'), petmate.write?.([title], options) ?? '')
    const { code, stderr } = await graphics('convert', 'one.petmate', 'one.spd')
    expect(code).toBe(2)
    expect(stderr).toMatch(/SpritePad Pro 5 does not hold screens\. Give --format: petmate, /)
    const several = await graphics('convert', 'one.petmate', 'one.prg')
    expect(several.stderr).toMatch(/one\.prg” does not say in which format to write a screen\. Give --format: .*viewer/)
  })

  it('are refused with the reason where there are none', async () => {
    writeFileSync(file('nothing.spd'), new Uint8Array(2))
    expect((await graphics('import', 'nothing.spd')).stderr).toContain('Nothing of it was loaded')
    writeFileSync(file('unknown.xyz'), new Uint8Array(20))
    expect((await graphics('import', 'unknown.xyz')).stderr).toContain('no known file of graphics')
    expect((await graphics('import', 'missing.spd')).stderr).toContain('There is no file missing.spd')
    expect(await graphics('export', 'x.spd', '--palette', 'none.vpl')).not.toMatchObject({ code: 0 })
  })
})
