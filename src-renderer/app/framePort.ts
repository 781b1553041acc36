import { isFrameDelivery, type FrameRequest } from '@shared/contract/frames'
import type { FrameStore } from './frameStore'

/** The hand-off is asked for again after this long without a port, ms. */
const PATIENCE = 2000

/**
 * Keeps the frame port open and subscribed to what the store's views want of the machine in front. A new port replaces
 * the one before; `reopen` asks for it after the bridge process has started again.
 */
export class FramePort {
  readonly #store: FrameStore
  #port: MessagePort | undefined
  #nonce = ''
  #timer: ReturnType<typeof setTimeout> | undefined
  #machine: string | null = null

  constructor(store: FrameStore) {
    this.#store = store
    store.onWish(() => this.#subscribe())
    document.addEventListener('visibilitychange', () => this.#sayVisible())
    window.addEventListener('message', (event) => this.#receivePort(event))
  }

  reopen(): void {
    this.#port?.close()
    this.#port = undefined
    this.#nonce = crypto.randomUUID()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.reopen(), PATIENCE)
    const nonce = this.#nonce
    void window.bridgedeck.connectFrames(nonce).then((result) => {
      // Without a bridge there is nothing to wait for: it is asked again when the next one is ready.
      if (!result.ok && result.error.code === 'BRIDGE_DOWN' && nonce === this.#nonce) clearTimeout(this.#timer)
    })
  }

  /** The machine whose frames are to come; null for none. */
  follow(machine: string | null): void {
    if (machine === this.#machine) return
    this.#machine = machine
    this.#store.clear()
    this.#subscribe()
  }

  #receivePort(event: MessageEvent): void {
    const [port] = event.ports
    if (event.source !== window || event.data !== this.#nonce || !port) return
    clearTimeout(this.#timer)
    this.#port?.close()
    this.#port = port
    port.onmessage = ({ data }: MessageEvent<unknown>) => this.#receiveFrame(data)
    this.#sayVisible()
    this.#subscribe()
  }

  #receiveFrame(message: unknown): void {
    if (!isFrameDelivery(message)) return
    // A frame of the machine before may still be under way when another one comes to the front.
    if (message.frame.machine === this.#machine) this.#store.apply(message)
    this.#post({ kind: 'credit' })
  }

  #subscribe(): void {
    this.#post({ kind: 'subscribe', machine: this.#machine, ...this.#store.wish })
  }

  #sayVisible(): void {
    this.#post({ kind: 'visible', visible: document.visibilityState === 'visible' })
  }

  #post(request: FrameRequest): void {
    this.#port?.postMessage(request)
  }
}
