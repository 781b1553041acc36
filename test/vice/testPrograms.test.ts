/** The runner of test programs: by which signs it knows how a program ended, here and in VICE. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encode } from 'fast-png'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PICTURE_WIDTH, pictureHeight } from '@shared/c64/picture'
import { textToPetscii } from '@shared/c64/petscii'
import { defaultModels } from '@shared/contract/machine'
import { runProgram } from '../programs/run'
import { ownRoms } from '../support/ownRoms'
import { lacks } from '../support/parts'

/** Two seconds of PAL after the prompt, which VICE takes three seconds to reach with a program. */
const options = {
  roms: ownRoms,
  limit: 5_000_000,
  standard: 'pal',
  ...defaultModels,
  vice: true,
} as const

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-programs-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** 10 SYS 2061 and the code. */
function program(...code: number[]): string {
  const file = join(folder, 'program.prg')
  const line = [0x0b, 0x08, 0x0a, 0x00, 0x9e, 0x32, 0x30, 0x36, 0x31, 0x00, 0x00, 0x00]
  writeFileSync(file, Uint8Array.of(0x01, 0x08, ...line, ...code))
  return file
}
const STOP = [0xb8, 0x50, 0xfe]
const store = (value: number, address: number) => [0xa9, value, 0x8d, address & 0xff, address >> 8]
const print = (text: string) => [...textToPetscii(text)].flatMap((code) => [0xa9, code, 0x20, 0xd2, 0xff])

describe.skipIf(lacks('vice', 'xvfb'))('a test program', () => {
  it.each([
    ['passes with 0 at $D7FF', 'passed', [...store(0, 0xd7ff), ...store(2, 0xd020)]],
    ['fails with anything else there', 'failed', [...store(0xff, 0xd7ff), ...store(5, 0xd020)]],
    ['passes with a green border', 'passed', store(0xf5, 0xd020)],
    ['fails with a light red one', 'failed', store(10, 0xd020)],
    ['passes with the words of Lorenz’s suite', 'passed', print('\nadcb - ok\n')],
    ['fails with the registers that it shows', 'failed', print('\nafter  00 01\nright  00 02\n')],
    ['has no verdict when it only runs', 'no verdict', store(0, 0xd7fe)],
    ['has no verdict when it jams', 'no verdict', [0x02]],
  ] as const)('%s', async (_what, verdict, code) => {
    const { builtin, vice } = await runProgram(program(...code, ...STOP), options)
    expect([builtin.verdict, vice?.verdict]).toEqual([verdict, verdict])
  })

  it.each(['pal', 'ntsc'] as const)(
    'is compared with the picture of x64sc and with its reference, %s',
    async (standard) => {
      const file = program(...store(5, 0xd020), ...store(0, 0xd011), ...STOP)
      const size = { width: PICTURE_WIDTH, height: pictureHeight(standard) }
      const count = size.width * size.height
      // All green but for a black pixel.
      const data = Uint8Array.from({ length: 3 * count }, (_, at) => (at < 3 ? 0 : ([0x58, 0x8d, 0x43][at % 3] ?? 0)))
      mkdirSync(join(folder, 'references'), { recursive: true })
      writeFileSync(join(folder, 'references', 'program.prg.png'), encode({ ...size, data, channels: 3 }))
      const { differences } = await runProgram(file, { ...options, standard })
      expect(differences).toEqual({ vice: 0, reference: 1 })
    },
  )

  it('is compared in the same cycle, however fast its picture changes', async () => {
    const file = program(0xb8, 0xee, 0x20, 0xd0, 0xee, 0x21, 0xd0, 0x50, 0xf8)
    const { differences } = await runProgram(file, options)
    expect(differences.vice).toBe(0)
  })

  it('is shown with the text of its screen', async () => {
    const { builtin, vice } = await runProgram(program(...print('\nhello £5\n'), ...STOP), options)
    expect(builtin.text).toContain('HELLO £5')
    expect(vice?.text).toContain('HELLO £5')
  })
})
