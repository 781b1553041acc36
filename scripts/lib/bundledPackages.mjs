import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './process.mjs'

/** A list for each bundle, `out/packages/<bundle>.json`: the folders of the packages that have code or styles in it. */
export const packagesFolder = join(root, 'out', 'packages')

/** Vite's plugin that writes the list of one bundle, for `npm run notices`. */
export const listPackages = (bundleName) => ({
  name: 'list-packages',
  generateBundle(_, bundle) {
    const modules = Object.values(bundle).flatMap((chunk) => Object.entries(chunk.modules ?? {}))
    const used = modules.filter(([id, { renderedLength }]) => renderedLength > 0 || id.endsWith('.css'))
    const folders = used.flatMap(([id]) => packageFolder(id) ?? [])
    mkdirSync(packagesFolder, { recursive: true })
    writeFileSync(
      join(packagesFolder, `${bundleName}.json`),
      JSON.stringify([...new Set(folders)].sort(), undefined, 2),
    )
  },
})

/** @returns {string | undefined} such as `node_modules/zod`, the innermost; undefined for the project's own modules */
export function packageFolder(moduleId) {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/
    .exec(moduleId.replaceAll('\\', '/'))?.[0]
    .replace(/^.*?(?=node_modules\/)/, '')
}
