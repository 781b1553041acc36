/**
 * Security: a project's `.env` can add words to agents' command lines. A person accepts exactly these words once, for
 * every run in the folder.
 */
import { createHash } from 'node:crypto'
import { AppError } from '@shared/contract/errors'
import type { Remembered } from './loop'

export const folderMemory = (folder: string): string => `folder:${folder}`

const ACCEPTED = 'acceptedEnv'

const digestOf = (words: string): string => createHash('sha256').update(words).digest('hex')

export const isAccepted = (remembered: Remembered, words: string): boolean =>
  words === '' || remembered.get(ACCEPTED) === digestOf(words)

export const accept = (remembered: Remembered, words: string): void => remembered.set({ [ACCEPTED]: digestOf(words) })

/** @throws AppError FORBIDDEN where the words were not accepted */
export function requireAccepted(remembered: Remembered, words: string): void {
  if (isAccepted(remembered, words)) return
  throw new AppError(
    'FORBIDDEN',
    `The .env of this folder changes the agents’ command lines: ${words.replaceAll('\n', ', ')}.`,
    { hint: 'Check and accept it above Run in the window, or run it once with --accept-env.' },
  )
}
