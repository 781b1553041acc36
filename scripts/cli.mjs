/** `npm run -s cli -- …`: the command line of Bridgedeck, set up first where that is needed. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fail, root } from './lib/process.mjs'
import { ensureSetup } from './lib/setup.mjs'

await ensureSetup().catch(fail)
const program = join(root, 'out', 'main', 'cli.cjs')
process.argv[1] = program
createRequire(program)(program)
