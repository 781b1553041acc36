import { MessageChannelMain, type WebFrameMain } from 'electron'
import { AppError } from '@shared/contract/errors'
import { portChannel } from '@shared/contract/pageChannels'
import type { WindowBridge } from './bridgeProcess'
import type { Supervisor } from './supervisor'

/** Hands the page a frame port to the bridge, once for each nonce that it makes up. */
export class FramePorts {
  readonly #supervisor: Supervisor<WindowBridge>
  readonly #used = new Set<string>()

  constructor(supervisor: Supervisor<WindowBridge>) {
    this.#supervisor = supervisor
  }

  /** Its nonces went with the page. */
  pageGone(): void {
    this.#used.clear()
  }

  async connect(frame: WebFrameMain, nonce: string): Promise<void> {
    if (this.#used.has(nonce)) throw new AppError('FORBIDDEN', 'This frame port was handed out before.')
    this.#used.add(nonce)
    const bridge = await this.#supervisor.ready()
    const { port1, port2 } = new MessageChannelMain()
    bridge.connectFrames(port1)
    frame.postMessage(portChannel, nonce, [port2])
  }
}
