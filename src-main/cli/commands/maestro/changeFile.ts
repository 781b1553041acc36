import { readFile, realpath, stat } from 'node:fs/promises'
import { AppError } from '@shared/contract/errors'
import { compareAndSwap } from '../../../files/compareAndSwap'
import { containedPath } from '../../../files/containedPath'
import { describeFileError } from '../../../files/fileErrors'
import { previewOf } from '../../../projects/edits/previewEdit'
import type { Output } from '../../output'
import { printPatch } from '../../patchText'
import { toned } from '../../printed'
import { patchTone } from '../../stateTones'

interface FileToChange {
  readonly folder: string
  readonly file: string
  readonly output: Output
  readonly signal: AbortSignal
  readonly isTrial: boolean
  readonly summary: string
  /** @param before null where there is no such file */
  readonly change: (before: string | null) => string | null
}

export async function changeFile(given: FileToChange): Promise<void> {
  const { file, output, isTrial, summary } = given
  const root = await realpath(given.folder).catch((error: unknown) => {
    throw describeFileError(error, given.folder, 'read')
  })
  const before = await readText(root, file)
  const after = given.change(before)
  const say = (message: string) => output.rawError(`${message}\n`)
  if (before === after) {
    say(`Nothing to change: ${file} already matches.`)
    return
  }
  if (isTrial) {
    const { files } = previewOf({ summary, warnings: [], changes: [{ file, before, after }] })
    output.print(printPatch(files).map((line) => toned(patchTone(line), line)))
    say('Nothing was written. Add --yes to write it.')
    return
  }
  const { aftermath } = await compareAndSwap({ file, before, after }, { root, isStrict: true, signal: given.signal })
  say((await aftermath) === undefined ? summary : `${summary} Another program wrote the same file: check it.`)
}

/** @throws AppError for a file that cannot be read, or lies outside the folder */
async function readText(root: string, file: string): Promise<string | null> {
  const path = await containedPath(file, { root, isStrict: true })
  const found = await stat(path).catch(() => undefined)
  if (!found) return null
  if (!found.isFile()) throw new AppError('INVALID', `${file} is not a file.`)
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw describeFileError(error, file, 'read')
  })
}
