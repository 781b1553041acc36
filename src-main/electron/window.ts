import { BrowserWindow, nativeTheme, screen } from 'electron'
import type { Theme } from '@shared/contract/window'
import { webPreferences } from './webPreferences'
import { visibleBounds, type WindowStore } from './windowState'

/** px; room for three panels side by side. */
const DEFAULT_SIZE = { width: 1400, height: 900 }
const MIN_SIZE = { minWidth: 720, minHeight: 480 }

/** ms after its page has loaded; a window still hidden then is shown. */
const SHOW_LIMIT_MS = 500

/** As the page's own background, so that nothing flashes before it is drawn. */
const background = () => (nativeTheme.shouldUseDarkColors ? '#101217' : '#e6e8ec')

export interface WindowOptions {
  readonly preload: string
  readonly isPackaged: boolean
  /** px of the content; the window's place is then neither loaded nor saved. */
  readonly size?: { readonly width: number; readonly height: number } | undefined
}

export function createWindow(store: WindowStore, { preload, isPackaged, size }: WindowOptions): BrowserWindow {
  const { bounds, maximised } = store.stored
  const workAreas = screen.getAllDisplays().map(({ workArea }) => workArea)
  const window = new BrowserWindow({
    ...MIN_SIZE,
    ...(size ?? visibleBounds(bounds, workAreas) ?? DEFAULT_SIZE),
    useContentSize: size !== undefined,
    show: false,
    backgroundColor: background(),
    webPreferences: webPreferences(preload, isPackaged),
  })
  const show = () => {
    if (window.isDestroyed() || window.isVisible()) return
    if (maximised && !size) window.maximize()
    window.show()
  }
  window.once('ready-to-show', show)
  // With software rendering the first paint of a hidden window sometimes never comes (seen on Electron 25 under Xvfb).
  window.webContents.once('did-finish-load', () => setTimeout(show, SHOW_LIMIT_MS))
  nativeTheme.on('updated', () => {
    if (!window.isDestroyed()) window.setBackgroundColor(background())
  })
  if (size) return window
  const remember = () => store.remember({ bounds: window.getNormalBounds(), maximised: window.isMaximized() })
  window.on('resize', remember)
  window.on('move', remember)
  window.on('maximize', remember)
  window.on('unmaximize', remember)
  return window
}

const FLOATING_SIZE = { width: 384, height: 272 }
const MIN_FLOATING_SIZE = { minWidth: 160, minHeight: 120 }

export function createFloatingWindow(
  store: Pick<WindowStore, 'remember' | 'stored'>,
  { preload, isPackaged }: Pick<WindowOptions, 'preload' | 'isPackaged'>,
): BrowserWindow {
  const workAreas = screen.getAllDisplays().map(({ workArea }) => workArea)
  const place = visibleBounds(store.stored.floating, workAreas)
  const window = new BrowserWindow({
    ...MIN_FLOATING_SIZE,
    ...(place ?? FLOATING_SIZE),
    useContentSize: place === undefined,
    alwaysOnTop: true,
    skipTaskbar: true,
    fullscreenable: false,
    maximizable: false,
    minimizable: false,
    backgroundColor: '#000000',
    webPreferences: webPreferences(preload, isPackaged),
  })
  window.removeMenu()
  const remember = () => store.remember({ floating: window.getNormalBounds() })
  window.on('resize', remember)
  window.on('move', remember)
  return window
}

export function useTheme(theme: Theme): void {
  nativeTheme.themeSource = theme
}
