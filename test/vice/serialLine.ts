/** A VICE with a SwiftLink or Turbo232 in it, whose line is a TCP port, and our stub running. */
import { createServer, type Server, type Socket } from 'node:net'
import { resolve } from 'node:path'
import { MonitorClient } from '../../src-main/machine/vice/client'
import { exit, feedKeyboard, readMemory, setResource, writeMemory } from '../../src-main/machine/vice/commands'
import { textToPetscii } from '../../src-shared/c64/petscii'
import { soon, startVice, type RunningVice } from './support'

const stub = resolve(import.meta.dirname, '../../out/resources/c64/stub.prg')

/** What becomes of bytes on their way; as a bad cable has it. */
export interface LineFaults {
  toC64: (bytes: Buffer) => Buffer
  fromC64: (bytes: Buffer) => Buffer
}

export interface SerialLine {
  /** Where our side connects; what comes while nobody is connected is lost, as on a cable. */
  readonly port: number
  readonly faults: LineFaults
  /** Hangs up on our side, and takes no connection until it is plugged in again. */
  readonly unplug: () => Promise<void>
  readonly plugIn: () => Promise<void>
}

export interface ViceWithStub extends RunningVice {
  readonly line: SerialLine
  /** Looks past the stub, by VICE's monitor. */
  peek(address: number, length: number): Promise<number[]>
  poke(address: number, ...bytes: number[]): Promise<void>
  type(text: string): Promise<void>
  /** Speed in percent of a real C64. */
  setSpeed(percent: number): Promise<void>
}

/** SYS addresses of the stub's speeds. */
const starts = { 38_400: 50_176, 57_600: 50_179, 115_200: 50_182, 230_400: 50_185 } as const
export type StubBaud = keyof typeof starts

export async function startViceWithStub(baud: StubBaud = 38_400): Promise<ViceWithStub> {
  const vice = await startViceWithLine(baud === 38_400 ? 'swiftLink' : 'turbo232', ['-autostart', stub])
  if (baud !== 38_400) {
    await vice.type(`sys${starts[baud]}\n`)
    await vice.opened(2)
  }
  return vice
}

/**
 * @param program what VICE starts with, as its options
 * @param opens whether that program opens the line
 */
export async function startViceWithLine(
  cartridge: 'swiftLink' | 'turbo232',
  program: readonly string[],
  opens = true,
): Promise<ViceWithStub & { opened: (times: number) => Promise<void> }> {
  const exchange = await openExchange()
  const mode = cartridge === 'swiftLink' ? '1' : '2'
  const acia = [
    '-acia1',
    '-acia1mode',
    mode,
    '-acia1base',
    '0xDE00',
    '-rsdev1',
    `127.0.0.1:${exchange.vicePort}`,
    '-myaciadev',
    '0',
  ]
  const vice = await startVice('x64sc', [...acia, ...program])
  const monitor = async <Result>(work: (client: MonitorClient) => Promise<Result>): Promise<Result> => {
    const client = await MonitorClient.connect({ host: '127.0.0.1', port: vice.port }, soon())
    try {
      return await work(client)
    } finally {
      client.close()
    }
  }
  const stop = async (): Promise<void> => {
    await vice.stop()
    exchange.close()
  }
  if (opens) await exchange.opened(1)
  return {
    ...vice,
    line: exchange,
    opened: exchange.opened,
    peek: (address, length) =>
      monitor((client) =>
        client.trap(async (send) => {
          const [bytes] = await Promise.all([send(readMemory(1, address, address + length - 1)), send(exit())])
          return [...bytes]
        }, soon()),
      ),
    poke: async (address, ...bytes) =>
      monitor(async (client) => {
        await client.trap(
          (send) => Promise.all([send(writeMemory(1, address, Uint8Array.from(bytes))), send(exit())]),
          soon(),
        )
      }),
    type: async (text) =>
      monitor(async (client) => {
        await client.trap((send) => Promise.all([send(feedKeyboard(textToPetscii(text))), send(exit())]), soon())
      }),
    setSpeed: async (percent) =>
      monitor(async (client) => {
        await client.trap((send) => Promise.all([send(setResource('Speed', percent)), send(exit())]), soon())
      }),
    stop,
  }
}

interface Exchange extends SerialLine {
  readonly vicePort: number
  /** Resolves once VICE has opened its line so many times. */
  readonly opened: (times: number) => Promise<void>
  close(): void
}

/** Joins VICE, which connects to one port, and us, who connect to another. */
async function openExchange(): Promise<Exchange> {
  let c64: Socket | undefined
  let ours: Socket | undefined
  let openings = 0
  let waiting: { times: number; done: () => void }[] = []
  const faults: LineFaults = { toC64: (bytes) => bytes, fromC64: (bytes) => bytes }
  const vice = await listen((socket) => {
    c64?.destroy()
    c64 = socket
    socket.on('data', (bytes) => ours?.write(faults.fromC64(bytes)))
    openings++
    for (const { times, done } of waiting) if (openings >= times) done()
    waiting = waiting.filter(({ times }) => openings < times)
  })
  const take = (socket: Socket): void => {
    ours?.destroy()
    ours = socket
    socket.on('data', (bytes) => c64?.write(faults.toC64(bytes)))
    socket.on('close', () => {
      if (ours === socket) ours = undefined
    })
  }
  let side = await listen(take)
  const port = portOf(side)
  return {
    port,
    vicePort: portOf(vice),
    faults,
    unplug: async () => {
      ours?.destroy()
      await new Promise((closed) => side.close(closed))
    },
    plugIn: async () => {
      side = await listen(take, port)
    },
    opened: (times) => (openings >= times ? Promise.resolve() : new Promise((done) => waiting.push({ times, done }))),
    close: () => {
      ours?.destroy()
      c64?.destroy()
      vice.close()
      side.close()
    },
  }
}

function listen(take: (socket: Socket) => void, port = 0): Promise<Server> {
  return new Promise((found) => {
    const server = createServer({ noDelay: true }, (socket) => {
      socket.on('error', () => undefined) // `close` follows
      take(socket)
    })
    server.listen(port, '127.0.0.1', () => found(server))
  })
}

function portOf(server: Server): number {
  const address = server.address()
  return address !== null && typeof address === 'object' ? address.port : 0
}
