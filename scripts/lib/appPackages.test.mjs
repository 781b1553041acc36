import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isGraphicsFile, isSavedState } from '../../src-renderer/client/drops'
import { programFileKindOf } from '../../src-shared/programFiles'
import { isNeeded } from './appFolders.mjs'
import { builderConfig, fusesFor } from './builderConfig.mjs'
import { debControl, layOutDeb } from './debPackage.mjs'
import { desktopFile, fileTypes, mimePackage } from './fileTypes.mjs'
import { root } from './process.mjs'

const desktop = join(root, 'resources', 'desktop')
const endings = fileTypes.flatMap(({ extensions }) => extensions)

let folder
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-app-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('the modules that are shipped', () => {
  it('have the binaries of their system alone, and no sources of them', () => {
    const mac = { platform: 'darwin', arch: 'arm64' }
    const kept = (module, file) => isNeeded(module, file, mac)
    expect(kept('node_modules/better-sqlite3', 'prebuilds/darwin-arm64.node')).toBe(true)
    expect(kept('node_modules/better-sqlite3', 'prebuilds/linuxmusl-arm64.node')).toBe(false)
    expect(kept('node_modules/better-sqlite3', 'deps/sqlite3/sqlite3.c')).toBe(false)
    expect(kept('node_modules/@serialport/bindings-cpp', 'prebuilds/darwin-x64+arm64/x.node')).toBe(true)
    expect(kept('node_modules/@serialport/bindings-cpp', 'prebuilds/linux-arm64/x.node')).toBe(false)
    expect(kept('node_modules/serialport', 'node_modules/debug/index.js')).toBe(false)
    expect(kept('node_modules/serialport', 'dist/index.js')).toBe(true)
  })
})

describe('what the app is offered for', () => {
  it('has each ending once', () => {
    expect(new Set(endings).size).toBe(endings.length)
  })

  it('is what the window opens', () => {
    const opens = (name) => programFileKindOf(name) !== undefined || isGraphicsFile(name) || isSavedState(name)
    expect(endings.filter((ending) => !opens(`file.${ending}`))).toEqual([])
  })

  it('is in the menu entry and in the MIME types', () => {
    const [entry, types] = [desktopFile('/opt/Bridgedeck/bridgedeck-window'), mimePackage()]
    expect(entry).toContain('Exec=/opt/Bridgedeck/bridgedeck-window %f\n')
    for (const { mime } of fileTypes) expect(entry.match(/^MimeType=(.*)$/m)?.[1]?.split(';')).toContain(mime)
    for (const ending of endings) expect(types).toContain(`<glob pattern="*.${ending}"/>`)
  })
})

describe('the configuration of electron-builder', () => {
  const config = builderConfig({
    root,
    folder: '/made',
    node: { program: '/node', licence: '/licence' },
    platform: 'win32',
    electron: { version: '45.4.1', dist: undefined },
  })

  it('lets no variable, option or file run code in the app', () => {
    expect(config.electronFuses).toEqual({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableCookieEncryption: true,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      grantFileProtocolExtraPrivileges: false,
    })
    expect(fusesFor('25.1.1')).not.toHaveProperty('grantFileProtocolExtraPrivileges')
  })

  it('names files that are there', () => {
    const { linux, mac, win, extraResources, extraFiles } = config
    const ofCheckout = [...extraResources, ...extraFiles]
      .map(({ from }) => from)
      .filter((file) => file.startsWith(root))
    const named = [linux.icon, mac.icon, mac.entitlements, win.icon, ...ofCheckout]
    expect(named.filter((file) => !existsSync(file))).toEqual([])
    expect(extraResources.map(({ to }) => to)).toEqual([
      'command-line',
      'command-line/node_modules',
      'node.exe',
      'bridgedeck.cmd',
    ])
  })

  it('publishes nothing', () => {
    expect(config.publish).toBeNull()
  })
})

describe('the Debian package', () => {
  it('says what it needs, by the names of both kinds of releases', () => {
    const control = debControl({ version: '1.2.3', description: 'A thing.', arch: 'arm64', installedKiB: 12 })
    expect(control).toMatch(/^Version: 1\.2\.3$/m)
    expect(control).toMatch(/^Architecture: arm64$/m)
    expect(control).toMatch(/^Depends: .*libgtk-3-0 \| libgtk-3-0t64, libnss3,/m)
    expect(control.endsWith('\n')).toBe(true)
  })

  it('puts the command on the PATH, and the window, its types and pictures where desktops look', () => {
    const [unpacked, tree] = [join(folder, 'unpacked'), join(folder, 'tree')]
    mkdirSync(unpacked)
    writeFileSync(join(unpacked, 'chrome-sandbox'), '')
    layOutDeb(unpacked, tree)
    const share = join(tree, 'usr', 'share')
    expect(readlinkSync(join(tree, 'usr', 'bin', 'bridgedeck'))).toBe('/opt/Bridgedeck/resources/bridgedeck')
    expect(statSync(join(tree, 'opt', 'Bridgedeck', 'chrome-sandbox')).mode & 0o7777).toBe(0o4755)
    const id = 'io.github.bridgedeck.Bridgedeck'
    const expected = [
      `applications/${id}.desktop`,
      `mime/packages/${id}.xml`,
      `metainfo/${id}.metainfo.xml`,
      'icons/hicolor/48x48/apps/bridgedeck.png',
      'icons/hicolor/scalable/apps/bridgedeck.svg',
      'doc/bridgedeck/copyright',
    ]
    expect(expected.filter((file) => !existsSync(join(share, file)))).toEqual([])
  })

  it('has a launcher that may be run', () => {
    expect(lstatSync(join(desktop, 'bridgedeck')).mode & 0o111).not.toBe(0)
    expect(readFileSync(join(desktop, 'bridgedeck'), 'utf8')).toMatch(/^#!\/bin\/sh\n/)
  })
})
