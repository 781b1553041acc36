/** How electron-builder packs the app: one configuration for all systems. */
import { join } from 'node:path'
import { fileAssociations, fileTypes } from './fileTypes.mjs'

export const appId = 'io.github.bridgedeck.Bridgedeck'

/** Of the window’s program on Linux; elsewhere it has the product’s name. src-main/cli/startWindow.ts starts it. */
export const windowName = 'bridgedeck-window'

/** Electron 29 and newer have it. */
const FILE_PRIVILEGES_VERSION = 29

/** @param {string} electronVersion */
export const fusesFor = (electronVersion) => ({
  runAsNode: false,
  enableCookieEncryption: true,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  ...(Number.parseInt(electronVersion, 10) >= FILE_PRIVILEGES_VERSION
    ? { grantFileProtocolExtraPrivileges: false }
    : {}),
})

/**
 * @param {object} made
 * @param {string} made.root the checkout
 * @param {string} made.folder with the folders `window` and `command-line`; the packages come into it
 * @param {{ program: string, licence: string }} made.node the Node that is shipped
 * @param {{ version: string, dist: string | undefined }} made.electron `dist`: an unpacked one, in place of a download
 * @param {NodeJS.Platform} [made.platform] of the app, which is the system that packs it
 */
export function builderConfig({ root, folder, node, electron, platform = process.platform }) {
  const desktop = join(root, 'resources', 'desktop')
  const [nodeName, launcher] = platform === 'win32' ? ['node.exe', 'bridgedeck.cmd'] : ['node', 'bridgedeck']
  const whole = ['**/*']
  return {
    appId,
    productName: 'Bridgedeck',
    copyright: 'MIT licence',
    artifactName: '${productName}-${version}-${os}-${arch}.${ext}',
    directories: { app: join(folder, 'window'), output: join(folder, 'made'), buildResources: desktop },
    // electron-builder would add the modules of the checkout around it.
    files: [...whole, '!node_modules'],
    asar: true,
    extraResources: [
      { from: join(folder, 'command-line'), to: 'command-line', filter: whole },
      // It leaves modules out of a folder that it is given.
      { from: join(folder, 'command-line', 'node_modules'), to: 'command-line/node_modules', filter: whole },
      { from: node.program, to: nodeName },
      { from: join(desktop, launcher), to: launcher },
    ],
    extraFiles: [
      { from: join(root, 'LICENSE'), to: 'LICENSE.txt' },
      { from: join(root, 'THIRD_PARTY_NOTICES'), to: 'THIRD_PARTY_NOTICES.txt' },
      { from: node.licence, to: 'LICENSE.node.txt' },
    ],
    electronVersion: electron.version,
    ...(electron.dist === undefined ? {} : { electronDist: electron.dist }),
    electronLanguages: ['en-US'],
    electronFuses: fusesFor(electron.version),
    // The modules have their binaries with them.
    npmRebuild: false,
    // What is made is published by a person.
    publish: null,
    fileAssociations: fileAssociations(),
    linux: {
      executableName: windowName,
      icon: join(desktop, 'icons'),
      category: 'Development',
      synopsis: 'See into a Commodore 64 while it runs',
      maintainer: 'Bridgedeck contributors',
      mimeTypes: fileTypes.map(({ mime }) => mime),
      // deb and tar.gz are made by dpkg-deb and tar of the system: electron-builder fetches programs for them.
      target: ['dir', 'AppImage', 'rpm'],
    },
    mac: {
      icon: join(desktop, 'icons', '1024x1024.png'),
      category: 'public.app-category.developer-tools',
      target: ['dmg', 'zip'],
      hardenedRuntime: true,
      gatekeeperAssess: false,
      entitlements: join(desktop, 'entitlements.mac.plist'),
      entitlementsInherit: join(desktop, 'entitlements.mac.plist'),
    },
    win: { icon: join(desktop, 'icons', '256x256.png'), target: ['nsis', 'portable'] },
    nsis: {
      oneClick: false,
      perMachine: false,
      allowToChangeInstallationDirectory: true,
      deleteAppDataOnUninstall: false,
    },
    portable: { artifactName: '${productName}-${version}-portable-${arch}.${ext}' },
  }
}
