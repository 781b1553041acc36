import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const packageSchema = z.object({ name: z.string(), version: z.string() })

export const ownPackage = (resources: string): { readonly name: string; readonly version: string } =>
  packageSchema.parse(JSON.parse(readFileSync(join(resources, '../../package.json'), 'utf8')))
