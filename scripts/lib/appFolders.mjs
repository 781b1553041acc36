/**
 * What the packaged app is made of, beside Electron: the folder of its window, which becomes an archive, and the command line with its bridge,
 * which is the npm package with the modules that it needs.
 */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { runtimeFolders } from '../notices.mjs'
import { filesOf, makePackage, withParts } from './npmPackage.mjs'
import { root } from './process.mjs'

const readJson = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'))

/** Makes the folder of the window: main, preload, page, and the program for the serial port that main hands out. */
export function makeWindowFolder(folder) {
  rmSync(folder, { recursive: true, force: true })
  const files = [...withParts('out/main/main.cjs'), 'out/preload', 'out/renderer', 'out/resources/c64/stub.prg']
  for (const file of files.flatMap(filesOf)) cpSync(join(root, file), join(folder, file))
  const { name, productName, version, description, license } = readJson('package.json')
  const manifest = {
    name,
    productName,
    version,
    description,
    license,
    author: 'Bridgedeck contributors',
    main: 'out/main/main.cjs',
    desktopName: 'io.github.bridgedeck.Bridgedeck.desktop',
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
}

/** Makes the folder of the command line. The build has to be there. */
export function makeCommandLineFolder(folder) {
  makePackage(folder)
  for (const file of filesOf('out/resources/sample-project')) cpSync(join(root, file), join(folder, file))
  for (const path of runtimeFolders())
    cpSync(join(root, path), join(folder, path), {
      recursive: true,
      filter: (file) => isNeeded(path, file.slice(join(root, path).length + 1).replaceAll(sep, '/')),
    })
}

/** Binaries of other systems, and sources that made them, stay out; modules within a module are listed by themselves. */
export function isNeeded(module, file, { platform, arch } = process) {
  if (/^node_modules(\/|$)/.test(file) || /\.d\.ts$|\.md$|\.map$/i.test(file)) return false
  if (module.endsWith('better-sqlite3') && /^(deps|src|binding\.gyp)(\/|$)/.test(file)) return false
  if (module.endsWith('bindings-cpp') && /^(src|binding\.gyp)(\/|$)/.test(file)) return false
  const [, built] = /^prebuilds\/([^/]+)/.exec(file) ?? []
  if (built === undefined) return true
  const [system = '', processors = ''] = built.replace(/\.node$/, '').split('-')
  return system === platform && processors.split('+').includes(arch)
}
