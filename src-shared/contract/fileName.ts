import { z } from 'zod'

const MAX_FILE_NAME_CHARACTERS = 1000

/**
 * A terminal would obey controls, or they would end a line; U+FFFD and unpaired surrogates stand for bytes that are not
 * text, and name no file.
 */
const UNSHOWABLE = /[\p{Cc}\p{Cs}\uFFFD]/u

export const isFileName = (path: string): boolean => path.length <= MAX_FILE_NAME_CHARACTERS && !UNSHOWABLE.test(path)

export const fileName = z
  .string()
  .min(1)
  .max(MAX_FILE_NAME_CHARACTERS)
  .regex(/^\P{Cc}+$/u)
