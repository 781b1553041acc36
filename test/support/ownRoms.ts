/** Bridgedeck's own ROMs and demo as they are built: their files, their bytes, and what gives them to a VICE. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Roms } from '../../src-main/machine/builtin/pla'

const file = (name: string): string => resolve(import.meta.dirname, '../../out/resources/c64', name)

export type RomFiles = Readonly<Record<keyof Roms, string>>

export const ownRoms: RomFiles = {
  kernal: file('kernal.bin'),
  basic: file('basic.bin'),
  character: file('chargen.bin'),
}
export const demo = file('demo.prg')

export const readRoms = ({ kernal, basic, character }: RomFiles = ownRoms): Roms => ({
  kernal: bytesOf(kernal),
  basic: bytesOf(basic),
  character: bytesOf(character),
})

const bytesOf = (path: string): Uint8Array => new Uint8Array(readFileSync(path))

/** VICE's defaults with these ROMs, which have no disk drive. */
export const viceRomOptions = ({ kernal, basic, character }: RomFiles = ownRoms): string[] => [
  '-default',
  '-kernal',
  kernal,
  '-basic',
  basic,
  '-chargen',
  character,
  '-drive8type',
  '0',
]

/** Of x64sc's window: a pixel for a pixel, which takes half the processor time of what it shows by itself. */
export const plainWindow = ['-VICIIfilter', '0', '+VICIIdsize'] as const
