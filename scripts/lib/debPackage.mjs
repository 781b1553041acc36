/** The Debian package of the app, made of the unpacked one by dpkg-deb. */
import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { appId, windowName } from './builderConfig.mjs'
import { desktopFile, mimePackage } from './fileTypes.mjs'
import { root, run, SetupError, tail } from './process.mjs'
import { isRenamed, librariesOfElectron } from './systemPackages.mjs'

/** Where the app lies once it is installed. */
const HOME = '/opt/Bridgedeck'

/** Debian's names of our architectures. */
const architectures = { x64: 'amd64', arm64: 'arm64' }
export const debArchitecture = (arch = process.arch) => architectures[arch] ?? arch

const eitherName = (library) => (isRenamed(library) ? `${library} | ${library}t64` : library)

/**
 * The package's own account of itself.
 * @param {{ version: string, description: string, arch?: string, installedKiB: number }} about
 */
export function debControl({ version, description, arch, installedKiB }) {
  return `Package: bridgedeck
Version: ${version}
Architecture: ${debArchitecture(arch)}
Maintainer: Bridgedeck contributors <maintainers@bridgedeck.invalid>
Installed-Size: ${installedKiB}
Depends: libc6, ${librariesOfElectron.map(eitherName).join(', ')}
Recommends: xdg-utils, desktop-file-utils, shared-mime-info
Suggests: vice, git
Section: devel
Priority: optional
Description: ${description}
 Bridgedeck shows what a Commodore 64 is doing while it does it: its screen, its
 memory changing byte by byte, its sprites and chips. It connects to the C64 that
 is built in, to VICE, or to a real one, and is a control panel for local agents.
 .
 "bridgedeck" is its command line; "bridgedeck mcp" serves an agent.
`
}

/**
 * Lays out what is installed.
 * @param {string} unpacked the app as electron-builder left it
 * @param {string} tree becomes the root of the system's files
 */
export function layOutDeb(unpacked, tree) {
  rmSync(tree, { recursive: true, force: true })
  const app = join(tree, HOME)
  mkdirSync(app, { recursive: true })
  cpSync(unpacked, app, { recursive: true, verbatimSymlinks: true })
  // Chromium's helper for systems where a user may make no namespaces: it belongs to root, and becomes root.
  chmodSync(join(app, 'chrome-sandbox'), 0o4755)
  link(join(HOME, 'resources', 'bridgedeck'), join(tree, 'usr', 'bin', 'bridgedeck'))
  const share = join(tree, 'usr', 'share')
  write(join(share, 'applications', `${appId}.desktop`), desktopFile(`${HOME}/${windowName}`))
  write(join(share, 'mime', 'packages', `${appId}.xml`), mimePackage())
  const desktop = join(root, 'resources', 'desktop')
  cpSync(join(desktop, `${appId}.metainfo.xml`), join(share, 'metainfo', `${appId}.metainfo.xml`))
  const icons = join(share, 'icons', 'hicolor')
  for (const name of readdirSync(join(desktop, 'icons'))) {
    const [, size] = /^(\d+x\d+)\.png$/.exec(name) ?? []
    if (size === '1024x1024') continue
    cpSync(join(desktop, 'icons', name), join(icons, size ?? 'scalable', 'apps', size ? 'bridgedeck.png' : name))
  }
  cpSync(join(root, 'LICENSE'), join(share, 'doc', 'bridgedeck', 'copyright'))
}

/**
 * @param {string} tree as {@link layOutDeb} leaves it
 * @param {{ version: string, description: string }} about
 * @param {{ file: string, time: number, compression?: string }} made `time`: s since 1970, of all files that are newer
 * @throws SetupError with what dpkg-deb said
 */
export async function packDeb(tree, about, { file, time, compression = 'xz' }) {
  const control = debControl({ ...about, installedKiB: Math.ceil(sizeOf(tree) / 1024) })
  write(join(tree, 'DEBIAN', 'control'), control)
  const args = ['--root-owner-group', `-Z${compression}`, '--build', tree, file]
  const { code, output } = await run('dpkg-deb', args, { env: { ...process.env, SOURCE_DATE_EPOCH: String(time) } })
  if (code !== 0) throw new SetupError(`dpkg-deb failed:\n${tail(output)}`)
}

/** bytes */
const sizeOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function link(target, file) {
  mkdirSync(dirname(file), { recursive: true })
  symlinkSync(target, file)
}
