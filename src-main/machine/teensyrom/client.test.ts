import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ByteStream } from '../bytestream/byteStream'
import { TeensyRomClient } from './client'
import { encodeCommand, encodeDriveAndPath, encodeRange } from './codec'

const never = new AbortController().signal
const ACK = [0xcc, 0x64]
/** Longer than the device waits for the rest of a command. */
const HELD_UP_MS = 500

/** A line whose other end answers what it is sent, and that notes it. */
class Line implements ByteStream {
  readonly sent: string[] = []
  readonly #answer: (sent: string) => void
  #receive: (bytes: Uint8Array) => void = () => undefined

  constructor(answer: (sent: string) => void) {
    this.#answer = answer
  }

  write(bytes: Uint8Array): Promise<void> {
    const sent = Buffer.from(bytes).toString('hex')
    this.sent.push(sent)
    this.#answer(sent)
    return Promise.resolve()
  }

  /** The bytes arrive in a moment, and then nothing runs in this process for a while. */
  arrive(bytes: readonly number[], heldUpMs = 0): void {
    setImmediate(() => {
      this.#receive(Uint8Array.from(bytes))
      holdUp(heldUpMs)
    })
  }

  onData(listener: (bytes: Uint8Array) => void): () => void {
    this.#receive = listener
    return () => undefined
  }

  onClose = (): (() => void) => () => undefined
  close = (): Promise<void> => Promise.resolve()
}

let heldUp = 0
/** As the process sees it: it is later at once. */
const holdUp = (ms: number): void => void (heldUp += ms)

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const readMemory = hex(encodeCommand('readMemory'))
const resetVector = hex(encodeRange(0xfffc, 2))
const launch = hex(encodeCommand('launch'))
const file = hex(encodeDriveAndPath('sd', '/feed.prg'))

describe('a line to a TeensyROM, on a computer that holds the process up', () => {
  let client: TeensyRomClient
  let line: Line
  const start = (answer: (sent: string) => void): void => {
    line = new Line(answer)
    client = new TeensyRomClient(line, 'here')
  }
  beforeEach(() => {
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + heldUp)
  })
  afterEach(async () => {
    await client.close()
    vi.restoreAllMocks()
    vi.useRealTimers()
  })

  it('begins a command again where the device no longer waits for its rest', async () => {
    let begun = 0
    start((sent) => {
      if (sent === launch) line.arrive(ACK, begun++ === 0 ? HELD_UP_MS : 0)
      if (sent === file) line.arrive(ACK)
    })
    await client.launch('sd', '/feed.prg', never)
    expect(line.sent).toEqual([launch, launch, file])
  })

  it('never sends the rest too late, and gives up with the reason', async () => {
    start((sent) => {
      if (sent === launch) line.arrive(ACK, HELD_UP_MS)
    })
    await expect(client.launch('sd', '/feed.prg', never)).rejects.toMatchObject({ code: 'BUSY' })
    expect(new Set(line.sent)).toEqual(new Set([launch]))
  })

  it('sends the rest of a command whose acknowledgement the device took long for', async () => {
    vi.restoreAllMocks()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    start((sent) => {
      if (sent === launch) setTimeout(() => line.arrive(ACK), HELD_UP_MS)
      if (sent === file) line.arrive(ACK)
    })
    const launched = client.launch('sd', '/feed.prg', never)
    await vi.advanceTimersByTimeAsync(10_000)
    await launched
    expect(line.sent).toEqual([launch, file])
  })

  it('asks again whether memory can be read', async () => {
    let asked = 0
    start((sent) => {
      if (sent === readMemory && asked++ === 0) setImmediate(() => holdUp(HELD_UP_MS))
      if (sent === resetVector) line.arrive([...ACK, 0xe2, 0xfc])
    })
    await expect(client.probeMemory(never)).resolves.toBeNull()
    expect(line.sent).toEqual([readMemory, readMemory, resetVector])
  })
})
