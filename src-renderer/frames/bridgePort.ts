import type { Plane } from '@shared/contract/ports'

/** ms. */
const HANDOFF_RETRY_MS = 2000

interface PortUser {
  /** A new port is there: the bridge does not yet know what is wanted over it. */
  readonly onOpen: () => void
  readonly onMessage: (message: unknown) => void
}

export class BridgePort<Request> {
  readonly #plane: Plane
  #user: PortUser | undefined
  #port: MessagePort | undefined
  #nonce = ''
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(plane: Plane) {
    this.#plane = plane
    window.addEventListener('message', (event) => this.#receivePort(event))
  }

  /** Call it once. What came before waits for the user. */
  use(user: PortUser): void {
    this.#user = user
    this.#start()
  }

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

  /** Dropped without a port: say it again in `onOpen`. */
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
