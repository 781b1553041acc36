/** What stands behind the window: the bridge, the page's requests, the menu, and what happens to the window and the computer. */
import { stat } from 'node:fs/promises'
import { app, dialog, Menu, Notification, powerMonitor, shell, type BrowserWindow, type WebFrameMain } from 'electron'
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
import { Supervisor, type BridgeHost } from './supervisor'
import { hideToTray } from './tray'
import { useTheme } from './window'
import type { WindowStore } from './windowState'

interface OpenedWindow {
  readonly launch: LaunchArguments
  readonly bridgeHost: BridgeHost<WindowBridge>
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
export async function serveWindow({
  launch,
  bridgeHost,
  logFolder,
  stubPath,
  log,
  isStandIn,
  store,
  window,
  load,
}: OpenedWindow): Promise<void> {
  const supervisor = new Supervisor(bridgeHost, log)
  supervisor.start()

  const pageLog = openLog(electronLog.create({ logId: 'page' }), logFolder, 'page')
  log.info(
    `Bridgedeck ${app.getVersion()} on Electron ${process.versions.electron}, ${process.platform} ${process.arch}`,
  )
  if (isStandIn)
    log.warn(`This is the old stand-in Electron ${process.versions.electron}, for trying and testing only.`)

  const { webContents } = window
  const dialogs = new Dialogs(window, store)
  const grants = new Grants()
  const ports = new PagePorts(supervisor)
  const secrets = new Secrets({ bridge: bridgeCaller(supervisor), store: systemSecretStore, log })
  const { bridge } = secrets
  const handIn = (path: string): void => {
    const tell = (folder: boolean) => sendEvent(webContents, 'window.fileDropped', { ...grants.issue(path), folder })
    stat(path).then(
      (found) => tell(found.isDirectory()),
      // What is wrong with it, whoever reads it says.
      () => tell(false),
    )
  }
  const opener = new Opener((open) => {
    if (open.kind === 'machine') sendEvent(webContents, 'window.openMachine', { machine: open.machine })
    else handIn(open.path)
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
  listenToPage(router)

  supervisor.onState((state) => sendEvent(webContents, 'bridge.state', state))
  connectEarly(supervisor, bridge, firstMachine(launch))
  const bringForward = () => {
    if (window.isMinimized()) window.restore()
    // It may be hidden while tasks or agents run, and the system may have no tray.
    window.show()
    window.focus()
  }
  const desktop = new DesktopNotices({
    show: showNotification,
    onChosen: (about) => {
      bringForward()
      sendEvent(webContents, 'window.showPlace', about)
    },
  })
  supervisor.onEvent((event, payload) => {
    if (event !== 'notice.raised') {
      forwardEvent(webContents, event, payload, log)
      return
    }
    const notice = eventTable['notice.raised'].safeParse(payload)
    if (notice.success) desktop.tell(notice.data)
    else log.warn('the bridge raised a notice with a wrong payload', notice.error)
  })
  Menu.setApplicationMenu(
    Menu.buildFromTemplate(
      menuTemplate({
        isMac: process.platform === 'darwin',
        isPackaged: app.isPackaged,
        choose: (action) => sendEvent(webContents, 'window.action', { action }),
      }),
    ),
  )

  webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (!isMainFrame || isSameDocument) return
    router.cancelAll()
    ports.pageGone()
    opener.pageGone()
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
  powerMonitor.on('suspend', () => {
    log.info('the computer goes to sleep')
    supervisor.suspended()
  })
  powerMonitor.on('resume', () => {
    log.info('the computer woke up')
    supervisor.resumed()
  })
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
  app.on('second-instance', (_event, _argv, _folder, handedOver) => {
    bringForward()
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
  if (launch.screenshot !== undefined) await shootAndQuit(window, firstMachine(launch), launch.screenshot, supervisor)
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
