/** What a release consists of. */
import { join } from 'node:path'
import { runtimeFolders, shippedFolders } from '../../notices.mjs'
import { makeAppPackages } from '../appPackages.mjs'
import { electronRuntime } from '../electron.mjs'
import { packagedFolders, packPackage } from '../npmPackage.mjs'
import { root } from '../process.mjs'

/**
 * Each kind of artefact: `make` makes its files of the build that is there and returns their paths, `bundled` and `installed` name the
 * folders of packages that are in its programs, and that come beside them.
 */
const npmPackage = {
  make: async () => [(await packPackage(join(root, 'out'))).tarball],
  bundled: packagedFolders,
  installed: runtimeFolders,
}
const app = { make: async () => (await makeAppPackages()).files, bundled: shippedFolders, installed: () => [] }

/**
 * @returns {Promise<{ files: string[], shipped: { bundled: string[], installed: string[] }, without: string | undefined }>} `files` are
 *   paths; `without` says what this release lacks
 */
export async function makeArtifacts() {
  const { standIn, version } = await electronRuntime()
  const kinds = standIn ? [npmPackage] : [npmPackage, app]
  const without = standIn ? `the app’s packages: there is only the stand-in Electron ${version} here` : undefined
  const files = []
  for (const { make } of kinds) files.push(...(await make()))
  const folders = (way) => [...new Set(kinds.flatMap((kind) => kind[way]()))].sort()
  return { files, without, shipped: { bundled: folders('bundled'), installed: folders('installed') } }
}
