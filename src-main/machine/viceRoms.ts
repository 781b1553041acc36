/** Finds the Commodore ROMs of an installed VICE; many packages of VICE come without them. */
import { existsSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

export interface ViceRoms {
  readonly kernal: string
  readonly basic: string
  readonly character: string
}

/** Those of 3.6 and later first. */
const files = {
  kernal: { size: 8192, names: ['kernal-901227-03.bin', 'kernal-901227-02.bin', 'kernal-901227-01.bin', 'kernal'] },
  basic: { size: 8192, names: ['basic-901226-01.bin', 'basic'] },
  character: { size: 4096, names: ['chargen-901225-01.bin', 'chargen'] },
} as const

/** The paths of all three ROMs in one data folder of VICE, or null. `executable` is the VICE that the user chose, if any. */
export function findViceRoms(executable: string | null): ViceRoms | null {
  for (const folder of dataFolders(executable)) {
    const kernal = findRom(folder, 'kernal')
    const basic = findRom(folder, 'basic')
    const character = findRom(folder, 'character')
    if (kernal && basic && character) return { kernal, basic, character }
  }
  return null
}

function findRom(folder: string, part: keyof typeof files): string | undefined {
  const { size, names } = files[part]
  return names
    .map((name) => join(folder, name))
    .find((path) => statSync(path, { throwIfNoEntry: false })?.size === size)
}

function dataFolders(executable: string | null): string[] {
  // Windows and macOS packages have the data beside the program, Unix packages in share or lib of the same prefix.
  const beside = executable !== null && existsSync(executable) ? dirname(realpathSync(executable)) : null
  const nearby = ['.', '..', '../share/vice', '../lib/vice', '../Resources'].flatMap((way) =>
    beside === null ? [] : resolve(beside, way),
  )
  const installed = [
    '/usr/share/vice',
    '/usr/lib/vice',
    '/usr/local/share/vice',
    '/usr/local/lib/vice',
    '/opt/homebrew/share/vice',
  ]
  const own = ['.local/share/vice', '.config/vice', '.vice'].map((folder) => join(homedir(), folder))
  return [...nearby, ...own, ...installed].map((folder) => join(folder, 'C64'))
}
