import { z } from 'zod'

export const MAX_PATH_CHARACTERS = 8192

export const savedFileSchema = z.strictObject({
  name: z.string().max(300),
  path: z.string().max(MAX_PATH_CHARACTERS),
  grant: z.string().min(16).max(64),
})
export type SavedFile = z.infer<typeof savedFileSchema>

export const savedOutput = z.strictObject({ saved: savedFileSchema.nullable() })
