/**
 * `npm run pack`: makes the npm package of the command line. Nothing is published. `npm pack` and `npm publish`, which would take the sources,
 * run this as `prepack` and are refused; npm runs that before `npm run pack` as well.
 */
import { join, relative } from 'node:path'
import { packPackage } from './lib/npmPackage.mjs'
import { fail, root, SetupError } from './lib/process.mjs'
import { ensureSetup } from './lib/setup.mjs'

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`

async function main() {
  if (process.env.npm_lifecycle_event === 'prepack') {
    if (process.env.npm_command?.startsWith('run')) return
    throw new SetupError('the package is made by “npm run pack”, into out/.')
  }
  await ensureSetup()
  const { tarball, size, unpackedSize, files } = await packPackage(join(root, 'out'))
  const sizes = `${megabytes(size)}, ${megabytes(unpackedSize)} unpacked`
  process.stdout.write(`${relative(root, tarball)}: ${files.length} files, ${sizes}\n`)
}

await main().catch(fail)
