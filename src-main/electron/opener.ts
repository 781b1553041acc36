import { openRequestSchema, type OpenRequest } from './launchArguments'
import type { Question } from './router'

const connectQuestion = (machine: string): Question => ({
  message: `Connect to ${machine}?`,
  detail: 'Bridgedeck was started a second time with this machine. The window switches to it and connects.',
  button: 'Connect',
})

interface FileEvents {
  on(event: 'open-file', listener: (event: { preventDefault(): void }, path: string) => void): unknown
}

export class NamedFiles {
  #open: ((path: string) => void) | undefined
  readonly #early: string[] = []

  constructor(app: FileEvents) {
    app.on('open-file', (event, path) => {
      event.preventDefault()
      if (this.#open) this.#open(path)
      else this.#early.push(path)
    })
  }

  openWith(open: (path: string) => void): void {
    this.#open = open
    for (const path of this.#early.splice(0)) open(path)
  }
}

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

  /**
   * @param data from another process, so it is checked
   * @param confirm asked before another machine replaces the one shown, as that connects it
   */
  async openFromSecondStart(data: unknown, confirm: (question: Question) => Promise<boolean>): Promise<void> {
    if (typeof data !== 'object' || data === null || !('open' in data)) return
    const parsed = openRequestSchema.safeParse(data.open)
    if (!parsed.success) return
    if (parsed.data.kind === 'machine' && !(await confirm(connectQuestion(parsed.data.machine)))) return
    this.open(parsed.data)
  }

  pageStarted(): void {
    this.#isListening = true
    for (const request of this.#waiting.splice(0)) this.#send(request)
  }

  pageGone(): void {
    this.#isListening = false
  }
}
