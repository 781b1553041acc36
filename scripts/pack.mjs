/** `npm run pack`: makes the npm package of the command line. Nothing is published. */
import { join, relative } from 'node:path'
import { packPackage } from './lib/npmPackage.mjs'
import { fail, root } from './lib/process.mjs'
import { ensureSetup } from './lib/setup.mjs'

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`

async function main() {
  await ensureSetup()
  const { tarball, size, unpackedSize, files } = await packPackage(join(root, 'out'))
  const sizes = `${megabytes(size)}, ${megabytes(unpackedSize)} unpacked`
  process.stdout.write(`${relative(root, tarball)}: ${files.length} files, ${sizes}\n`)
}

await main().catch(fail)
