import { app, protocol, session, shell } from 'electron'
import { serveApp } from './appProtocol'
import { APP_SCHEME, isWebAddress } from './trust'

/** Port 9 (discard): whatever listens there is no proxy. */
const NO_PROXY = 'socks5://127.0.0.1:9'

/** To be called before Electron's `ready` event. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    // `codeCache`: Electron keeps the page's compiled code for the next start where it can.
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ])
}

/**
 * Call after `ready`, before the first window: serves the page from `root` over app://, and refuses file://, all permissions,
 * downloads, navigations, new windows and web views.
 */
export function lockDown(root: string, log: { warn(message: string): void }): void {
  protocol.handle(APP_SCHEME, (request) => serveApp(root, request))
  // The first refuses requests of main, the second those of windows: neither covers both.
  protocol.handle('file', () => new Response(null, { status: 403 }))
  session.defaultSession.webRequest.onBeforeRequest({ urls: ['file://*'] }, (_request, answer) =>
    answer({ cancel: true }),
  )

  session.defaultSession.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  session.defaultSession.setPermissionCheckHandler(() => false)
  session.defaultSession.setDevicePermissionHandler(() => false)

  // The page needs no network. WebRTC over TCP would leave the computer, but it uses the proxy.
  void session.defaultSession.setProxy({ proxyRules: NO_PROXY, proxyBypassRules: '<-loopback>' })
  session.defaultSession.on('will-download', (event) => {
    event.preventDefault()
    log.warn('a download was refused')
  })

  app.on('web-contents-created', (_event, contents) => {
    // The page's policy does not cover WebRTC.
    contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
    const refuse = (event: { preventDefault(): void }) => {
      event.preventDefault()
      log.warn('a navigation was refused')
    }
    contents.on('will-navigate', refuse)
    contents.on('will-redirect', refuse)
    contents.on('will-attach-webview', refuse)
    contents.setWindowOpenHandler(({ url }) => {
      safeOpenExternal(url)
      return { action: 'deny' }
    })
  })
}

/** Opens a web address in the user's browser; ignores anything else. */
function safeOpenExternal(address: string): void {
  if (isWebAddress(address)) void shell.openExternal(address)
}
