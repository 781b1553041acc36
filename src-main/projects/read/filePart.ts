import { realpath } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { Output } from '@shared/contract/contract'
import { AppError } from '@shared/contract/errors'
import { isInside } from '../../files/containedPath'
import { stampOf } from './projectDisk'
import { readStateFile } from './readStateFile'

const LINES_AROUND = 1_000
const MAX_SHOWN_CHARACTERS = 200_000

/** @throws AppError FORBIDDEN for a file outside, NOT_FOUND, INVALID for what is no text */
export async function readPart(root: string, file: string, line: number): Promise<Output<'projects.file'>> {
  if (isAbsolute(file) || file.split(/[/\\]/).includes('..')) throw outside(file)
  const { text, modifiedAt, findings } = await readStateFile(root, file)
  if (text !== null) return partOf(text, line, modifiedAt)
  const [problem] = findings
  if (problem?.rule === 'project/outside') throw outside(file)
  if (stampOf(root, file) === '') throw new AppError('NOT_FOUND', `There is no file ${file} in the project.`)
  throw new AppError(
    'INVALID',
    `${file} cannot be shown: it is ${problem?.found ?? 'not text'}; expected ${problem?.expected ?? 'text'}.`,
    { hint: 'Open it with another program.' },
  )
}

/** @param writtenAt of the file, ms since 1970 */
export function partOf(text: string, line: number, writtenAt: number | null): Output<'projects.file'> {
  const lines = text.split('\n')
  const first = Math.max(0, Math.min(line, lines.length) - 1 - LINES_AROUND)
  const part = lines.slice(first, first + 2 * LINES_AROUND + 1).join('\n')
  return {
    firstLine: first + 1,
    text: part.slice(0, MAX_SHOWN_CHARACTERS),
    lines: lines.length,
    size: Buffer.byteLength(text),
    writtenAt,
  }
}

/**
 * Links resolved.
 * @throws AppError FORBIDDEN for one outside, NOT_FOUND
 */
export async function locateFile(root: string, file: string): Promise<string> {
  if (isAbsolute(file) || file.split(/[/\\]/).includes('..')) throw outside(file)
  const path = await realpath(join(root, file)).catch(() => undefined)
  if (path === undefined) throw new AppError('NOT_FOUND', `There is no file ${file} in the project.`)
  if (!isInside(root, path)) throw outside(file)
  return path
}

const outside = (file: string): AppError =>
  new AppError('FORBIDDEN', `${file} is outside the project.`, {
    hint: 'Bridgedeck reads nothing outside the folder that you opened.',
  })
