/**
 * A stand-in for an Ultimate 64 (or a cartridge of its family) for tests: REST, the DMA service of TCP 64, ident over UDP and
 * the three UDP streams. It is written from what is known of the firmware and shares no code with our client.
 *
 *     node test/peers/ultimate.ts [--options JSON] [--rest PORT] [--dma PORT] [--ident PORT]
 *
 * Tests start it with `startUltimate(options)` of ultimateProcess.ts. By itself it takes any free ports on 127.0.0.1.
 * ultimateOptions.ts lists the options: release, family, password, each bug of the firmware, each fault.
 *
 * It prints one JSON object a line. First `{"ports":{rest,dma,ident}}`, then `{"log":{...}}` for each thing that it was asked:
 *   {kind:"rest", method, target, outcome, body, strayBytes, password}   outcome: the status, or what became of it otherwise
 *   {kind:"dma", command, length, payload, outcome}                      command and payload in hex
 *   {kind:"ident", text} · {kind:"stream", stream, event, destination}
 *   {kind:"frame", number, at}                                           with `frameTimes`; at: ms since 1970, with fractions
 *   {kind:"typed", text, codes}                                          keys that a program took from the keyboard buffer
 *   {kind:"sideEffects", addresses}                                      registers read whose read changes the machine
 *   {kind:"gone"} · {kind:"back"}                                        after `away` and `poweroff`
 *
 * Lines on its standard input control it; each has an `id` and is answered with `{"id":…,"result":…}`:
 *   {id, change: {...options}}          from the next request on; counts start again, and what hung is let go
 *   {id, away: seconds, powerCycle}     closes every socket; comes back on the same ports. Answered once it is gone
 *   {id, peek: {address, length, as}}   memory in hex, `as` "ram" or "cpu"; not logged, and also while it is away
 *   {id, poke: {address, bytes, as}}    bytes in hex
 *   {id, putFile: {path, bytes}} · {id, setMenu: boolean} · {id, state: true}
 * The end of its standard input ends it, so that it never outlives the test that started it.
 */
import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { Configuration } from './ultimateConfig.ts'
import { DmaConnections } from './ultimateDma.ts'
import { Drives } from './ultimateDrives.ts'
import { MAX_QUEUED, HttpConnections } from './ultimateHttp.ts'
import { C64 } from './ultimateMachine.ts'
import { defaults, withOptions, type UltimateOptions } from './ultimateOptions.ts'
import { answerRest, describe, type Device } from './ultimateRest.ts'
import { Streams } from './ultimateStreams.ts'

interface Ports {
  rest: number
  dma: number
  ident: number
}

const ADDRESS = '127.0.0.1'

/** What is on its USB stick; put there by tests. */
const standardFiles = (): [string, Buffer][] => [
  ['/Usb0/demo.prg', Buffer.from('01080b080a009e32303631000000', 'hex')],
  ['/Usb0/disk.d64', Buffer.alloc(174_848)],
  ['/Usb0/disk.g64', Buffer.from('GCR-1541')],
]

class Ultimate {
  readonly #print: (line: object) => void
  readonly #device: Device
  readonly #rest: HttpConnections
  readonly #dma: DmaConnections
  #options: UltimateOptions
  #ports: Ports
  #servers: Server[] = []
  #ident: UdpSocket | undefined

  constructor(options: UltimateOptions, ports: Ports, print: (line: object) => void) {
    this.#options = options
    this.#ports = ports
    this.#print = print
    const c64 = new C64(options, (typed) => this.#log({ kind: 'typed', ...typed }))
    const configuration = new Configuration(options)
    const streams = new Streams({
      options: () => this.#options,
      c64,
      setting: (item) => configuration.get('Data Streams', item),
      report: (entry) => this.#log({ kind: 'stream', ...entry }),
      reportFrame: (number, at) => this.#log({ kind: 'frame', number, at }),
    })
    this.#device = {
      c64,
      configuration,
      drives: new Drives(),
      streams,
      files: new Map(standardFiles()),
      options: () => this.#options,
      reportSideEffects: (addresses) => this.#log({ kind: 'sideEffects', addresses }),
      hang: () => this.#rest.hang(),
      powerOff: () => void this.#leave().then(() => (c64.poweredOff = true)),
    }
    this.#rest = new HttpConnections({
      options: () => this.#options,
      answer: (request) => answerRest(this.#device, request),
      report: (request, outcome, strayBytes) => {
        const password = request?.headers.get('x-password')
        const right = password === configuration.get('Network Settings', 'Network Password')
        const said = password === undefined ? 'none' : right ? 'right' : 'wrong'
        const asked = request && {
          method: request.method,
          target: request.target,
          body: request.body.length,
          password: said,
        }
        this.#log({ kind: 'rest', ...asked, outcome, strayBytes })
      },
    })
    this.#dma = new DmaConnections({
      device: this.#device,
      title: () => this.#title,
      report: (command, outcome) => {
        const asked = command && {
          command: command.command.toString(16),
          length: command.length,
          payload: command.payload.toString('hex', 0, 256),
        }
        this.#log({ kind: 'dma', ...asked, outcome })
      },
    })
  }

  get #title(): string {
    return `*** ${this.#options.product} (V1.43) ${this.#options.firmware} ***`
  }

  #log(entry: object): void {
    this.#print({ log: entry })
  }

  /** Opens its ports; those that were 0 are the same from then on. */
  async arrive(): Promise<Ports> {
    const listen = async (port: number, backlog: number, accept: (socket: Socket) => void): Promise<number> => {
      const server = createServer({ allowHalfOpen: true }, accept)
      this.#servers.push(server)
      await once(server.listen({ port, host: ADDRESS, backlog }), 'listening')
      const address = server.address()
      return address !== null && typeof address === 'object' ? address.port : port
    }
    const rest = await listen(this.#ports.rest, MAX_QUEUED, (socket) => this.#rest.accept(socket))
    const dma = await listen(this.#ports.dma, 5, (socket) => this.#dma.accept(socket))
    const ident = createSocket('udp4')
    this.#ident = ident
    ident.on('message', (message, from) => this.#answerIdent(ident, message, from.port, from.address))
    await once(ident.bind(this.#ports.ident, ADDRESS), 'listening')
    this.#ports = { rest, dma, ident: ident.address().port }
    this.#device.c64.poweredOff = false
    return this.#ports
  }

  async #leave(): Promise<void> {
    this.#device.streams.stopAll()
    this.#rest.destroyAll()
    this.#dma.destroyAll()
    this.#ident?.close()
    this.#ident = undefined
    await Promise.all(this.#servers.splice(0).map((server) => new Promise((closed) => server.close(closed))))
    this.#log({ kind: 'gone' })
  }

  #answerIdent(socket: UdpSocket, message: Buffer, port: number, address: string): void {
    const { configuration } = this.#device
    this.#log({ kind: 'ident', text: message.toString('latin1', 0, 64) })
    if (configuration.get('Network Settings', 'Ultimate Ident Service') !== 'Enabled') return
    const text = message.toString('latin1')
    const answer = text.startsWith('json')
      ? JSON.stringify({
          ...describe(this.#device),
          menu_header: this.#title,
          your_string: text.slice(4, 36),
          ...(configuration.get('Network Settings', 'Network Password') !== '' && { password_protected: true }),
        })
      : `${text.slice(0, 32)},${configuration.get('Network Settings', 'Host Name')},${this.#title}`
    socket.send(Buffer.from(answer, 'latin1'), port, address)
  }

  // --- Control ---

  async control(command: Record<string, unknown>): Promise<unknown> {
    const { c64, files, drives, streams, configuration } = this.#device
    if ('change' in command) {
      this.#options = withOptions(this.#options, command.change)
      c64.change(this.#options)
      configuration.change(this.#options)
      streams.change()
      this.#rest.change()
      this.#dma.change()
      return true
    }
    if ('away' in command) {
      await this.#leave()
      setTimeout(
        () => {
          if (command.powerCycle === true) c64.powerOn()
          void this.arrive().then(() => this.#log({ kind: 'back' }))
        },
        Number(command.away) * 1000,
      )
      return true
    }
    if ('peek' in command) {
      const { address, length, as } = spanOf(command.peek)
      const bytes = Array.from({ length }, (_, n) => (as === 'ram' ? c64.ram[address + n] : c64.read(address + n)) ?? 0)
      return Buffer.from(bytes).toString('hex')
    }
    if ('poke' in command) {
      const { address, bytes, as } = spanOf(command.poke)
      bytes.forEach((byte, n) => (as === 'ram' ? (c64.ram[address + n] = byte) : c64.write(address + n, byte)))
      return true
    }
    if ('putFile' in command) {
      const { path, bytes } = spanOf(command.putFile)
      files.set(path, bytes)
      return true
    }
    if ('setMenu' in command) {
      c64.menuOpen = command.setMenu === true
      return true
    }
    if ('state' in command) {
      return {
        paused: c64.paused,
        menuOpen: c64.menuOpen,
        poweredOff: c64.poweredOff,
        resets: c64.resets,
        reboots: c64.reboots,
        debugRegister: c64.debugRegister,
        heldKeys: [...c64.heldKeys],
        heldJoysticks: c64.heldJoystick.map((held) => [...held]),
        typed: c64.typed,
        runs: c64.runs.map(({ call, name, bytes }) => ({ call, name, bytes: bytes.toString('hex') })),
        drives: drives.state(),
        streams: streams.states,
        programCycles: c64.program.cycles,
        stops: c64.stops,
        bytesByDma: c64.bytesByDma,
        restSlotsInUse: this.#rest.inUse,
        files: [...files.keys()],
      }
    }
    throw new Error(`Not understood: ${JSON.stringify(command)}`)
  }
}

function recordOf(given: unknown): Record<string, unknown> {
  if (typeof given !== 'object' || given === null) throw new Error('An object was expected.')
  return { ...given }
}

function spanOf(given: unknown): { address: number; length: number; bytes: Buffer; as: string; path: string } {
  const { address = 0, length = 0, bytes = '', as = 'cpu', path = '' } = recordOf(given)
  return {
    address: Number(address),
    length: Number(length),
    bytes: Buffer.from(String(bytes), 'hex'),
    as: String(as),
    path: String(path),
  }
}

async function main(): Promise<void> {
  const port = { type: 'string', default: '0' } as const
  const { values } = parseArgs({
    options: { rest: port, dma: port, ident: port, options: { type: 'string', default: '{}' } },
  })
  const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)
  const ports = { rest: Number(values.rest), dma: Number(values.dma), ident: Number(values.ident) }
  const ultimate = new Ultimate(withOptions(defaults, JSON.parse(values.options)), ports, print)
  print({ ports: await ultimate.arrive() })
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      const command = recordOf(JSON.parse(line))
      void ultimate.control(command).then(
        (result) => print({ id: command.id, result }),
        (error: unknown) => print({ id: command.id, error: String(error) }),
      )
    })
    .on('close', () => process.exit(0))
}

if (process.argv[1] === import.meta.filename) await main()
