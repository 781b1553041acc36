/** Names of a project's files, relative to the project with `/`, as commands, events and keys carry them. */
import { z } from 'zod'

const MAX_FILE_NAME_CHARACTERS = 1000

/** Controls would be obeyed by a terminal or end a line; U+FFFD and halves of pairs stand for bytes that are no text, and name no file. */
const UNSHOWABLE = /[\p{Cc}\p{Cs}\uFFFD]/u

/** Whether a name can be shown, put into a key and found again by it. */
export const isFileName = (path: string): boolean => path.length <= MAX_FILE_NAME_CHARACTERS && !UNSHOWABLE.test(path)

export const fileName = z
  .string()
  .min(1)
  .max(MAX_FILE_NAME_CHARACTERS)
  .regex(/^\P{Cc}+$/u)
