/** Electron's entry: puts the parts together; each part says for itself what it does. */
import { app, crashReporter, dialog, Menu, powerMonitor, shell, type BrowserWindow, type WebFrameMain } from 'electron'
import electronLog from 'electron-log/main'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { bridgeEnvironment, chooseBridge } from './electron/bridgeEnvironment'
import { forkedHost, utilityHost, type WindowBridge } from './electron/bridgeProcess'
import { systemClipboard } from './electron/clipboard'
import { Dialogs } from './electron/dialogs'
import { Grants } from './electron/grants'
import { forwardEvent, listenToPage, sendEvent } from './electron/ipc'
import { ownArguments, parseLaunchArguments, type LaunchArguments } from './electron/launchArguments'
import { createMainHandlers } from './electron/mainCommands'
import { menuTemplate } from './electron/menu'
import { Opener } from './electron/opener'
import { PagePorts } from './electron/pagePorts'
import { bridgeCaller, Router, type BridgeCall } from './electron/router'
import { connectionFailure, takeScreenshot } from './electron/screenshot'
import { Secrets } from './electron/secrets'
import { systemSecretStore } from './electron/secretStore'
import { lockDown, registerAppScheme } from './electron/security'
import { Supervisor, type BridgeHost } from './electron/supervisor'
import { APP_ORIGIN } from './electron/trust'
import { createWindow, useTheme } from './electron/window'
import { WindowStore } from './electron/windowState'
import { dataFolder } from './files/dataFolder'
import { logLines, openLog } from './files/log'

const data = dataFolder()
const logFolder = join(data, 'logs')
const isStandIn = process.env.BRIDGEDECK_STAND_IN === '1'

const launch = readLaunchArguments()
if (launch) begin(launch)

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

/** npm changes the working folder, and says what it was. */
function fromCaller(path: string): string {
  return resolve(process.env.INIT_CWD ?? process.cwd(), path)
}

function begin(launch: LaunchArguments): void {
  mkdirSync(logFolder, { recursive: true })
  app.setPath('userData', join(data, launch.screenshot === undefined ? 'chromium' : 'chromium-screenshot'))
  app.setPath('crashDumps', join(data, 'crashes'))
  crashReporter.start({ uploadToServer: false })
  // As root, with Chromium's sandbox switched off for the whole process, this would end every child in a loop.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
  // Where there is no graphics card, the stand-in's GPU process hung at one start in fifteen: nothing was loaded or painted.
  if (isStandIn) app.commandLine.appendSwitch('disable-gpu')
  registerAppScheme()
  // The lock belongs to the data folder. A second start hands over what it was to open.
  if (launch.screenshot === undefined && !app.requestSingleInstanceLock({ open: launch.open ?? null })) {
    app.quit()
    return
  }
  void app.whenReady().then(() => run(launch))
}

async function run(launch: LaunchArguments): Promise<void> {
  const log = openLog(electronLog.create({ logId: 'main' }), logFolder, 'main')
  // What the bridge prints; it also writes a log of its own.
  const bridgeOutput = openLog(electronLog.create({ logId: 'bridge-output' }), logFolder, 'bridge-output')
  const pageLog = openLog(electronLog.create({ logId: 'page' }), logFolder, 'page')
  process.on('uncaughtException', (error) => log.error('an exception was not caught', error))
  process.on('unhandledRejection', (reason) => log.error('a rejection was not handled', reason))
  log.info(`Bridgedeck ${app.getVersion()} on Electron ${process.versions.electron}, ${process.platform} ${process.arch}`)
  if (isStandIn) log.warn(`This is the old stand-in Electron ${process.versions.electron}, for trying and testing only.`)

  const store = new WindowStore(join(data, 'window.json'), log)
  const supervisor = new Supervisor<WindowBridge>(bridgeHost((stream) => logLines(bridgeOutput, stream)), log)
  supervisor.start()

  lockDown(join(__dirname, '../renderer'), log)
  useTheme(launch.theme ?? store.stored.theme)
  const window = createWindow(store, {
    preload: join(__dirname, '../preload/preload.cjs'),
    isPackaged: app.isPackaged,
    size: launch.size,
  })
  const { webContents } = window
  const dialogs = new Dialogs(window, store)
  const grants = new Grants()
  const ports = new PagePorts(supervisor)
  const secrets = new Secrets({ bridge: bridgeCaller(supervisor), store: systemSecretStore, log })
  const { bridge } = secrets
  const opener = new Opener((open) => {
    if (open.kind === 'machine') sendEvent(webContents, 'window.openMachine', { machine: open.machine })
    else sendEvent(webContents, 'window.fileDropped', grants.issue(open.path))
  })

  const router = new Router<WebFrameMain>({
    handlers: createMainHandlers({
      app: {
        version: app.getVersion(),
        electron: process.versions.electron,
        chromium: process.versions.chrome,
        platform: `${process.platform} ${process.arch}`,
        standIn: isStandIn,
      },
      bridge,
      supervisor,
      store,
      grants,
      secrets,
      dialogs,
      clipboard: systemClipboard,
      logFolder,
      openFolder: (path) => shell.openPath(path),
      useTheme,
      pageStarted: () => opener.pageStarted(),
    }),
    bridge,
    confirm: (question) => dialogs.confirm(question),
    connectPort: (frame, plane, nonce) => ports.connect(frame, plane, nonce),
    fileDropped: (path) => sendEvent(webContents, 'window.fileDropped', grants.issue(path)),
    log,
  })
  listenToPage(router)

  supervisor.onState((state) => sendEvent(webContents, 'bridge.state', state))
  connectEarly(supervisor, bridge, firstMachine(launch))
  supervisor.onEvent((event, payload) => forwardEvent(webContents, event, payload, log))
  Menu.setApplicationMenu(
    Menu.buildFromTemplate(
      menuTemplate({
        isMac: process.platform === 'darwin',
        isPackaged: app.isPackaged,
        choose: (action) => sendEvent(webContents, 'window.action', { action }),
      }),
    ),
  )

  const load = () => window.loadURL(startAddress(launch)).catch((error: unknown) => log.error('the page could not be loaded', error))
  webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (!isMainFrame || isSameDocument) return
    router.cancelAll()
    ports.pageGone()
    opener.pageGone()
  })
  // Electron before 35 has no such field on the event, and gives the text as an argument.
  webContents.on('console-message', (details: { message?: string }, ...[, text]: unknown[]) => pageLog.info(details.message ?? String(text)))
  webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    log.error(`the window’s page ended: ${reason}, code ${exitCode}`)
    router.cancelAll()
    if (reason !== 'clean-exit') void offerReload(window, reason).then((reload) => (reload ? load() : app.quit()))
  })
  powerMonitor.on('suspend', () => {
    log.info('the computer goes to sleep')
    supervisor.suspended()
  })
  powerMonitor.on('resume', () => {
    log.info('the computer woke up')
    supervisor.resumed()
  })
  app.on('second-instance', (_event, _argv, _folder, handedOver) => {
    if (window.isMinimized()) window.restore()
    window.focus()
    opener.openHandedOver(handedOver)
  })
  app.on('open-file', (event, path) => {
    event.preventDefault()
    opener.open({ kind: 'program', path })
  })
  app.on('window-all-closed', () => app.quit())
  let isStopped = false
  app.on('will-quit', (event) => {
    if (isStopped) return
    event.preventDefault()
    store.flush()
    void supervisor.stop().then(() => {
      isStopped = true
      // Not before this event is over: Electron would ignore it.
      setImmediate(() => app.quit())
    })
  })

  if (launch.open?.kind === 'program') opener.open(launch.open)
  void load()
  if (launch.screenshot !== undefined) await shootAndQuit(window, firstMachine(launch), launch.screenshot, supervisor)
}

function bridgeHost(output: (stream: NodeJS.ReadableStream) => void): BridgeHost<WindowBridge> {
  const choice = chooseBridge(process.env, app.isPackaged, join(__dirname, 'bridge.cjs'))
  const common = { script: choice.script, environment: bridgeEnvironment({ ...process.env, BRIDGEDECK_DATA: data }), output }
  return choice.kind === 'forked' ? forkedHost({ ...common, node: choice.node }) : utilityHost(common)
}

/** The page asks for the same as soon as it is there; meanwhile the machine starts beside it. */
function connectEarly(supervisor: Supervisor<WindowBridge>, bridge: BridgeCall, machine: string): void {
  let isFirst = true
  supervisor.onState(({ state }) => {
    if (state !== 'ready' || !isFirst) return
    isFirst = false
    // What goes wrong stands in the machine's state.
    bridge('machine.connect', { machine }).catch(() => undefined)
  })
}

const firstMachine = ({ machine, open }: LaunchArguments): string => machine ?? (open?.kind === 'machine' ? open.machine : 'builtin')

function startAddress(launch: LaunchArguments): string {
  const { view, theme } = launch
  const query = new URLSearchParams({ machine: firstMachine(launch) })
  if (view !== undefined) query.set('view', view)
  if (theme !== undefined) query.set('theme', theme)
  return `${APP_ORIGIN}/index.html?${query.toString()}`
}

async function offerReload(window: BrowserWindow, reason: string): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'error',
    message: 'The window’s page ended.',
    detail: `Electron says: ${reason}. The machines go on; loading the page again brings them back.`,
    buttons: ['Load again', 'Quit'],
    defaultId: 0,
  })
  return response === 0
}

async function shootAndQuit(window: BrowserWindow, machine: string, path: string, supervisor: Supervisor<WindowBridge>): Promise<void> {
  const failure = async () => {
    if (supervisor.state.state === 'failed') return supervisor.state.reason ?? 'The part that talks to machines has stopped.'
    // Until the bridge is ready there is nothing to tell.
    return bridgeCaller(supervisor)('machine.list', {}).then(
      ({ machines }) => connectionFailure(machines, machine),
      () => undefined,
    )
  }
  let code = 0
  try {
    await takeScreenshot(window.webContents, machine, path, failure)
  } catch (error) {
    process.stderr.write(`bridgedeck: ${error instanceof Error ? error.message : String(error)}\n`)
    code = 1
  }
  await supervisor.stop()
  app.exit(code)
}
