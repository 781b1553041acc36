/**
 * A stand-in for a TeensyROM, as a program of its own, after the device's document on its remote protocol. It speaks over
 * TCP or a serial port, holds a C64's 64 KiB, and can be told to misbehave.
 *
 * Lines on standard input: {"id":1,"change":{…options}}, {"id":2,"peek":[address,length]}, {"id":3,"poke":[address,"hex"]},
 * {"id":4,"files":true}, {"id":5,"connected":false} (unplug, over TCP). On standard output: {"port":…} once, then
 * {"id":…,"result":…} and {"log":{…}}.
 */
import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { SerialPort } from 'serialport'
import { z } from 'zod'

export interface TeensyRomOptions {
  /** The image that runs; `minimal` does while a large cartridge does. */
  readonly firmware: 'full' | 'minimal'
  /** The board is a TeensyROM+ with firmware that reads and writes memory. */
  readonly memory: boolean
  /** Something else than the menu runs: most commands are refused. */
  readonly busy: boolean
  /** Hears everything and answers nothing. */
  readonly silent: boolean
  /** Answers with noise. */
  readonly garbage: boolean
  /** Says things by itself while the menu boots, for so many ms after a connection and a reset. */
  readonly chatter: number
  /** Sends an unasked token of its SID player before each answer. */
  readonly sidTokens: boolean
  /** Refuses to read or write more than so many bytes at once, as when its heap is used up. */
  readonly staging: number
  /** How long the menu takes to come up after a reset, ms; null for firmware that does not tell. */
  readonly boot: number | null
  /** How long it takes to confirm a reset, ms. */
  readonly confirmAfter: number
  readonly version: string
  readonly drives: readonly ('usb' | 'sd')[]
  /** Goes away, without a word, after so many bytes of an answer; -1 never does. */
  readonly dropAfter: number
}

const defaults: TeensyRomOptions = {
  firmware: 'full',
  memory: true,
  busy: false,
  silent: false,
  garbage: false,
  chatter: 0,
  sidTokens: false,
  staging: 0xffff,
  boot: 200,
  confirmAfter: 0,
  version: 'TeensyROM+ v0.8.0.13',
  drives: ['sd', 'usb'],
  dropAfter: -1,
}

const ACK = [0xcc, 0x64]
const FAIL = [0x7f, 0x9b]
const GOOD_SID = [0x81, 0x9b]

/** Between two bytes of one command the device waits so long, ms. */
const BYTE_TIMEOUT = 500

class GaveUp extends Error {}

/** The C64 and what is on the device's storage; outlives connections. */
class Computer {
  readonly memory = new Uint8Array(0x10000)
  readonly files = new Map<string, Uint8Array>()
  paused = false
  bootedAt = 0

  constructor() {
    for (let address = 0; address < 0x10000; address++) this.memory[address] = (address * 7 + (address >> 8)) & 0xff
    // Chips after a reset: bits that are not connected read 1.
    this.memory.fill(0xff, 0xd000, 0xe000)
    this.memory.set([0x1b], 0xd011)
    this.memory.set([0x15], 0xd018)
    this.memory.set([0x97], 0xdd00)
    this.memory.set([0xe2, 0xfc], 0xfffc)
    this.memory[0xc6] = 0
  }

  runPrg(file: Uint8Array): void {
    const start = (file[0] ?? 0) | ((file[1] ?? 0) << 8)
    this.memory.set(file.subarray(2, 2 + 0x10000 - start), start)
  }
}

class Device {
  readonly #line: Duplex
  readonly #computer: Computer
  readonly #options: () => TeensyRomOptions
  readonly #log: (entry: object) => void
  readonly #incoming: number[] = []
  #wake: () => void = () => undefined
  #gone = false
  #sent = 0

  constructor(line: Duplex, computer: Computer, options: () => TeensyRomOptions, log: (entry: object) => void) {
    this.#line = line
    this.#computer = computer
    this.#options = options
    this.#log = log
    line.on('data', (bytes: Buffer) => {
      this.#incoming.push(...bytes)
      this.#wake()
    })
    line.on('error', () => undefined)
    line.on('close', () => {
      this.#gone = true
      this.#wake()
    })
  }

  async serve(): Promise<void> {
    void this.#chatter()
    while (!this.#gone) {
      try {
        const byte = await this.#byte(null)
        if (byte === 0x64) await this.#command(await this.#byte())
        // On the real device 'e' alone sets all its settings back.
        else if (byte === 0x65) this.#log({ erased: true })
        else this.#log({ stray: byte })
      } catch (error) {
        if (!(error instanceof GaveUp)) throw error
      }
    }
  }

  async #chatter(): Promise<void> {
    const end = performance.now() + this.#options().chatter
    while (performance.now() < end && !this.#gone) {
      this.#text('Loading menu, please wait...\n')
      await sleep(40)
    }
  }

  /** Throws where none comes in time; with null it waits for ever. */
  async #byte(timeout: number | null = BYTE_TIMEOUT): Promise<number> {
    const end = timeout === null ? Infinity : performance.now() + timeout
    for (;;) {
      const byte = this.#incoming.shift()
      if (byte !== undefined) return byte
      const left = end - performance.now()
      if (this.#gone || left <= 0) throw new GaveUp()
      await new Promise<void>((resolve) => {
        // On a starved computer the time is up before what came meanwhile was read.
        const timer = left === Infinity ? undefined : setTimeout(() => setImmediate(resolve), left)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  async #bytes(count: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(count)
    for (let at = 0; at < count; at++) bytes[at] = await this.#byte()
    return bytes
  }

  /** Most significant byte first. */
  async #number(size: number): Promise<number> {
    return (await this.#bytes(size)).reduce((value, byte) => value * 256 + byte, 0)
  }

  async #path(): Promise<string> {
    const bytes: number[] = []
    for (let byte = await this.#byte(); byte !== 0; byte = await this.#byte()) bytes.push(byte)
    return Buffer.from(bytes).toString()
  }

  #send(bytes: readonly number[] | Uint8Array): void {
    const { silent, garbage, dropAfter } = this.#options()
    if (silent || this.#gone) return
    let out = Buffer.from(garbage ? Array.from(bytes, (byte) => byte ^ 0x5a) : bytes)
    if (dropAfter >= 0 && this.#sent + out.length > dropAfter) {
      out = out.subarray(0, Math.max(0, dropAfter - this.#sent))
      this.#line.write(out, () => this.#line.destroy())
      this.#gone = true
      return
    }
    this.#sent += out.length
    this.#line.write(out)
  }

  #text(text: string): void {
    this.#send(Buffer.from(text, 'latin1'))
  }

  #fail(why: string): void {
    this.#send(FAIL)
    this.#text(`${why}\n`)
  }

  async #command(command: number): Promise<void> {
    const { firmware, memory, busy, sidTokens, garbage } = this.#options()
    if (garbage) this.#text('\xff\xfe~#')
    if (sidTokens) this.#send(GOOD_SID)
    switch (command) {
      case 0xe0:
        this.#log({ command: 'firmwareCheck' })
        this.#send(firmware === 'full' ? [0xe2, 0x64] : [0xe1, 0x64])
        return
      case 0x76:
        this.#version()
        return
      case 0xee:
        return this.#reset()
      case 0x44:
        return this.#launch()
    }
    if (firmware === 'minimal') {
      this.#fail('Busy!')
      return
    }
    switch (command) {
      case 0x31:
      case 0x30:
        this.#log({ command: command === 0x31 ? 'pause' : 'resume' })
        this.#computer.paused = command === 0x31
        this.#send(ACK)
        return
      case 0xfd:
        if (memory) return this.#read()
        break
      case 0xfb:
        if (memory) return this.#write()
        break
    }
    if (busy) {
      this.#fail('Busy!')
      return
    }
    switch (command) {
      case 0x55:
        this.#text(`${this.#options().version} ready!\n`)
        return
      case 0xbb:
        return this.#post()
      case 0xcf:
        return this.#delete()
      case 0xde:
        return this.#list()
      default:
        this.#log({ unknown: command })
        this.#text(`Unk cmd: 0x64${command.toString(16).padStart(2, '0')}\n`)
    }
  }

  #version(): void {
    this.#log({ command: 'version' })
    const { firmware, version, boot } = this.#options()
    const isBooted = performance.now() >= this.#computer.bootedAt
    this.#send(ACK)
    this.#text(
      `  FW: ${version}${firmware === 'minimal' ? '(minimal)' : ''}\r\n      Jul 27 2026, 09:41:32\r\n  Teensy: 816MHz  59.1C  UID: 19307720\r\n`,
    )
    if (firmware === 'full') this.#text('  C64  PAL Vid  50 Hz\r\n')
    if (firmware === 'full' && boot !== null) this.#text(`  Boot: ${isBooted ? 'complete' : 'in progress'}\r\n`)
  }

  async #reset(): Promise<void> {
    this.#log({ command: 'reset' })
    await sleep(this.#options().confirmAfter)
    this.#text('Reset cmd received\n')
    this.#computer.paused = false
    this.#computer.bootedAt = performance.now() + (this.#options().boot ?? 0)
    settings.change({ busy: false, firmware: 'full' })
    void this.#chatter()
  }

  async #read(): Promise<void> {
    const [address, length] = [await this.#number(2), await this.#number(2)]
    this.#log({ command: 'readMemory', address, length })
    if (length > this.#options().staging) {
      this.#fail(`No memory to stage ${length} bytes`)
      return
    }
    if (address + length > 0x10000) {
      this.#fail('Past the end of memory')
      return
    }
    this.#send(ACK)
    this.#send(this.#computer.memory.slice(address, address + length))
  }

  async #write(): Promise<void> {
    const [address, length] = [await this.#number(2), await this.#number(2)]
    const bytes = await this.#bytes(length)
    this.#log({ command: 'writeMemory', address, length })
    if (length > this.#options().staging) {
      this.#fail(`No memory to stage ${length} bytes`)
      return
    }
    this.#computer.memory.set(bytes.subarray(0, 0x10000 - address), address)
    this.#send(ACK)
  }

  /** Where a file is, or undefined when its storage is not there; then the failure is told. */
  #place(drive: number, path: string): string | undefined {
    const name = drive === 0 ? 'usb' : 'sd'
    if (this.#options().drives.includes(name)) return `${name}:${path}`
    this.#fail(`${name.toUpperCase()} init fail`)
    return undefined
  }

  async #launch(): Promise<void> {
    this.#send(ACK)
    const [drive, path] = [await this.#byte(), await this.#path()]
    this.#log({ command: 'launch', drive, path })
    const place = this.#place(drive, path)
    if (place === undefined) return
    const file = this.#computer.files.get(place)
    if (!file) {
      this.#fail('Not Found')
      return
    }
    this.#send(ACK)
    this.#text('Remote Launch\r\n')
    await sleep(200)
    this.#text(`Launching ${path}\r\n`)
    settings.change({ busy: true })
    this.#computer.paused = false
    this.#computer.bootedAt = 0
    if (/\.prg$/i.test(path)) this.#computer.runPrg(file)
  }

  async #post(): Promise<void> {
    this.#send(ACK)
    const [length, sum, drive, path] = [
      await this.#number(4),
      await this.#number(2),
      await this.#byte(),
      await this.#path(),
    ]
    this.#log({ command: 'postFile', drive, path, length })
    const place = this.#place(drive, path)
    if (place === undefined) return
    if (this.#computer.files.has(place)) {
      this.#fail('File already exists.')
      return
    }
    this.#send(ACK)
    const bytes = await this.#bytes(length)
    if (bytes.reduce((total, byte) => (total + byte) & 0xffff, 0) !== sum) {
      this.#fail('Checksum mismatch')
      return
    }
    this.#computer.files.set(place, bytes)
    this.#send(ACK)
  }

  async #delete(): Promise<void> {
    this.#send(ACK)
    const [drive, path] = [await this.#byte(), await this.#path()]
    this.#log({ command: 'deleteFile', drive, path })
    const place = this.#place(drive, path)
    if (place === undefined) return
    if (!this.#computer.files.delete(place)) {
      this.#fail(`File not found: ${path}`)
      return
    }
    this.#send(ACK)
  }

  async #list(): Promise<void> {
    this.#send(ACK)
    const [drive, , take, path] = [await this.#byte(), await this.#number(2), await this.#number(2), await this.#path()]
    this.#log({ command: 'listDirectory', drive, path })
    const folder = this.#place(drive, path.endsWith('/') ? path : `${path}/`)
    if (folder === undefined) return
    const names = [...this.#computer.files].filter(([place]) => place.startsWith(folder))
    if (names.length === 0 && path !== '/') {
      this.#fail('Directory not found. (Error 5)')
      return
    }
    this.#send(ACK)
    this.#send([0x5a, 0x5a])
    const seen = new Set<string>()
    for (const [place, { length }] of names.slice(0, take)) {
      const [name = '', ...deeper] = place.slice(folder.length).split('/')
      if (seen.has(name)) continue
      seen.add(name)
      // Names are not escaped.
      this.#text(
        deeper.length > 0
          ? `{"type":"dir","name":"${name}"}\r\n`
          : `{"type":"file","name":"${name}","size":${length}}\r\n`,
      )
    }
    this.#send([0xa5, 0xa5])
  }
}

// The program

const optionsSchema = z
  .strictObject({
    firmware: z.enum(['full', 'minimal']),
    memory: z.boolean(),
    busy: z.boolean(),
    silent: z.boolean(),
    garbage: z.boolean(),
    chatter: z.number(),
    sidTokens: z.boolean(),
    staging: z.number(),
    boot: z.number().nullable(),
    confirmAfter: z.number(),
    version: z.string(),
    drives: z.array(z.enum(['usb', 'sd'])),
    dropAfter: z.number(),
  })
  .partial()

const settings = {
  current: defaults,
  change(changes: z.infer<typeof optionsSchema>): void {
    this.current = Object.assign({}, this.current, changes)
  },
}

const orderSchema = z.object({
  id: z.int(),
  change: optionsSchema.optional(),
  peek: z.tuple([z.int(), z.int()]).optional(),
  poke: z.tuple([z.int(), z.string()]).optional(),
  file: z.tuple([z.string(), z.string()]).optional(),
  files: z.boolean().optional(),
  connected: z.boolean().optional(),
})

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { device: { type: 'string' }, options: { type: 'string', default: '{}' } } })
  const print = (line: object): boolean => process.stdout.write(`${JSON.stringify(line)}\n`)
  settings.change(optionsSchema.parse(JSON.parse(values.options)))
  const computer = new Computer()
  const lines = new Set<Socket>()
  const serve = (line: Duplex): void =>
    void new Device(
      line,
      computer,
      () => settings.current,
      (log) => print({ log }),
    ).serve()

  const server = createServer((socket) => {
    lines.add(socket)
    socket.on('close', () => lines.delete(socket))
    socket.setNoDelay(true)
    serve(socket)
  })
  let port = 0
  const listen = (): Promise<void> =>
    new Promise((listening) => {
      server.listen(port, '127.0.0.1', () => {
        const address = server.address()
        if (address !== null && typeof address === 'object') port = address.port
        listening()
      })
    })
  if (values.device === undefined) await listen()
  else serve(new SerialPort({ path: values.device, baudRate: 115_200 }))
  print({ port })

  createInterface({ input: process.stdin })
    .on('line', (text) => {
      const order = orderSchema.parse(JSON.parse(text))
      const answer = (result: unknown = null): boolean => print({ id: order.id, result })
      if (order.change) settings.change(order.change)
      if (order.poke) computer.memory.set(Buffer.from(order.poke[1], 'hex'), order.poke[0])
      if (order.file) computer.files.set(order.file[0], Buffer.from(order.file[1], 'hex'))
      if (order.peek)
        answer(Buffer.from(computer.memory.subarray(order.peek[0], order.peek[0] + order.peek[1])).toString('hex'))
      else if (order.files) answer([...computer.files.keys()])
      else if (order.connected === undefined) answer()
      else if (order.connected) void listen().then(() => answer())
      else {
        for (const line of lines) line.destroy()
        server.close(() => answer())
      }
    })
    .on('close', () => process.exit(0))
}

if (process.argv[1] === import.meta.filename) await main()
