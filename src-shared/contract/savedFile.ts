import { z } from 'zod'

export const MAX_PATH_CHARACTERS = 8192

/** A file that was written where the person said. */
export const savedFileSchema = z.strictObject({
  name: z.string().max(300),
  /** On this computer, in full; to be read only. */
  path: z.string().max(MAX_PATH_CHARACTERS),
  /** Stands for it in `window.showSaved`. */
  grant: z.string().min(16).max(64),
})
export type SavedFile = z.infer<typeof savedFileSchema>

/** Null where the person cancelled the dialog. */
export const savedOutput = z.strictObject({ saved: savedFileSchema.nullable() })
