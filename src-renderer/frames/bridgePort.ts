import type { Plane } from '@shared/contract/ports'

/** The hand-off is asked for again after this long without a port, ms. */
const HANDOFF_RETRY_MS = 2000

interface BridgePortOptions {
  readonly plane: Plane
  /** A new port is there: the bridge knows nothing yet of what is wanted over it. */
  readonly onOpen: () => void
  readonly onMessage: (message: unknown) => void
}

/** The page's port to the bridge for one plane. A new one replaces the one before. */
export class BridgePort<Request> {
  readonly #options: BridgePortOptions
  #port: MessagePort | undefined
  #nonce = ''
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: BridgePortOptions) {
    this.#options = options
    window.addEventListener('message', (event) => this.#receivePort(event))
  }

  /** Asks for a port, also after the bridge process has started again. */
  open(): void {
    this.close()
    this.#nonce = crypto.randomUUID()
    this.#timer = setTimeout(() => this.open(), HANDOFF_RETRY_MS)
    const nonce = this.#nonce
    void window.bridgedeck.connectPort(this.#options.plane, nonce).then((result) => {
      // Without a bridge there is nothing to wait for: it is asked again when the next one is ready.
      if (!result.ok && result.error.code === 'BRIDGE_DOWN' && nonce === this.#nonce) clearTimeout(this.#timer)
    })
  }

  close(): void {
    this.#port?.close()
    this.#port = undefined
    this.#nonce = ''
    clearTimeout(this.#timer)
  }

  /** Without a port nothing is said: `onOpen` is the time to say it again. */
  post(request: Request): void {
    this.#port?.postMessage(request)
  }

  #receivePort(event: MessageEvent): void {
    const [port] = event.ports
    if (event.source !== window || this.#nonce === '' || event.data !== this.#nonce || !port) return
    clearTimeout(this.#timer)
    this.#port?.close()
    this.#port = port
    port.onmessage = ({ data }: MessageEvent<unknown>) => this.#options.onMessage(data)
    this.#options.onOpen()
  }
}
