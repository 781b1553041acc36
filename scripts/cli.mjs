#!/usr/bin/env node
/** `bridgedeck …` and `npm run -s cli -- …`: the command line of Bridgedeck, set up first where that is needed. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fail, root } from './lib/process.mjs'
import { ensureSetup } from './lib/setup.mjs'

// npm starts its scripts here, and keeps the caller's folder in INIT_CWD; elsewhere it is that of another package's script.
if (process.cwd() !== root) delete process.env.INIT_CWD
await ensureSetup().catch(fail)
const program = join(root, 'out', 'main', 'cli.cjs')
process.argv[1] = program
createRequire(program)(program)
