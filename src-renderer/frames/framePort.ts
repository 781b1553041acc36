import { isFrameDelivery, type FrameRequest } from '@shared/contract/frames'
import type { BridgePort } from './bridgePort'
import type { FrameStore } from './frameStore'

export class FramePort {
  readonly #store: FrameStore
  readonly #port: BridgePort<FrameRequest>
  #machine: string | null = null
  #held = false

  constructor(store: FrameStore, port: BridgePort<FrameRequest>) {
    this.#store = store
    this.#port = port
    port.use({
      onOpen: () => {
        this.#postVisible()
        this.#subscribe()
      },
      onMessage: (message) => this.#receiveFrame(message),
    })
    store.onWish(() => this.#subscribe())
    document.addEventListener('visibilitychange', () => this.#postVisible())
  }

  follow(machine: string | null): void {
    if (machine === this.#machine) return
    this.#machine = machine
    this.#store.clear()
    this.#subscribe()
  }

  /** While held, no frames come and the holder fills the store; nothing of that stays visible afterwards. */
  hold(held: boolean): void {
    if (held === this.#held) return
    this.#held = held
    if (!held) this.#store.clear()
    this.#subscribe()
  }

  #receiveFrame(message: unknown): void {
    if (!isFrameDelivery(message)) return
    // A frame of the earlier machine may still be under way when another one comes to the front.
    if (!this.#held && message.frame.machine === this.#machine) this.#store.apply(message)
    this.#port.post({ kind: 'credit' })
  }

  #subscribe(): void {
    this.#port.post({ kind: 'subscribe', machine: this.#held ? null : this.#machine, ...this.#store.wish })
  }

  #postVisible(): void {
    this.#port.post({ kind: 'visible', visible: document.visibilityState === 'visible' })
  }
}
