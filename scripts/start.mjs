/** `npm start`: sets up what is missing and opens the app. */
import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { hasDisplay, startXvfb } from './lib/display.mjs'
import { electronRuntime } from './lib/electron.mjs'
import { fail, root, say, SetupError } from './lib/process.mjs'
import { ensureSetup, node24 } from './lib/setup.mjs'
import { provideParts } from './lib/systemPackages.mjs'

const help = `npm start [-- OPTIONS] [PROGRAM.prg | FOLDER | MACHINE]

Opens Bridgedeck. Installs and builds what is missing first.

  PROGRAM.prg          load and run this program
  FOLDER               open this folder as a project of agent orchestrations
  MACHINE              builtin, vice (start one), vice:[HOST:]PORT (attach to a running one),
                       ultimate:HOST[:PORT], teensyrom:HOST-OR-DEVICE, easyflash:DEVICE, stub:DEVICE[@BAUD]

  --machine NAME       the machine to open, as above
  --view NAME          the workspace to show: machine, timeline, tasks, devices, projects, agents, graphics, settings, help;
                       or one view that fills its workspace: screen, memory, sprites, registers, connections, device
  --size WxH           the window's size, pixels
  --theme NAME         light, dark or system
  --screenshot FILE    write a PNG of the window at its first live frame, and exit; needs no display
  --help               show this
`

const options = {
  machine: { type: 'string' },
  view: { type: 'string' },
  size: { type: 'string' },
  theme: { type: 'string' },
  screenshot: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
}

/** A screen that holds the window with room to spare, however large. */
const SCREEN = { width: 2560, height: 1600 }

async function main() {
  const given = readArguments()
  if (given.help) return void process.stdout.write(help)
  if (!given.screenshot) requireDisplay()
  await ensureSetup()
  const electron = await electronRuntime()
  const withoutDisplay = !hasDisplay()
  const missing = await provideParts(withoutDisplay ? ['electron', 'xvfb'] : ['electron'], electron.executable)
  if (missing.size > 0) throw new SetupError([...missing.values()].join('\n'))
  const xvfb = withoutDisplay ? await startXvfb(screenFor(given.size)) : undefined
  process.exitCode = await runElectron(electron, given.forApp, xvfb?.environment)
  xvfb?.stop()
}

/** Checks what was typed before anything is installed, and makes paths the caller's. */
function readArguments() {
  const { values, positionals } = parse()
  if (positionals.length > 1)
    throw new SetupError(`give one program or one machine, not ${positionals.length}.\n\n${help}`)
  const callersFolder = process.env.INIT_CWD ?? process.cwd()
  const { help: wantsHelp = false, screenshot, ...others } = values
  if (others.size !== undefined && !/^\d{3,4}x\d{3,4}$/.test(others.size))
    throw new SetupError('--size takes pixels, such as 1400x900.')
  const picture = screenshot && resolve(callersFolder, screenshot)
  if (picture && !existsSync(dirname(picture)))
    throw new SetupError(`the folder for the screenshot does not exist: ${dirname(picture)}`)
  const forApp = Object.entries({ ...others, ...(picture ? { screenshot: picture } : {}) }).map(
    ([name, value]) => `--${name}=${value}`,
  )
  const [target] = positionals
  if (target !== undefined) forApp.push(programOrMachine(target, callersFolder))
  return { help: wantsHelp, screenshot: picture, size: others.size, forApp }
}

function parse() {
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    throw new SetupError(`${error.message}\n\n${help}`)
  }
}

function programOrMachine(target, folder) {
  const path = resolve(folder, target)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isFile() || found?.isDirectory()) return path
  if (/^(builtin|vice)$|^[a-z]{2,}:/.test(target)) return target
  throw new SetupError(`there is no file or folder ${path}, and ${target} is not a machine.`)
}

function requireDisplay() {
  if (hasDisplay()) return
  throw new SetupError(
    'there is no display to open a window on. Try `xvfb-run -a npm start`, or `npm start -- --screenshot FILE`.',
  )
}

function screenFor(size) {
  const [width = 0, height = 0] = size?.split('x').map(Number) ?? []
  return { width: Math.max(width, SCREEN.width), height: Math.max(height, SCREEN.height) }
}

/** @returns {Promise<number>} the exit code */
function runElectron(electron, forApp, displayEnvironment) {
  const asRoot = process.platform === 'linux' && process.getuid() === 0
  if (asRoot) say('running as root, so without Chromium’s sandbox.')
  const { ELECTRON_RUN_AS_NODE: _unset, ...inherited } = process.env
  const env = {
    ...inherited,
    ...displayEnvironment,
    BRIDGEDECK_NODE: node24,
  }
  const flags = [...(asRoot ? ['--no-sandbox'] : []), ...(process.env.BRIDGEDECK_DEBUG ? [] : ['--log-level=3'])]
  return new Promise((done, reject) => {
    // In a process group of its own: Chromium ends cleanly at the first signal and hard at the second, and a terminal
    // and npm would each send one.
    const child = spawn(electron.executable, [...flags, root, '--', ...forApp], {
      stdio: 'inherit',
      env,
      detached: process.platform !== 'win32',
    })
    let asked = false
    const end = () => {
      if (!asked) child.kill('SIGTERM')
      asked = true
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end)
    child.on('error', (error) =>
      reject(new SetupError(`Electron (${electron.executable}) does not start: ${error.message}`)),
    )
    child.on('exit', (code, signal) => {
      if (signal !== null && !asked) say(`Electron was ended by ${signal}.`)
      done(asked ? 130 : (code ?? 1))
    })
  })
}

await main().catch(fail)
