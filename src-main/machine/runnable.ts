import { missingBasic } from '@shared/c64/basic/bootRom'
import { parsePrg, type Program } from '@shared/c64/prg'
import { AppError } from '@shared/contract/errors'
import { programFileKindOf } from '@shared/programFiles'
import type { ProgramControl, ProgramFile } from './facets'

/** @throws AppError UNSUPPORTED for a SID tune or a BASIC program that the machine does not run */
export function requireRunnable(programs: ProgramControl, { name, title = name, bytes }: ProgramFile): void {
  requireNoMusic(programs, title, bytes)
  if (programFileKindOf(name) === 'prg') requireBasicFor(programs, title, () => parsePrg(bytes))
}

interface PlacedProgram {
  readonly title: string
  readonly bytes: Uint8Array
  readonly at?: number
}

export function requireProgramRunnable(programs: ProgramControl, { title, bytes, at }: PlacedProgram): void {
  requireNoMusic(programs, title, bytes)
  requireBasicFor(programs, title, () => {
    const program = parsePrg(bytes)
    return { ...program, loadAddress: at ?? program.loadAddress }
  })
}

function requireBasicFor(programs: ProgramControl, title: string, parse: () => Program): void {
  if (programs.hasBasic?.() !== false) return
  const missing = missingBasic(parse())
  if (missing === null) return
  throw new AppError(
    'UNSUPPORTED',
    `${title} needs BASIC (${missing.word} in line ${missing.line}), and this machine has none: it uses Bridgedeck’s own ROMs.`,
    {
      hint: 'Choose the KERNAL and BASIC ROM of a C64 in the settings, or run it on a VICE that has them.',
      details: { lacks: 'basic' },
    },
  )
}

function requireNoMusic(programs: ProgramControl, title: string, bytes: Uint8Array): void {
  const tune = sidTune(bytes)
  const reason = tune === null ? undefined : programs.refuses?.().music
  if (reason === undefined) return
  throw new AppError('UNSUPPORTED', `${title} is ${tune}, which this machine does not play. ${reason}`, {
    hint: 'An Ultimate plays it.',
  })
}

/** Name and author of a SID file: 32 bytes each, Latin 1, filled up with 0. */
const NAME = 0x16
const AUTHOR = 0x36
const TEXT_SIZE = 32

/**
 * For example `a SID tune ("Title" by Author)`; null for any other file. Format: PSID v1 to v4 and RSID of the HVSC.
 */
function sidTune(bytes: Uint8Array): string | null {
  const text = (at: number, length: number) =>
    String.fromCharCode(...bytes.subarray(at, at + length))
      .split('\0', 1)
      .join('')
      .replaceAll(/\p{Cc}/gu, '')
      .trim()
  if (!/^[PR]SID$/.test(text(0, 4))) return null
  const [name, author] = [text(NAME, TEXT_SIZE), text(AUTHOR, TEXT_SIZE)]
  if (name === '') return 'a SID tune'
  return `a SID tune (“${name}”${author === '' ? '' : ` by ${author}`})`
}
