/** What a person keeps of graphics, apart from machines and projects. */
import { z } from 'zod'
import { bridgeCommand } from './define'
import { bytesSchema } from './memory'

export const MAX_SHEET_BYTES = 4 * 1024 * 1024

const sheet = bytesSchema(MAX_SHEET_BYTES)

export const graphicsCommands = {
  /** As it was kept last, see graphics/sheetFile; null before. */
  'graphics.sheet': bridgeCommand({ input: z.strictObject({}), output: z.strictObject({ bytes: sheet.nullable() }) }),
  'graphics.keepSheet': bridgeCommand({
    input: z.strictObject({
      bytes: sheet,
      /** Whether the sheet before stays beside this one, as some of it could not be read. */
      setsAside: z.boolean(),
    }),
    output: z.strictObject({}),
  }),
} as const
