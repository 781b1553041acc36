interface WorkerPort<Told, Asked> {
  postMessage(message: Told): void
  onmessage: ((event: MessageEvent<Asked>) => void) | null
}

/** Cast, as TypeScript's DOM library describes the page's postMessage, which asks for an origin. */
export const workerPort = <Told, Asked>() => globalThis as unknown as WorkerPort<Told, Asked>

const channel = new MessageChannel()
const waiting: (() => void)[] = []
channel.port1.onmessage = () => waiting.shift()?.()

export const breathe = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve)
    channel.port2.postMessage(null)
  })
