/** A skill's folder is untrusted: everything is bounded, and no link is followed. */
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { within, type Listing } from '../../formats/listing'
import { markdownOf, relativeTo } from '../../formats/tuning/skills'
import type { SkillFile } from '../../formats/tuning/scan/skillText'
import { readStateFile } from '../../projects/read/readStateFile'

const MAX_FILES = 5_000
const MAX_FILE_CHARACTERS = 1_000_000
const MAX_CHARACTERS = 32_000_000

export interface SkippedFile {
  readonly file: string
  readonly reason: string
}

export interface SkillOnDisk {
  readonly files: readonly SkillFile[]
  readonly skipped: readonly SkippedFile[]
}

/** @param folder relative to the root; empty for the root itself */
export async function readSkill(
  root: string,
  listing: Listing,
  folder: string,
  signal: AbortSignal,
): Promise<SkillOnDisk> {
  const paths = markdownOf(listing, folder).map((path) => relativeTo(folder, path))
  const files: SkillFile[] = []
  const skipped: SkippedFile[] = paths
    .slice(MAX_FILES)
    .map((file) => ({ file, reason: `more than ${MAX_FILES} files` }))
  let characters = 0
  for (const path of paths.slice(0, MAX_FILES)) {
    signal.throwIfAborted()
    const place = within(folder, path)
    const reason =
      lstatSync(join(root, place), { throwIfNoEntry: false })?.isSymbolicLink() === true ? 'a symbolic link' : undefined
    const { text, findings } = reason === undefined ? await readStateFile(root, place) : { text: null, findings: [] }
    if (text === null) skipped.push({ file: path, reason: reason ?? findings[0]?.found ?? 'unreadable' })
    else if (text.length > MAX_FILE_CHARACTERS)
      skipped.push({ file: path, reason: `more than ${MAX_FILE_CHARACTERS / 1e6} MB` })
    else if (characters + text.length > MAX_CHARACTERS)
      skipped.push({ file: path, reason: `more than ${MAX_CHARACTERS / 1e6} MB together` })
    else {
      files.push({ path, text })
      characters += text.length
    }
  }
  if (files.length === 0)
    throw new AppError('INVALID', `No Markdown file of ${folder === '' ? 'this skill' : folder} can be read.`, {
      hint: 'Check the folder’s files and their permissions.',
    })
  return { files, skipped }
}
