/**
 * Makes a clone ready to run: the npm packages, Node 24, the build. Runs on the system's Node 20 or newer with nothing
 * installed, so it imports Node only; what comes after it runs on the Node 24 that package.json pins.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { isBuilt, wasBuilt } from './builtStamp.mjs'
import { npm, root, run, say, SetupError, tail } from './process.mjs'

const MIN_NODE_VERSION = 20

/** The Node that everything but the set-up runs on. */
export const node24 = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

/**
 * Installs and builds what is missing, and goes on under Node 24: where another Node runs this, the same script is
 * started again under Node 24 and this call never returns.
 * @param {{ build?: boolean }} options
 * @throws {SetupError} with what to do.
 */
export async function ensureSetup({ build = true } = {}) {
  requireNode(MIN_NODE_VERSION)
  if (!packagesAreInstalled()) await installPackages()
  if (!existsSync(node24)) await fetchNode24()
  if (realpathSync(process.execPath) !== realpathSync(node24)) await goOnUnderNode24()
  process.env.PATH = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
  if (build) await ensureBuilt()
}

function requireNode(oldest) {
  if (Number.parseInt(process.versions.node, 10) >= oldest) return
  throw new SetupError(
    `This is Node ${process.versions.node}; Bridgedeck needs Node ${oldest} or newer. Get it from your system or nodejs.org.`,
  )
}

const readPackages = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}

/** True where node_modules holds what package-lock.json asks for. npm keeps its own account of what it installed. */
export function packagesAreInstalled(folder = root) {
  const wanted = readPackages(join(folder, 'package-lock.json'))
  const installed = readPackages(join(folder, 'node_modules', '.package-lock.json'))
  if (wanted === undefined)
    throw new SetupError(`package-lock.json cannot be read in ${folder}. Is the clone complete?`)
  if (installed === undefined) return false
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true
    const found = installed[path]
    return found === undefined
      ? entry.optional === true
      : found.version === entry.version && found.integrity === entry.integrity
  })
}

/**
 * Install scripts stay off: the native modules bring their binaries along, and npm would compile better-sqlite3 anyway,
 * since the lock file does not tell it not to.
 */
async function installPackages() {
  const started = Date.now()
  say('installing npm packages (takes about a minute the first time)…')
  const flags = [
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const { code, output } = await npm(['ci', ...flags])
  if (code !== 0) {
    throw new SetupError(
      `npm ci failed:\n${tail(output)}\nCheck the network and \`npm config get registry\`, then run the same command again.`,
    )
  }
  say(`installed in ${seconds(started)}.`)
}

/** Runs the one install script that is needed: it brings in the Node binary for this system. */
async function fetchNode24() {
  say('fetching Node 24…')
  const { output } = await npm(['rebuild', 'node', '--ignore-scripts=false', '--loglevel=error'])
  if (existsSync(node24)) return
  throw new SetupError(
    `Node 24 could not be fetched from the npm registry:\n${tail(output)}\n` +
      'Check the network and `npm config get registry`, then run the same command again.',
  )
}

/**
 * Starts this script again under Node 24, passes signals on, and ends as it ends. The channel between them tells the other one, on every
 * system, that this process is gone, however it ended.
 */
export function goOnUnderNode24() {
  return new Promise((_, reject) => {
    const child = spawn(node24, process.argv.slice(1), { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
    child.on('error', (error) =>
      reject(new SetupError(`Node 24 (${node24}) does not start on this system: ${error.message}`)),
    )
    child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
  })
}

/**
 * Builds what changed since the last build.
 * @param {{ mayBeOlder?: boolean }} options `mayBeOlder`: any finished build will do
 */
export async function ensureBuilt({ mayBeOlder = false } = {}) {
  if (mayBeOlder ? wasBuilt() : isBuilt()) return
  const started = Date.now()
  say('building…')
  const { code, output } = await run(node24, [join(root, 'scripts', 'build.mjs')])
  if (code !== 0) throw new SetupError(`the build failed:\n${tail(output, 40)}`)
  say(`built in ${seconds(started)}.`)
}

const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`
