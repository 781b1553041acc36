/** Whether out/ holds what the sources are now. Imports Node only. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './process.mjs'

/** Everything that the build reads. Its own results lie in out/. */
const sources = [
  'src-client',
  'src-main',
  'src-preload',
  'src-renderer',
  'src-shared',
  'resources',
  'docs',
  'scripts/build.mjs',
  'scripts/assemble.mjs',
  'scripts/lib/bundledPackages.mjs',
  'scripts/lib/pagePlugins.ts',
  'scripts/lib/programs.mjs',
]
const configuration = ['electron.vite.config.ts', 'tsconfig.json', 'package.json', 'package-lock.json']
const stamp = join(root, 'out', '.built')

/** A hash that changes when a source file is added, removed or written. */
export function fingerprint() {
  const hash = createHash('sha256')
  const visit = (path) => {
    const found = statSync(join(root, path), { throwIfNoEntry: false })
    if (found === undefined || path.includes('.test.')) return
    if (found.isDirectory()) for (const name of readdirSync(join(root, path)).sort()) visit(`${path}/${name}`)
    else hash.update(`${path} ${found.size} ${found.mtimeMs}\n`)
  }
  for (const path of [...sources, ...configuration]) visit(path)
  return hash.digest('hex')
}

/** Whether a build was finished, be it of older sources. */
export const wasBuilt = () => existsSync(stamp)

export const isBuilt = () => wasBuilt() && readFileSync(stamp, 'utf8') === fingerprint()

/** Before a build: one that fails leaves out/ half-written. */
export const unmarkBuilt = () => rmSync(stamp, { force: true })

/** @param {string} sourcesBefore their fingerprint when the build began */
export const markBuilt = (sourcesBefore) => writeFileSync(stamp, sourcesBefore)
