import { openRequestSchema, type OpenRequest } from './launchArguments'

/** Queues requests to open something until the page listens. */
export class Opener {
  readonly #send: (open: OpenRequest) => void
  #isListening = false
  #waiting: OpenRequest[] = []

  constructor(send: (open: OpenRequest) => void) {
    this.#send = send
  }

  open(request: OpenRequest): void {
    if (this.#isListening) this.#send(request)
    else this.#waiting.push(request)
  }

  /** @param data from a second start of the app; checked, as it comes from another process */
  openFromSecondStart(data: unknown): void {
    if (typeof data !== 'object' || data === null || !('open' in data)) return
    const parsed = openRequestSchema.safeParse(data.open)
    if (parsed.success) this.open(parsed.data)
  }

  pageStarted(): void {
    this.#isListening = true
    for (const request of this.#waiting.splice(0)) this.#send(request)
  }

  pageGone(): void {
    this.#isListening = false
  }
}
