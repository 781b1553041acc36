import { stat } from 'node:fs/promises'
import {
  app,
  dialog,
  Menu,
  Notification,
  powerMonitor,
  shell,
  type BrowserWindow,
  type WebContents,
  type WebFrameMain,
} from 'electron'
import electronLog from 'electron-log/main'
import type { Input } from '@shared/contract/contract'
import { eventTable } from '@shared/contract/contract'
import { openLog, type Log } from '../files/log'
import { requestFreshStart } from './freshStart'
import type { WindowBridge } from './bridgeProcess'
import { systemClipboard } from './clipboard'
import { Closing } from './closing'
import { DesktopNotices, type Shown, type WatchedRun } from './desktopNotices'
import { Dialogs } from './dialogs'
import { FloatingWindow } from './floatingWindow'
import { Grants } from './grants'
import { forwardEvent, listenToPage, sendEvent } from './ipc'
import { firstMachine, type LaunchArguments } from './launchArguments'
import { createMainHandlers } from './mainCommands'
import { menuTemplate } from './menu'
import { Opener, type NamedFiles } from './opener'
import { PagePorts } from './pagePorts'
import { bridgeCaller, Router, type BridgeCall } from './router'
import { connectionFailure, takeScreenshot } from './screenshot'
import { Secrets } from './secrets'
import { systemSecretStore } from './secretStore'
import type { Supervisor } from './supervisor'
import { hideToTray } from './tray'
import { APP_ORIGIN } from './trust'
import { useTheme } from './window'
import type { WindowStore } from './windowState'

interface OpenedWindow {
  readonly launch: LaunchArguments
  readonly files: NamedFiles
  readonly supervisor: Supervisor<WindowBridge>
  readonly dataFolder: string
  readonly logFolder: string
  readonly stubPath: string
  readonly preload: string
  readonly log: Log
  readonly isStandIn: boolean
  readonly store: WindowStore
  readonly window: BrowserWindow
  readonly load: () => void
}

export async function serveWindow(opened: OpenedWindow): Promise<void> {
  const { launch, supervisor, log, store, window } = opened
  const { webContents } = window
  logVersions(opened)

  const dialogs = new Dialogs(window, store)
  const grants = new Grants()
  const ports = new PagePorts(supervisor)
  const secrets = new Secrets({ bridge: bridgeCaller(supervisor, log), store: systemSecretStore, log })
  const offerFiles = (paths: readonly string[]): void => void grantFiles(webContents, grants, paths)
  const opener = new Opener((open) => {
    if (open.kind === 'machine') sendEvent(webContents, 'window.openMachine', { machine: open.machine })
    else offerFiles([open.path])
  })
  const floating = new FloatingWindow({
    preload: opened.preload,
    isPackaged: app.isPackaged,
    store,
    ports,
    log,
    onClosed: () => sendEvent(webContents, 'window.floatingClosed', {}),
  })
  window.on('closed', () => floating.close())
  let watched: WatchedRun | null = null
  const watch = (run: WatchedRun | null): void => void (watched = run)
  const parts = { supervisor, dialogs, grants, ports, secrets, opener, floating, offerFiles, watch }
  const router = createRouter(opened, parts)
  listenToPage(router)

  window.on('leave-full-screen', () => sendEvent(webContents, 'window.leftFullScreen', {}))
  supervisor.onState((state) => {
    sendEvent(webContents, 'bridge.state', state)
    floating.notifyBridge(state)
  })
  connectEarly(supervisor, secrets.bridge, firstMachine(launch))
  forwardEvents(window, supervisor, () => (window.isFocused() ? watched : null), log)
  setMenu(webContents)
  watchPage(opened, router, () => {
    ports.pageGone()
    opener.pageGone()
    floating.close()
  })
  watchPower(supervisor, log)
  askBeforeClosing(window, secrets.bridge, dialogs, log)
  watchApp(window, opener, dialogs, log)
  stopBridgeBeforeQuitting(store, supervisor)

  if (launch.open?.kind === 'program') opener.open(launch.open)
  opened.files.openWith((path) => opener.open({ kind: 'program', path }))
  if (launch.screenshot !== undefined)
    await shootAndQuit(window, firstMachine(launch), launch.screenshot, secrets.bridge, supervisor)
}

function logVersions({ log, isStandIn }: OpenedWindow): void {
  log.info(
    `Bridgedeck ${app.getVersion()} on Electron ${process.versions.electron}, ${process.platform} ${process.arch}`,
  )
  if (isStandIn) log.warn(`This is the old stand-in Electron ${process.versions.electron}, for testing only.`)
}

/** The page gets grants, never paths. */
async function grantFiles(webContents: WebContents, grants: Grants, paths: readonly string[]): Promise<void> {
  const files = paths.map(async (path) => {
    const found = await stat(path).catch(() => undefined)
    return { ...grants.issue(path), folder: found?.isDirectory() ?? false }
  })
  sendEvent(webContents, 'window.filesDropped', { files: await Promise.all(files) })
}

interface RouterParts {
  readonly supervisor: Supervisor<WindowBridge>
  readonly dialogs: Dialogs
  readonly grants: Grants
  readonly ports: PagePorts
  readonly secrets: Secrets
  readonly opener: Opener
  readonly floating: FloatingWindow
  readonly offerFiles: (paths: readonly string[]) => void
  readonly watch: (run: WatchedRun | null) => void
}

function createRouter(
  { isStandIn, store, window, dataFolder, logFolder, stubPath, log }: OpenedWindow,
  { supervisor, dialogs, grants, ports, secrets, opener, floating, offerFiles, watch }: RouterParts,
): Router<WebFrameMain> {
  const { bridge } = secrets
  return new Router<WebFrameMain>({
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
      dataFolder,
      logFolder,
      stubPath,
      openFolder: (path) => shell.openPath(path),
      showInFolder: (path) => shell.showItemInFolder(path),
      useTheme,
      floatPicture: (picture) => floating.show(picture),
      setMenu: (menu) => setMenu(window.webContents, menu),
      watch,
      startFresh: () => {
        requestFreshStart(dataFolder)
        app.relaunch()
        app.quit()
      },
      setFullScreen: (full) => window.setFullScreen(full),
      pageStarted: () => opener.pageStarted(),
    }),
    bridge,
    confirm: (question) => dialogs.confirm(question),
    connectPort: (frame, plane, nonce) => ports.connect(frame, plane, nonce),
    filesDropped: offerFiles,
    log,
  })
}

function bringForward(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  // It may be hidden while tasks or agents run, and the system may have no tray.
  window.show()
  window.focus()
}

function forwardEvents(
  window: BrowserWindow,
  supervisor: Supervisor<WindowBridge>,
  watched: () => WatchedRun | null,
  log: Log,
): void {
  const { webContents } = window
  const desktop = new DesktopNotices({
    show: showNotification,
    watched,
    isInFront: () => window.isFocused(),
    onChosen: (about) => {
      bringForward(window)
      sendEvent(webContents, 'window.showPlace', about)
    },
  })
  window.on('focus', () => desktop.seen())
  supervisor.onEvent((event, payload) => {
    if (event !== 'notice.raised') {
      forwardEvent(webContents, event, payload, log)
      return
    }
    const notice = eventTable['notice.raised'].safeParse(payload)
    if (notice.success) desktop.notify(notice.data)
    else log.warn('the bridge raised a notice with a wrong payload', notice.error)
  })
}

const firstMenu: Input<'window.setMenu'> = { titles: {}, runningKeys: 'standard' }

function setMenu(webContents: WebContents, menu = firstMenu): void {
  Menu.setApplicationMenu(
    Menu.buildFromTemplate(
      menuTemplate({
        isMac: process.platform === 'darwin',
        isPackaged: app.isPackaged,
        ...menu,
        choose: (action) => sendEvent(webContents, 'window.action', { action }),
      }),
    ),
  )
}

function watchPage(
  { window, load, logFolder, log }: OpenedWindow,
  router: Router<WebFrameMain>,
  onLeft: () => void,
): void {
  const { webContents } = window
  const pageLog = openLog(electronLog.create({ logId: 'page' }), logFolder, 'page')
  webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (!isMainFrame || isSameDocument) return
    router.cancelAll()
    onLeft()
  })
  // about:blank comes without `will-navigate`.
  webContents.on('did-navigate', (_event, address) => {
    if (address.startsWith(`${APP_ORIGIN}/`)) return
    log.warn('the page left the app, and is loaded again')
    load()
  })
  // Electron before 35 has no such field on the event, and gives the text as an argument.
  webContents.on('console-message', (details: { message?: string }, ...[, text]: unknown[]) =>
    pageLog.info(details.message ?? String(text)),
  )
  webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    log.error(`the window’s page ended: ${reason}, code ${exitCode}`)
    router.cancelAll()
    if (reason !== 'clean-exit') void offerReload(window, reason).then((reload) => (reload ? load() : app.quit()))
  })
}

function watchPower(supervisor: Supervisor<WindowBridge>, log: Log): void {
  powerMonitor.on('suspend', () => {
    log.info('the computer goes to sleep')
    supervisor.suspended()
  })
  powerMonitor.on('resume', () => {
    log.info('the computer woke up')
    supervisor.resumed()
  })
}

function askBeforeClosing(window: BrowserWindow, bridge: BridgeCall, dialogs: Dialogs, log: Log): void {
  const closing = new Closing({
    liveWork: async () => {
      const [{ tasks }, { runs }] = await Promise.all([bridge('tasks.live', {}), bridge('agentRuns.live', {})])
      return [
        ...tasks.map(({ id }) => ({ kind: 'task' as const, name: id })),
        ...runs.map(({ agent, purpose }) => ({ kind: 'agent' as const, name: `${agent}: ${purpose}`.slice(0, 200) })),
      ]
    },
    stopWork: async () => {
      await Promise.all([bridge('tasks.stopAll', {}), bridge('agentRuns.stopAll', {})])
    },
    ask: (question) => dialogs.askBeforeClosing(question),
    close: () => window.close(),
    hide: () => hideToTray(window, () => window.close()),
    log: (message, error) => log.warn(message, error),
  })
  window.on('close', (event) => {
    if (!closing.allows()) event.preventDefault()
  })
}

function watchApp(window: BrowserWindow, opener: Opener, dialogs: Dialogs, log: Log): void {
  app.on('second-instance', (_event, _argv, _folder, data) => {
    bringForward(window)
    opener
      .openFromSecondStart(data, (question) => dialogs.confirm(question))
      .catch((error: unknown) => log.warn('what a second start asked for was not opened', error))
  })
  app.on('window-all-closed', () => app.quit())
}

function stopBridgeBeforeQuitting(store: WindowStore, supervisor: Supervisor<WindowBridge>): void {
  let isStopped = false
  app.on('will-quit', (event) => {
    if (isStopped) return
    event.preventDefault()
    store.flush()
    void supervisor.stop().then(() => {
      isStopped = true
      // Deferred, as Electron ignores a quit during this event.
      setImmediate(() => app.quit())
    })
  })
}

/** Connects the first machine while the page loads; the page asks for the same once it has started. */
function connectEarly(supervisor: Supervisor<WindowBridge>, bridge: BridgeCall, machine: string): void {
  supervisor
    .ready()
    .then(() => bridge('machine.connect', { machine }))
    .catch(() => undefined)
}

async function offerReload(window: BrowserWindow, reason: string): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'error',
    message: 'The window’s page crashed.',
    detail: `Reason: ${reason}. Your machines keep running; reload the page to see them again.`,
    buttons: ['Reload', 'Quit'],
    defaultId: 0,
  })
  return response === 0
}

async function shootAndQuit(
  window: BrowserWindow,
  machine: string,
  path: string,
  bridge: BridgeCall,
  supervisor: Supervisor<WindowBridge>,
): Promise<void> {
  const failure = async () => {
    if (supervisor.state.state === 'failed') return supervisor.state.reason ?? 'The bridge process has stopped.'
    return bridge('machine.list', {}).then(
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

function showNotification(title: string, body: string): Shown | undefined {
  if (!Notification.isSupported()) return undefined
  const notification = new Notification({ title, body })
  notification.show()
  return {
    close: () => notification.close(),
    onClick: (listener) => void notification.on('click', listener),
    onClose: (listener) => void notification.on('close', listener),
  }
}
