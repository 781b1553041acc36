/** The installed app: what electron-builder packs, and what is made of its folder. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { makeCommandLineFolder, makeWindowFolder } from './appFolders.mjs'
import { builderConfig, fusesFor, windowName } from './builderConfig.mjs'
import { debArchitecture, layOutDeb, packDeb } from './debPackage.mjs'
import { electronRuntime } from './electron.mjs'
import { npm, root, run, say, SetupError, tail } from './process.mjs'
import { node24 } from './setup.mjs'

const folder = join(root, 'out', 'app')
/** Everything that electron-builder and we make. */
const made = join(folder, 'made')
const tools = join(root, 'scripts', 'packaging')

/** Each kind of package of each system; the first ones are made unless others are asked for. */
const kinds = {
  linux: { usual: ['dir', 'tar.gz', 'deb'], others: ['AppImage', 'rpm'] },
  darwin: { usual: ['dmg', 'zip'], others: ['dir'] },
  win32: { usual: ['nsis', 'portable'], others: ['dir'] },
}

/** Made by us of the unpacked folder. */
const ours = new Map([
  ['tar.gz', makeTar],
  ['deb', makeDeb],
])

/**
 * Makes the packages of this system, of the build that is there. Nothing is signed or published.
 * @param {string[]} [words] the kinds; else the usual ones
 * @returns {Promise<{ files: string[], standIn: string | undefined }>} `files`: full paths; `standIn`: the version of the old Electron in them
 * @throws SetupError with what to do
 */
export async function makeAppPackages(words = []) {
  const wanted = wantedKinds(words)
  await installTools()
  const electron = await electronRuntime()
  makeWindowFolder(join(folder, 'window'))
  makeCommandLineFolder(join(folder, 'command-line'))
  rmSync(made, { recursive: true, force: true })
  const config = builderConfig({
    root,
    folder,
    node: { program: node24, licence: nodeLicence() },
    electron: { version: electron.version, dist: electron.standIn ? dirname(electron.executable) : undefined },
  })
  await runBuilder(config, wanted)
  if (process.platform === 'linux') {
    // Of the stand-in: what it runs in a checkout.
    rmSync(join(unpacked(), 'resources', 'app'), { recursive: true, force: true })
    await checkFuses(join(unpacked(), windowName), electron.version)
  }
  const { version, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const about = { version, description, time: await buildTime() }
  for (const kind of wanted) await ours.get(kind)?.(about)
  const isPackage = (name) => /\.(AppImage|deb|dmg|exe|rpm|tar\.gz|zip)$/.test(name)
  const files = readdirSync(made).filter(isPackage).sort()
  return { files: files.map((name) => join(made, name)), standIn: electron.standIn ? electron.version : undefined }
}

function wantedKinds(words) {
  const { usual, others } = kinds[process.platform] ?? { usual: [], others: [] }
  const unknown = words.find((word) => ![...usual, ...others].includes(word))
  if (unknown !== undefined || usual.length === 0)
    throw new SetupError(`on ${process.platform} there are: ${[...usual, ...others].join(', ') || 'no packages'}.`)
  return words.length === 0 ? usual : words
}

/** electron-builder has a lock file of its own: nobody else needs its 220 packages. */
async function installTools() {
  if (existsSync(join(tools, 'node_modules', 'electron-builder', 'cli.js'))) return
  say('installing electron-builder…')
  const { code, output } = await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: tools,
  })
  if (code !== 0) throw new SetupError(`npm ci failed in ${tools}:\n${tail(output)}`)
}

async function runBuilder(config, wanted) {
  const file = join(folder, 'electron-builder.json')
  writeFileSync(file, `${JSON.stringify(config, undefined, 2)}\n`)
  const system = { linux: '--linux', darwin: '--mac', win32: '--win' }[process.platform]
  const targets = [...new Set(['dir', ...wanted.filter((kind) => !ours.has(kind))])]
  say(`electron-builder: ${targets.join(', ')}…`)
  const cli = join(tools, 'node_modules', 'electron-builder', 'cli.js')
  const args = [cli, system, ...targets, '--config', file, '--publish', 'never']
  const { code, output } = await run(process.execPath, args, { cwd: folder })
  if (code !== 0) throw new SetupError(`electron-builder failed:\n${tail(output)}`)
}

/** Beside the binaries of its system’s package. */
function nodeLicence() {
  const packages = join(dirname(dirname(node24)), 'node_modules')
  const files = readdirSync(packages).map((name) => join(packages, name, 'LICENSE'))
  const found = files.find((file) => existsSync(file))
  if (found === undefined)
    throw new SetupError(`there is no licence of Node below ${packages}. Run npm ci, and try again.`)
  return found
}

/** The folder of the app, on Linux. */
export const unpacked = () => join(made, process.arch === 'x64' ? 'linux-unpacked' : `linux-${process.arch}-unpacked`)

/** Reads them back: an app that could be made to run foreign code must not come into a package. */
async function checkFuses(program, electronVersion) {
  const path = createRequire(join(tools, 'package.json')).resolve('@electron/fuses')
  const { FuseV1Options, getCurrentFuseWire } = await import(pathToFileURL(path))
  const wire = await getCurrentFuseWire(program)
  for (const [name, wanted] of Object.entries(fusesFor(electronVersion))) {
    const found = wire[FuseV1Options[`${name[0].toUpperCase()}${name.slice(1)}`]]
    // A fuse is a character of the program.
    if (String.fromCharCode(found) !== (wanted ? '1' : '0'))
      throw new SetupError(`the fuse ${name} of ${program} is not ${wanted ? 'on' : 'off'}.`)
  }
  say(`fuses read back: ${Object.keys(fusesFor(electronVersion)).length} as wanted.`)
}

/** s since 1970, so that what is made of one commit is the same. */
async function buildTime() {
  const { SOURCE_DATE_EPOCH: given } = process.env
  if (given) return Number(given)
  const { code, output } = await run('git', ['log', '-1', '--format=%ct'], { cwd: root })
  return code === 0 ? Number(output.trim()) : Math.floor(Date.now() / 1000)
}

async function makeTar({ version, time }) {
  const name = `Bridgedeck-${version}-linux-${process.arch}`
  const file = join(made, `${name}.tar.gz`)
  const shape = ['--sort=name', `--mtime=@${time}`, '--owner=0', '--group=0', '--numeric-owner', '--format=gnu']
  const renamed = ['--transform', `s,^\\.,${name},S`]
  const { code, output } = await run('tar', [...shape, ...renamed, '-C', unpacked(), '-I', 'gzip -n', '-cf', file, '.'])
  if (code !== 0) throw new SetupError(`tar failed:\n${tail(output)}`)
}

async function makeDeb({ time, ...about }) {
  const tree = join(folder, 'deb')
  layOutDeb(unpacked(), tree)
  const file = join(made, `bridgedeck_${about.version}_${debArchitecture()}.deb`)
  await packDeb(tree, about, { file, time })
  rmSync(tree, { recursive: true })
}
