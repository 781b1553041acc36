import { z } from 'zod'
import { AppError } from '@shared/contract/errors'

export const PACKAGE_FILE = 'package.json'
export const EXTENSION_FILE = 'gemini-extension.json'

const packageSchema = z.object({ version: z.string().min(1).max(200) })
const extensionSchema = z.record(z.string(), z.json())

/** As `sync-version.js` writes it: two spaces, and a line end. */
export function syncVersion(packageText: string, extensionText: string): string {
  const { version } = parse(PACKAGE_FILE, packageText, packageSchema)
  const extension = parse(EXTENSION_FILE, extensionText, extensionSchema)
  return `${JSON.stringify({ ...extension, version }, null, 2)}\n`
}

function parse<T>(file: string, text: string, schema: z.ZodType<T>): T {
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw new AppError('INVALID', `${file} is not a JSON object${file === PACKAGE_FILE ? ' with a version' : ''}.`, {
      cause,
    })
  }
}
