/** What stands behind the window: the bridge, the page's requests, the menu, and what happens to the window and the computer. */
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
import { eventTable } from '@shared/contract/contract'
import { openLog, type Log } from '../files/log'
import type { WindowBridge } from './bridgeProcess'
import { systemClipboard } from './clipboard'
import { Closing } from './closing'
import { DesktopNotices, type Shown } from './desktopNotices'
import { Dialogs } from './dialogs'
import { Grants } from './grants'
import { forwardEvent, listenToPage, sendEvent } from './ipc'
import { firstMachine, type LaunchArguments } from './launchArguments'
import { createMainHandlers } from './mainCommands'
import { menuTemplate } from './menu'
import { Opener } from './opener'
import { PagePorts } from './pagePorts'
import { bridgeCaller, Router, type BridgeCall } from './router'
import { connectionFailure, takeScreenshot } from './screenshot'
import { Secrets } from './secrets'
import { systemSecretStore } from './secretStore'
import type { Supervisor } from './supervisor'
import { hideToTray } from './tray'
import { useTheme } from './window'
import type { WindowStore } from './windowState'

interface OpenedWindow {
  readonly launch: LaunchArguments
  readonly supervisor: Supervisor<WindowBridge>
  readonly logFolder: string
  readonly stubPath: string
  readonly log: Log
  readonly isStandIn: boolean
  readonly store: WindowStore
  readonly window: BrowserWindow
  /** Loads the page again. */
  readonly load: () => void
}

/** Resolves when all is in place; for a screenshot, when it is taken and the app ends. */
export async function serveWindow(opened: OpenedWindow): Promise<void> {
  const { launch, supervisor, log, store, window } = opened
  const { webContents } = window
  logVersions(opened)

  const dialogs = new Dialogs(window, store)
  const grants = new Grants()
  const ports = new PagePorts(supervisor)
  const secrets = new Secrets({ bridge: bridgeCaller(supervisor), store: systemSecretStore, log })
  const handIn = (path: string): void => grantFile(webContents, grants, path)
  const opener = new Opener((open) => {
    if (open.kind === 'machine') sendEvent(webContents, 'window.openMachine', { machine: open.machine })
    else handIn(open.path)
  })
  const router = createRouter(opened, { supervisor, dialogs, grants, ports, secrets, opener, handIn })
  listenToPage(router)

  supervisor.onState((state) => sendEvent(webContents, 'bridge.state', state))
  connectEarly(supervisor, secrets.bridge, firstMachine(launch))
  forwardEvents(window, supervisor, log)
  setMenu(webContents)
  watchPage(opened, router, () => {
    ports.pageGone()
    opener.pageGone()
  })
  watchPower(supervisor, log)
  askBeforeClosing(window, secrets.bridge, dialogs, log)
  watchApp(window, opener)
  stopBridgeBeforeQuitting(store, supervisor)

  if (launch.open?.kind === 'program') opener.open(launch.open)
  if (launch.screenshot !== undefined) await shootAndQuit(window, firstMachine(launch), launch.screenshot, supervisor)
}

function logVersions({ log, isStandIn }: OpenedWindow): void {
  log.info(
    `Bridgedeck ${app.getVersion()} on Electron ${process.versions.electron}, ${process.platform} ${process.arch}`,
  )
  if (isStandIn)
    log.warn(`This is the old stand-in Electron ${process.versions.electron}, for trying and testing only.`)
}

/** Tells the page of a file without its path: the grant stands for it. */
function grantFile(webContents: WebContents, grants: Grants, path: string): void {
  const send = (folder: boolean) => sendEvent(webContents, 'window.fileDropped', { ...grants.issue(path), folder })
  stat(path).then(
    (found) => send(found.isDirectory()),
    // What is wrong with it, whoever reads it says.
    () => send(false),
  )
}

interface RouterParts {
  readonly supervisor: Supervisor<WindowBridge>
  readonly dialogs: Dialogs
  readonly grants: Grants
  readonly ports: PagePorts
  readonly secrets: Secrets
  readonly opener: Opener
  readonly handIn: (path: string) => void
}

function createRouter(
  { isStandIn, store, logFolder, stubPath, log }: OpenedWindow,
  { supervisor, dialogs, grants, ports, secrets, opener, handIn }: RouterParts,
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
      logFolder,
      stubPath,
      openFolder: (path) => shell.openPath(path),
      useTheme,
      pageStarted: () => opener.pageStarted(),
    }),
    bridge,
    confirm: (question) => dialogs.confirm(question),
    connectPort: (frame, plane, nonce) => ports.connect(frame, plane, nonce),
    fileDropped: handIn,
    log,
  })
}

function bringForward(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  // It may be hidden while tasks or agents run, and the system may have no tray.
  window.show()
  window.focus()
}

/** Notices go to the desktop, everything else to the page. */
function forwardEvents(window: BrowserWindow, supervisor: Supervisor<WindowBridge>, log: Log): void {
  const { webContents } = window
  const desktop = new DesktopNotices({
    show: showNotification,
    onChosen: (about) => {
      bringForward(window)
      sendEvent(webContents, 'window.showPlace', about)
    },
  })
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

function setMenu(webContents: WebContents): void {
  Menu.setApplicationMenu(
    Menu.buildFromTemplate(
      menuTemplate({
        isMac: process.platform === 'darwin',
        isPackaged: app.isPackaged,
        choose: (action) => sendEvent(webContents, 'window.action', { action }),
      }),
    ),
  )
}

/** @param onLeft another page is loaded in its place */
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

function watchApp(window: BrowserWindow, opener: Opener): void {
  app.on('second-instance', (_event, _argv, _folder, handedOver) => {
    bringForward(window)
    opener.openHandedOver(handedOver)
  })
  app.on('open-file', (event, path) => {
    event.preventDefault()
    opener.open({ kind: 'program', path })
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
      // Not before this event is over: Electron would ignore it.
      setImmediate(() => app.quit())
    })
  })
}

/** The page asks for the same as soon as it is there; meanwhile the machine starts beside it. */
function connectEarly(supervisor: Supervisor<WindowBridge>, bridge: BridgeCall, machine: string): void {
  supervisor
    .ready()
    .then(() => bridge('machine.connect', { machine }))
    // What goes wrong stands in the machine's state, or in the bridge's.
    .catch(() => undefined)
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

async function shootAndQuit(
  window: BrowserWindow,
  machine: string,
  path: string,
  supervisor: Supervisor<WindowBridge>,
): Promise<void> {
  const failure = async () => {
    if (supervisor.state.state === 'failed')
      return supervisor.state.reason ?? 'The part that talks to machines has stopped.'
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

function showNotification(title: string, body: string): Shown | undefined {
  if (!Notification.isSupported()) return undefined
  const notification = new Notification({ title, body })
  notification.show()
  return {
    onClick: (listener) => void notification.on('click', listener),
    onClose: (listener) => void notification.on('close', listener),
  }
}
