import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** A checkout of the sources, the npm package of the command line, or the packaged app with its window. */
export type Installation = 'checkout' | 'package' | 'app'

/** @param out the folder of the built programs and their resources */
export function installationOf(out: string): Installation {
  if (existsSync(join(out, '..', 'scripts', 'cli.mjs'))) return 'checkout'
  return existsSync(join(out, '..', '..', 'app.asar')) ? 'app' : 'package'
}
