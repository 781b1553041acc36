import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const packageSchema = z.object({ version: z.string() })

/** Bridgedeck's version. @param resources the folder of its resources */
export const ownVersion = (resources: string): string =>
  packageSchema.parse(JSON.parse(readFileSync(join(resources, '../../package.json'), 'utf8'))).version
