import { existsSync } from 'node:fs'
import { join } from 'node:path'

export type Installation = 'checkout' | 'package' | 'app'

export function installationOf(out: string): Installation {
  if (existsSync(join(out, '..', 'scripts', 'cli.mjs'))) return 'checkout'
  return existsSync(join(out, '..', '..', 'app.asar')) ? 'app' : 'package'
}
