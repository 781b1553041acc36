import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findViceRoms } from './viceRoms'

/** A home with nothing in it, so that only what the test puts there is found; the system's own folders stay. */
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-roms-'))
  vi.stubEnv('HOME', join(folder, 'home'))
  vi.stubEnv('USERPROFILE', join(folder, 'home'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

function put(path: string, size: number): string {
  const whole = join(folder, path)
  mkdirSync(dirname(whole), { recursive: true })
  writeFileSync(whole, new Uint8Array(size))
  return whole
}

function putAll(
  data: string,
  names: [string, string, string] = ['kernal-901227-03.bin', 'basic-901226-01.bin', 'chargen-901225-01.bin'],
) {
  const [kernal, basic, character] = names
  return {
    kernal: put(`${data}/${kernal}`, 8192),
    basic: put(`${data}/${basic}`, 8192),
    character: put(`${data}/${character}`, 4096),
  }
}

describe('the ROMs of a VICE', () => {
  it.each(['bin/../share/vice/C64', 'bin/../lib/vice/C64', 'bin/C64', 'bin/../C64', 'bin/../Resources/C64'])(
    'are found in %s',
    (data) => {
      const executable = put('bin/x64sc', 1)
      const found = putAll(join(data))
      expect(findViceRoms(executable)).toEqual(found)
    },
  )

  it('are found beside what a link points to', () => {
    const executable = put('vice/bin/x64sc', 1)
    const found = putAll('vice/share/vice/C64')
    symlinkSync(executable, join(folder, 'x64sc'))
    expect(findViceRoms(join(folder, 'x64sc'))).toEqual(found)
  })

  it('are found in the home folder, under the names of older versions too', () => {
    const found = putAll('home/.local/share/vice/C64', ['kernal', 'basic', 'chargen'])
    expect(findViceRoms(null)).toEqual(found)
  })

  it('count only when all three are there in their sizes', () => {
    const executable = put('bin/x64sc', 1)
    const found = putAll('share/vice/C64')
    put('share/vice/C64/kernal-901227-03.bin', 100)
    expect(findViceRoms(executable)).not.toEqual(found)
    const other = put('share/vice/C64/kernal', 8192)
    expect(findViceRoms(executable)).toEqual({ ...found, kernal: other })
  })
})
