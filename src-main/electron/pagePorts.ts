import { MessageChannelMain, type WebFrameMain } from 'electron'
import { AppError } from '@shared/contract/errors'
import { portChannel } from '@shared/contract/pageChannels'
import type { Plane } from '@shared/contract/ports'
import type { WindowBridge } from './bridgeProcess'
import type { Supervisor } from './supervisor'

export class PagePorts {
  readonly #supervisor: Supervisor<WindowBridge>
  readonly #used = new Set<string>()

  constructor(supervisor: Supervisor<WindowBridge>) {
    this.#supervisor = supervisor
  }

  /** A new page may use the same nonces. */
  pageGone(): void {
    this.#used.clear()
  }

  async connect(frame: WebFrameMain, plane: Plane, nonce: string): Promise<void> {
    if (this.#used.has(nonce)) throw new AppError('FORBIDDEN', 'This port has already been connected.')
    this.#used.add(nonce)
    const bridge = await this.#supervisor.ready()
    const { port1, port2 } = new MessageChannelMain()
    bridge.connectPort(plane, port1)
    frame.postMessage(portChannel, nonce, [port2])
  }
}
