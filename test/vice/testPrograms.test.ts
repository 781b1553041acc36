/** The runner of test programs: by which signs it knows how a program ended, here and in VICE. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { textToPetscii } from '@shared/c64/petscii'
import { runProgram } from '../programs/run'
import { ownRoms } from '../support/ownRoms'
import { lacks } from '../support/parts'

/** Two seconds of PAL after the prompt, which VICE takes three seconds to reach with a program. */
const options = { roms: ownRoms, limit: 5_000_000, ciaModel: '8521', vice: true } as const

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

  it('is shown with the text of its screen', async () => {
    const { builtin, vice } = await runProgram(program(...print('\nhello £5\n'), ...STOP), options)
    expect(builtin.text).toContain('HELLO £5')
    expect(vice?.text).toContain('HELLO £5')
  })
})
