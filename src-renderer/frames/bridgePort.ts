import type { Plane } from '@shared/contract/ports'

/** The hand-off is asked for again after this long without a port, ms. */
const HANDOFF_RETRY_MS = 2000

interface PortUser {
  /** A new port is there: the bridge knows nothing yet of what is wanted over it. */
  readonly onOpen: () => void
  readonly onMessage: (message: unknown) => void
}

/** The page's port to the bridge for one plane. It may be opened before anybody uses it. */
export class BridgePort<Request> {
  readonly #plane: Plane
  #user: PortUser | undefined
  #port: MessagePort | undefined
  /** Of the port that is there or asked for; empty without one. */
  #nonce = ''
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(plane: Plane) {
    this.#plane = plane
    window.addEventListener('message', (event) => this.#receivePort(event))
  }

  /** Says who uses the port; what came before waits for it. To be called once. */
  use(user: PortUser): void {
    this.#user = user
    this.#start()
  }

  /** Asks for a port unless one is there or asked for. After the end of a bridge process it is closed first. */
  open(): void {
    if (this.#nonce !== '') return
    const nonce = (this.#nonce = crypto.randomUUID())
    this.#timer = setTimeout(() => {
      this.close()
      this.open()
    }, HANDOFF_RETRY_MS)
    void window.bridgedeck.connectPort(this.#plane, nonce).then((result) => {
      // Without a bridge there is nothing to wait for: it is asked again when the next one is ready.
      if (!result.ok && result.error.code === 'BRIDGE_DOWN' && nonce === this.#nonce) this.close()
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
    this.#port = port
    this.#start()
  }

  #start(): void {
    const user = this.#user
    if (!this.#port || !user) return
    this.#port.onmessage = ({ data }: MessageEvent<unknown>) => user.onMessage(data)
    user.onOpen()
  }
}
