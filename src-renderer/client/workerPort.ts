/** Of a worker's own thread: its messages, and a way to let them come in between its steps. */

interface WorkerPort<Told, Asked> {
  postMessage(message: Told): void
  onmessage: ((event: MessageEvent<Asked>) => void) | null
}

/** TypeScript's DOM library is that of the page, where postMessage asks for an origin. */
export const workerPort = <Told, Asked>() => globalThis as unknown as WorkerPort<Told, Asked>

const channel = new MessageChannel()
const waiting: (() => void)[] = []
channel.port1.onmessage = () => waiting.shift()?.()

/** Lets messages that have come be handled. */
export const breathe = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve)
    channel.port2.postMessage(null)
  })
