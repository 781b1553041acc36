/** The window opens at once; what stands behind it is loaded while its page starts. */
import { app, crashReporter, dialog } from 'electron'
import electronLog from 'electron-log/main'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describeFailure, toFailure, type AppError } from '@shared/contract/errors'
import { bridgeEnvironment, bridgeParts, chooseBridge, isOldElectron } from './electron/bridgeEnvironment'
import { forkedHost, utilityHost, type WindowBridge } from './electron/bridgeProcess'
import { moveAside } from './electron/freshStart'
import { firstMachine, ownArguments, parseLaunchArguments, type LaunchArguments } from './electron/launchArguments'
import { NamedFiles } from './electron/opener'
import { lockDown, registerAppScheme } from './electron/security'
import { Supervisor } from './electron/supervisor'
import { APP_ORIGIN } from './electron/trust'
import { createWindow, useTheme } from './electron/window'
import { WindowStore } from './electron/windowState'
import { COMPILED } from './files/compileCache'
import { dataFolder } from './files/dataFolder'
import { newerData } from './files/dataVersion'
import { logLines, openLog, type Log } from './files/log'
import { makePrivateFolder } from './files/privateFiles'

const data = dataFolder()
const logFolder = join(data, 'logs')
const isStandIn = isOldElectron(process.versions)

const launch = readLaunchArguments()
const newer = newerData(data)
if (launch && newer) refuse(newer)
else if (launch && hasDataFolder()) begin(launch)

/** Leaves no file in the data folder: Chromium's own go where nothing is kept. */
function refuse(newer: AppError): void {
  const text = describeFailure(toFailure(newer))
  process.stderr.write(`bridgedeck: ${text}\n`)
  const scratch = mkdtempSync(join(tmpdir(), 'bridgedeck-'))
  app.setPath('userData', scratch)
  app.on('quit', () => rmSync(scratch, { recursive: true, force: true }))
  void app.whenReady().then(() => {
    if (launch?.screenshot === undefined) dialog.showErrorBox('Bridgedeck cannot start', text)
    app.exit(1)
  })
}

function hasDataFolder(): boolean {
  try {
    moveAside(data)
    makePrivateFolder(data)
    return true
  } catch (error) {
    // Before a dialog can be shown, the error goes to standard error.
    dialog.showErrorBox('Bridgedeck cannot start', describeFailure(toFailure(error)))
    app.exit(1)
    return false
  }
}

function readLaunchArguments(): LaunchArguments | undefined {
  try {
    const { open, screenshot, ...rest } = parseLaunchArguments(ownArguments(process.argv, app.isPackaged))
    return {
      ...rest,
      open: open?.kind === 'program' ? { ...open, path: fromCaller(open.path) } : open,
      ...(screenshot === undefined ? {} : { screenshot: fromCaller(screenshot) }),
    }
  } catch (error) {
    process.stderr.write(`bridgedeck: ${error instanceof Error ? error.message : String(error)}\n`)
    app.exit(2)
    return undefined
  }
}

function fromCaller(path: string): string {
  return resolve(process.env.INIT_CWD ?? process.cwd(), path)
}

function begin(launch: LaunchArguments): void {
  app.setPath('userData', join(data, launch.screenshot === undefined ? 'chromium' : 'chromium-screenshot'))
  app.setPath('crashDumps', join(data, 'crashes'))
  crashReporter.start({ uploadToServer: false })
  // As root, with Chromium's sandbox switched off for the whole process, this would end every child in a loop.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
  // Without a graphics card the GPU process hung at one start in fifteen: nothing was loaded or painted.
  if (isStandIn) app.commandLine.appendSwitch('disable-gpu')
  registerAppScheme()
  const files = new NamedFiles(app)
  if (launch.screenshot === undefined && !app.requestSingleInstanceLock({ open: launch.open ?? null })) {
    app.quit()
    return
  }
  const log = openLog(electronLog.create({ logId: 'main' }), logFolder, 'main')
  process.on('uncaughtException', (error) => log.error('an exception was not caught', error))
  process.on('unhandledRejection', (reason) => log.error('a rejection was not handled', reason))
  // Before the window: the bridge takes longer to be ready than the page.
  const supervisor = startBridge(log)
  void app.whenReady().then(() => run(launch, files, log, supervisor))
}

async function run(
  launch: LaunchArguments,
  files: NamedFiles,
  log: Log,
  supervisor: Supervisor<WindowBridge>,
): Promise<void> {
  const store = new WindowStore(join(data, 'window.json'), log)
  lockDown(join(__dirname, '../renderer'), log)
  useTheme(launch.theme ?? store.stored.theme)
  const preload = join(__dirname, '../preload/preload.cjs')
  const window = createWindow(store, {
    preload,
    isPackaged: app.isPackaged,
    size: launch.size,
  })
  const load = () =>
    void window
      .loadURL(startAddress(launch))
      .catch((error: unknown) => log.error('the page could not be loaded', error))
  load()
  // The page's process starts meanwhile; its first request finds everything in place.
  const { serveWindow } = await import('./electron/serveWindow')
  await serveWindow({
    launch,
    files,
    supervisor,
    dataFolder: data,
    logFolder,
    preload,
    stubPath: join(__dirname, '../resources/c64/stub.prg'),
    log,
    isStandIn,
    store,
    window,
    load,
  })
}

function startBridge(log: Log): Supervisor<WindowBridge> {
  const bridgeOutput = openLog(electronLog.create({ logId: 'bridge-output' }), logFolder, 'bridge-output')
  const output = (stream: NodeJS.ReadableStream) => logLines(bridgeOutput, stream)
  const { isPackaged } = app
  const parts = bridgeParts(process.env, __dirname, isPackaged ? process.resourcesPath : undefined)
  const choice = chooseBridge(process.env, parts, { isPackaged, isOld: isStandIn })
  const environment = {
    ...bridgeEnvironment({ ...process.env, BRIDGEDECK_DATA: data, BRIDGEDECK_NODE: parts.node }),
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(data, COMPILED),
  }
  const common = { script: choice.script, environment, output }
  const host = choice.kind === 'forked' ? forkedHost({ ...common, node: choice.node }) : utilityHost(common)
  const supervisor = new Supervisor(host, log)
  if (choice.kind === 'forked') supervisor.start()
  // Electron starts no utility process before it is ready.
  else void app.whenReady().then(() => supervisor.start())
  return supervisor
}

function startAddress(launch: LaunchArguments): string {
  const { view, theme, screenshot } = launch
  const query = new URLSearchParams({ machine: firstMachine(launch) })
  if (view !== undefined) query.set('view', view)
  if (theme !== undefined) query.set('theme', theme)
  if (screenshot !== undefined) query.set('screenshot', '')
  return `${APP_ORIGIN}/index.html?${query.toString()}`
}
