/** What a release consists of. */
import { join } from 'node:path'
import { runtimeFolders } from '../../notices.mjs'
import { packagedFolders, packPackage } from '../npmPackage.mjs'
import { root } from '../process.mjs'

/**
 * Each kind of artefact: `make` makes its files of the build that is there and returns their paths, `bundled` and `installed` name the
 * folders of packages that are in its programs, and that come beside them. The app's files belong here, with `shippedFolders`.
 */
const kinds = [
  {
    make: async () => [(await packPackage(join(root, 'out'))).tarball],
    bundled: packagedFolders,
    installed: runtimeFolders,
  },
]

/** @returns {Promise<{ files: string[], shipped: { bundled: string[], installed: string[] } }>} `files` are paths */
export async function makeArtifacts() {
  const files = []
  for (const { make } of kinds) files.push(...(await make()))
  const folders = (way) => [...new Set(kinds.flatMap((kind) => kind[way]()))].sort()
  return { files, shipped: { bundled: folders('bundled'), installed: folders('installed') } }
}
