/**
 * Lets plain Node run the project's TypeScript, for tests that need real processes:
 * `node --import ./test/support/typescript.mjs program.ts`. Node strips the types; this finds the files.
 */
import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { resolve as resolvePath } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const shared = resolvePath(import.meta.dirname, '../../src-shared')

registerHooks({
  resolve(specifier, context, next) {
    const isShared = specifier.startsWith('@shared/')
    if (!isShared && (!specifier.startsWith('.') || context.parentURL?.includes('/node_modules/')))
      return next(specifier, context)
    const path = isShared
      ? resolvePath(shared, specifier.slice('@shared/'.length))
      : fileURLToPath(new URL(specifier, context.parentURL ?? import.meta.url))
    const file = [path, `${path}.ts`].find((name) => /\.[cm]?[jt]s$/.test(name) && existsSync(name))
    return next(file === undefined ? specifier : pathToFileURL(file).href, context)
  },
})
