import type { BrowserWindow, WebFrameMain } from 'electron'
import { AppError, toFailure, type Result } from '@shared/contract/errors'
import { requestChannel } from '@shared/contract/pageChannels'
import { pageRequestSchema } from '@shared/contract/pageRequest'
import type { BridgeState, FloatingPicture } from '@shared/contract/window'
import { sendEvent } from './ipc'
import type { PagePorts } from './pagePorts'
import { APP_ORIGIN, isTrustedSender } from './trust'
import { createFloatingWindow } from './window'
import type { WindowStore } from './windowState'

interface FloatingParts {
  readonly preload: string
  readonly isPackaged: boolean
  readonly store: Pick<WindowStore, 'remember' | 'stored'>
  readonly ports: Pick<PagePorts, 'connect'>
  readonly onClosed: () => void
  readonly log: { warn(message: string, cause?: unknown): void }
}

/** This window may ask main for nothing but its port to the bridge. */
export class FloatingWindow {
  readonly #parts: FloatingParts
  #window: BrowserWindow | undefined
  #picture: FloatingPicture | null = null

  constructor(parts: FloatingParts) {
    this.#parts = parts
  }

  show(picture: FloatingPicture | null): void {
    this.#picture = picture
    if (picture === null) this.close()
    else if (this.#window) sendEvent(this.#window.webContents, 'window.floatingPicture', picture)
    else this.#window = this.#open()
  }

  close(): void {
    this.#window?.close()
  }

  notifyBridge(state: BridgeState): void {
    if (this.#window) sendEvent(this.#window.webContents, 'bridge.state', state)
  }

  #open(): BrowserWindow {
    const { onClosed, log, ...options } = this.#parts
    const window = createFloatingWindow(options.store, options)
    const { webContents } = window
    webContents.ipc.handle(requestChannel, ({ senderFrame }, request: unknown) => this.#answer(senderFrame, request))
    webContents.on('did-finish-load', () => {
      if (this.#picture) sendEvent(webContents, 'window.floatingPicture', this.#picture)
    })
    window.on('closed', () => {
      this.#window = undefined
      onClosed()
    })
    window
      .loadURL(`${APP_ORIGIN}/picture.html`)
      .catch((error: unknown) => log.warn('the window of the picture could not be loaded', error))
    return window
  }

  async #answer(frame: WebFrameMain | null, raw: unknown): Promise<Result<unknown>> {
    try {
      const request = pageRequestSchema.safeParse(raw).data
      const isAllowed = request?.kind === 'connectPort' && request.plane === 'picture'
      if (frame === null || !isTrustedSender(frame) || !isAllowed)
        throw new AppError('FORBIDDEN', 'The floating window may only ask for its picture.')
      await this.#parts.ports.connect(frame, request.plane, request.nonce)
      return { ok: true, data: {} }
    } catch (error) {
      return { ok: false, error: toFailure(error) }
    }
  }
}
