/** The npm package of the command line: a folder made of the build, with a package.json of its own. */
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { notices } from '../notices.mjs'
import { npm, root, SetupError, tail } from './process.mjs'
import { programs } from './programs.mjs'

/** better-sqlite3 13 needs Node-API 10. Held to packageEntry.cjs by a test. */
export const packageNode = '>=22.14.0'

const ENTRY = 'bridgedeck.cjs'

/** Of the checkout, under these names in the package. */
const copied = {
  'scripts/lib/packageEntry.cjs': ENTRY,
  'docs/npm.md': 'README.md',
  LICENSE: 'LICENSE',
}

/** Below out/, under the same names in the package: what the command line and its bridge read. */
const resources = [
  ...['basic.bin', 'chargen.bin', 'demo.prg', 'kernal.bin', 'stub.prg'].map((name) => `out/resources/c64/${name}`),
  'out/resources/metashell',
  'out/resources/ncrew',
]

const readJson = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'))

/** @returns {Map<string, string>} each file of the package that is a copy, with its source; both relative, with `/` */
export function copiedFiles() {
  const inOut = [
    ...Object.keys(programs).flatMap((name) => withParts(`out/main/${name}.cjs`)),
    ...resources,
    'out/client',
  ]
  return new Map([
    ...Object.entries(copied).map(([from, to]) => [to, from]),
    ...inOut.flatMap(filesOf).map((file) => [file, file]),
  ])
}

/** A program with the files beside it that it loads; earlier builds have left others there. */
export function withParts(program) {
  const found = new Set([program])
  for (const file of found)
    for (const [, part] of readFileSync(join(root, file), 'utf8').matchAll(/\b(?:require|import)\("(\.\.?\/[^"]+)"\)/g))
      found.add(posix.join(posix.dirname(file), part))
  return [...found]
}

/** Below a folder of the checkout, or the file itself; relative to the checkout, with `/`. */
export function filesOf(path) {
  if (!statSync(join(root, path)).isDirectory()) return [path]
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort()
}

/** As npm shows it, and installs by it. */
export function packageManifest() {
  const { name, mcpName, version, description, license, exports, dependencies } = readJson('package.json')
  return {
    name,
    mcpName,
    version,
    description,
    keywords: ['commodore-64', 'c64', 'debugger', 'emulator', 'mcp', 'vice', 'ultimate-64'],
    license,
    type: 'module',
    bin: { bridgedeck: ENTRY },
    exports,
    engines: { node: packageNode },
    dependencies,
  }
}

/** @returns {string[]} folders of the packages that have code in the package's programs */
export const packagedFolders = () => [
  ...new Set(Object.keys(programs).flatMap((name) => readJson(`out/packages/${name}.json`))),
]

/** What is in the package of others; what npm installs beside it brings its own licences. */
function packageNotices() {
  return notices({
    folders: packagedFolders(),
    head: 'The programs of this package contain parts of these packages.',
  })
}

/** Makes the folder that is packed; the build has to be there. The modes of files do not depend on the umask. */
export function makePackage(folder) {
  rmSync(folder, { recursive: true, force: true })
  for (const [to, from] of copiedFiles()) {
    mkdirSync(dirname(join(folder, to)), { recursive: true })
    cpSync(join(root, from), join(folder, to))
    chmodSync(join(folder, to), to === ENTRY ? 0o755 : 0o644)
  }
  const made = {
    'package.json': `${JSON.stringify(packageManifest(), undefined, 2)}\n`,
    THIRD_PARTY_NOTICES: packageNotices(),
  }
  for (const [name, text] of Object.entries(made)) {
    writeFileSync(join(folder, name), text)
    chmodSync(join(folder, name), 0o644)
  }
}

/**
 * Makes the package and packs it.
 * @param {string} folder where the folder `package` and the tarball come
 * @returns {Promise<{ tarball: string, size: number, unpackedSize: number, files: string[] }>} sizes in bytes
 */
export async function packPackage(folder) {
  const made = join(folder, 'package')
  makePackage(made)
  const { code, output } = await npm(
    ['pack', made, '--pack-destination', folder, '--json', '--ignore-scripts', '--loglevel=error'],
    { cwd: folder },
  )
  if (code !== 0) throw new SetupError(`npm pack failed:\n${tail(output)}`)
  const [packed] = Object.values(JSON.parse(output.slice(output.search(/^[[{]/m))))
  const { filename, size, unpackedSize, files } = packed
  return { tarball: join(folder, filename), size, unpackedSize, files: files.map(({ path }) => path) }
}
