/** `npm run notices`: writes THIRD_PARTY_NOTICES, the licences of the packages that are shipped. Reads the lists that the build left. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packagesFolder } from './lib/bundledPackages.mjs'
import { locate } from './lib/lockFile.mjs'
import { fail, root, SetupError } from './lib/process.mjs'
import { ensureSetup } from './lib/setup.mjs'

export const noticesFile = join(root, 'THIRD_PARTY_NOTICES')

/** What may be shipped with a program under the MIT licence. */
const permissive =
  /^\(?(MIT|MIT-0|ISC|BSD-2-Clause|BSD-3-Clause|0BSD|Apache-2\.0|BlueOak-1\.0\.0|CC0-1\.0|Zlib|Unlicense)( (OR|AND) [\w.-]+)*\)?$/

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))

/** @returns {string[]} folders: of Electron, of what is in a bundle, and of what is loaded at run time */
export function shippedFolders() {
  const bundled = readdirSync(packagesFolder).flatMap((file) => readJson(join(packagesFolder, file)))
  return [...new Set(['node_modules/electron', ...bundled, ...runtimeFolders()])]
}

/** @returns {string[]} folders of what is loaded from node_modules at run time, with all that it needs */
export function runtimeFolders() {
  const { packages } = readJson(join(root, 'package-lock.json'))
  const folders = new Set()
  const visit = (folder) => {
    if (folders.has(folder)) return
    folders.add(folder)
    for (const name of Object.keys(packages[folder].dependencies ?? {})) visit(locate(packages, name, folder))
  }
  for (const name of Object.keys(packages[''].dependencies)) visit(`node_modules/${name}`)
  return [...folders]
}

const appHead =
  'Bridgedeck contains these packages. Electron brings the licences of Chromium along, in LICENSES.chromium.html.\nThis file is made by `npm run notices`.'

/** @throws SetupError when a package is under a licence that is not permissive */
export function notices({ folders = shippedFolders(), head = appHead } = {}) {
  const sections = folders.map((folder) => {
    const { name, version, license } = readJson(join(root, folder, 'package.json'))
    if (!permissive.test(license ?? '')) {
      throw new SetupError(`${name} ${version} is under ${license ?? 'no licence'} and cannot be shipped.`)
    }
    return `${name} ${version} (${license})\n\n${licenceText(folder) ?? 'The package holds no text of its licence.'}`
  })
  return `${[head, ...new Set(sections.sort())].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

function licenceText(folder) {
  const file = readdirSync(join(root, folder)).find((name) => /^(licen[cs]e|copying)([.-]|$)/i.test(name))
  return (
    file &&
    readFileSync(join(root, folder, file), 'utf8')
      .replaceAll('\r\n', '\n')
      .trim()
  )
}

async function main() {
  await ensureSetup()
  writeFileSync(noticesFile, notices())
}

if (process.argv[1] === import.meta.filename) await main().catch(fail)
