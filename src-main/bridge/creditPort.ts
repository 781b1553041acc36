import type { Line } from '../rpc/transport'

export interface Credit {
  readonly kind: 'credit'
}

interface CreditPortOptions<Request extends { readonly kind: string }> {
  readonly credits: number
  readonly parse: (message: unknown) => Request | Credit | undefined
  readonly onRequest: (request: Request) => void
  readonly next: () => object | undefined
  readonly clear: () => void
  readonly log: (message: string, error: unknown) => void
}

/** Holds one subscription, and has no more messages under way than the page has credits for. */
export class CreditPort<Request extends { readonly kind: string }> {
  readonly #line: Line
  readonly #options: CreditPortOptions<Request>
  #credits: number
  #unsubscribe: (() => void) | undefined

  constructor(line: Line, options: CreditPortOptions<Request>) {
    this.#line = line
    this.#options = options
    this.#credits = options.credits
    line.onMessage((message) => this.#onMessage(message))
    line.onClose(() => this.unsubscribe())
  }

  /** The previous subscription ends only after this one has begun, so that a machine used by both stays in use. */
  subscribe(what: string, start: () => () => void): void {
    const endLast = this.#unsubscribe
    this.#unsubscribe = undefined
    this.#options.clear()
    try {
      this.#unsubscribe = start()
    } catch (error) {
      this.#options.log(`No ${what}`, error)
    }
    endLast?.()
  }

  unsubscribe(): void {
    this.#unsubscribe?.()
    this.#unsubscribe = undefined
    this.#options.clear()
  }

  flush(): void {
    while (this.#credits > 0) {
      const message = this.#options.next()
      if (!message) return
      this.#credits--
      this.#line.post(message)
    }
  }

  close(): void {
    this.unsubscribe()
    this.#line.close()
  }

  #onMessage(message: unknown): void {
    const request = this.#options.parse(message)
    if (!request) return
    if (isCredit(request)) {
      this.#credits = Math.min(this.#options.credits, this.#credits + 1)
      this.flush()
    } else {
      this.#options.onRequest(request)
    }
  }
}

const isCredit = (request: { readonly kind: string }): request is Credit => request.kind === 'credit'
