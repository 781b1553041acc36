import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileSync } from 'atomically'
import { z } from 'zod'
import { describeFileError, isCode } from '../../files/fileErrors'
import { makePrivateFolder, restrict } from '../../files/privateFiles'

const TOKEN_BYTES = 32

const serverSchema = z.object({
  url: z.url(),
  token: z
    .string()
    .min(32)
    .max(200)
    .regex(/^[\w-]+$/),
})
export type KnownServer = z.infer<typeof serverSchema>

const fileIn = (dataFolder: string): string => join(dataFolder, 'serve.json')

export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

export function readServer(dataFolder: string): KnownServer | undefined {
  const file = fileIn(dataFolder)
  try {
    restrict(file)
    return serverSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data
  } catch (error) {
    if (error instanceof SyntaxError || isCode(error, 'ENOENT')) return undefined
    throw describeFileError(error, file, 'read')
  }
}

export function writeServer(dataFolder: string, server: KnownServer): void {
  makePrivateFolder(dataFolder)
  const file = fileIn(dataFolder)
  try {
    writeFileSync(file, `${JSON.stringify(server, undefined, 2)}\n`, { mode: 0o600 })
    restrict(file)
  } catch (error) {
    throw describeFileError(error, file, 'written')
  }
}
