import { basename, join } from 'node:path'
import type { StandInRom } from '@shared/c64/standInRom'
import { AppError } from '@shared/contract/errors'
import type { Settings } from '@shared/contract/settings'
import { readBounded } from '../../files/readBounded'
import { findViceRoms } from '../viceRoms'
import type { Roms } from './pla'

/** Null where our own is wanted. */
export type RomPaths = Readonly<Record<'kernal' | 'basic' | 'character', string | null>>

export function romPathsIn({ kernalRom, basicRom, characterRom, useViceRoms, viceExecutable }: Settings): RomPaths {
  const vice = useViceRoms ? findViceRoms(viceExecutable) : null
  return {
    kernal: kernalRom ?? vice?.kernal ?? null,
    basic: basicRom ?? vice?.basic ?? null,
    character: characterRom ?? vice?.character ?? null,
  }
}

const parts = {
  kernal: { name: 'KERNAL', file: 'kernal.bin', size: 8192 },
  basic: { name: 'BASIC', file: 'basic.bin', size: 8192 },
  character: { name: 'character', file: 'chargen.bin', size: 4096 },
} as const
type Part = keyof typeof parts

/**
 * A person's file that cannot be used is replaced by our own, with a notice; KERNAL and BASIC are replaced together, as
 * they only run as a pair.
 * @param resources the folder with our own images
 * @returns also whether BASIC is complete, which our own is not
 * @throws AppError NOT_FOUND when our own images are missing
 */
export async function loadRoms(
  resources: string,
  paths: RomPaths,
): Promise<{ roms: Roms; notices: string[]; hasBasic: boolean }> {
  const notices: string[] = []
  const chosen: Partial<Record<Part, Uint8Array>> = {}
  for (const part of ['kernal', 'basic', 'character'] as const) {
    const path = paths[part]
    if (path === null) continue
    try {
      chosen[part] = await readRom(part, path)
    } catch (error) {
      notices.push(
        `${basename(path)} cannot be used as the ${parts[part].name} ROM (${describeFileError(error)}); Bridgedeck’s own is used instead.`,
      )
    }
  }
  if ((chosen.kernal === undefined) !== (chosen.basic === undefined)) {
    const missing = chosen.kernal === undefined ? parts.kernal.name : parts.basic.name
    notices.push(`KERNAL and BASIC ROM only work together, and there is no ${missing} ROM: Bridgedeck’s own are used.`)
    delete chosen.kernal
    delete chosen.basic
  }
  const own = async (part: Part) => chosen[part] ?? (await readOwn(part, resources))
  const roms = { kernal: await own('kernal'), basic: await own('basic'), character: await own('character') }
  const files = (['kernal', 'basic', 'character'] as const).flatMap((part) =>
    chosen[part] ? [basename(paths[part] ?? '')] : [],
  )
  notices.unshift(files.length === 0 ? 'ROMs: Bridgedeck’s own.' : `ROMs: ${files.join(', ')}.`)
  return { roms, notices, hasBasic: chosen.basic !== undefined }
}

/** @throws AppError NOT_FOUND when our own image is missing */
export async function loadCharacterRom(resources: string, path: string | null): Promise<StandInRom> {
  const own = async (problem: string | null) => ({ bytes: await readOwn('character', resources), file: null, problem })
  if (path === null) return own(null)
  const file = basename(path)
  try {
    return { bytes: await readRom('character', path), file, problem: null }
  } catch (error) {
    return own(`${file} cannot be used (${describeFileError(error)}).`)
  }
}

async function readRom(part: Part, path: string): Promise<Uint8Array> {
  const { size } = parts[part]
  const bytes = await readBounded(path, size, 'it')
  if (bytes.length !== size) throw new AppError('INVALID', `it has ${bytes.length} bytes, not ${size}`)
  return bytes
}

async function readOwn(part: Part, resources: string): Promise<Uint8Array> {
  try {
    return await readRom(part, join(resources, parts[part].file))
  } catch (error) {
    throw new AppError(
      'NOT_FOUND',
      `Bridgedeck’s own ${parts[part].name} ROM (${parts[part].file}) cannot be read: ${describeFileError(error)}.`,
      {
        hint: 'Build Bridgedeck again (npm run build), or install it again.',
        cause: error,
      },
    )
  }
}

export function describeFileError(error: unknown): string {
  const ofSystem = error instanceof AppError ? error.cause : error
  const code = ofSystem instanceof Error && 'code' in ofSystem ? String(ofSystem.code) : 'unknown error'
  if (code === 'ENOENT') return 'there is no such file'
  if (code === 'EACCES') return 'it may not be read'
  return error instanceof AppError ? error.message.replace(/\.$/, '') : code
}
