import { openRequestSchema, type OpenRequest } from './launchArguments'

/** Keeps what is to be opened until the page listens. */
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

  /** What a second start of the app handed over: checked, as it comes from another process. */
  openHandedOver(handedOver: unknown): void {
    if (typeof handedOver !== 'object' || handedOver === null || !('open' in handedOver)) return
    const parsed = openRequestSchema.safeParse(handedOver.open)
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
