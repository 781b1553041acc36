/**
 * `npm run package`: makes the installed app for this system, in out/app. On Linux an unpacked folder, tar.gz and deb, or what is named:
 * AppImage and rpm too. On macOS dmg and zip, on Windows NSIS and portable. Nothing is signed or published.
 */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { makeCommandLineFolder, makeWindowFolder } from './lib/appFolders.mjs'
import { builderConfig, fusesFor, windowName } from './lib/builderConfig.mjs'
import { debArchitecture, layOutDeb, packDeb } from './lib/debPackage.mjs'
import { electronRuntime } from './lib/electron.mjs'
import { fail, npm, root, run, say, SetupError, tail } from './lib/process.mjs'
import { ensureSetup, node24 } from './lib/setup.mjs'

const folder = join(root, 'out', 'app')
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

async function main() {
  const wanted = wantedKinds(process.argv.slice(2))
  await ensureSetup()
  await installTools()
  const electron = await electronRuntime()
  makeWindowFolder(join(folder, 'window'))
  makeCommandLineFolder(join(folder, 'command-line'))
  rmSync(made, { recursive: true, force: true })
  const config = builderConfig({
    ...{ root, folder, node: { program: node24, licence: nodeLicence() } },
    electron: { version: electron.version, dist: dirname(electron.executable) },
  })
  await runBuilder(config, wanted)
  if (process.platform === 'linux') {
    // Of the stand-in: what it runs in a checkout.
    rmSync(join(unpacked(), 'resources', 'app'), { recursive: true, force: true })
    await checkFuses(join(unpacked(), windowName), electron.version)
  }
  const { version, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const about = { version, description, time: await commitTime() }
  for (const kind of wanted) await ours.get(kind)?.(about)
  if (electron.standIn)
    say(
      `these packages have the stand-in Electron ${electron.version} in them: for trying only, not to be given to anybody.`,
    )
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

/** On Linux. */
const unpacked = () => join(made, process.arch === 'x64' ? 'linux-unpacked' : `linux-${process.arch}-unpacked`)

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
async function commitTime() {
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
  tell(file)
}

async function makeDeb({ time, ...about }) {
  const tree = join(folder, 'deb')
  layOutDeb(unpacked(), tree)
  const file = join(made, `bridgedeck_${about.version}_${debArchitecture()}.deb`)
  await packDeb(tree, about, { file, time })
  rmSync(tree, { recursive: true })
  tell(file)
}

const tell = (file) => process.stdout.write(`${relative(root, file)}: ${(statSync(file).size / 1e6).toFixed(1)} MB\n`)

await main().catch(fail)
