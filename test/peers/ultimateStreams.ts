/** The three UDP streams of the stand-in Ultimate, on an absolute schedule, in batches of about a millisecond. */
import { createSocket, type Socket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { C64 } from './ultimateMachine.ts'
import { hasBug, type UltimateOptions } from './ultimateOptions.ts'

export const STREAMS = {
  video: { port: 11000, source: 53248, item: 'Stream VIC to' },
  audio: { port: 11001, source: 54272, item: 'Stream Audio to' },
  debug: { port: 11002, source: 6510, item: 'Stream Debug to' },
} as const

export type StreamName = keyof typeof STREAMS

const isStream = (name: string): name is StreamName => Object.hasOwn(STREAMS, name)

/** Cycles in a second, cycles in a frame, lines in the picture, stereo samples in a second. */
const TIMING = {
  pal: { clock: 985_248, frame: 63 * 312, lines: 272, audio: 47_982.887 },
  ntsc: { clock: 1_022_727, frame: 65 * 263, lines: 240, audio: 47_940.341 },
} as const

/** Datagrams in a second for one source of debug entries, video and audio. */
export function datagramRates(standard: 'pal' | 'ntsc'): Readonly<Record<StreamName, number>> {
  const { clock, frame, lines, audio } = TIMING[standard]
  return { video: (clock / frame) * (lines / 4), audio: audio / SAMPLES, debug: clock / ENTRIES }
}

export const VIDEO_BYTES = 780
export const AUDIO_BYTES = 770
export const DEBUG_BYTES = 1444
const ENTRIES = 360
const SAMPLES = 192

/** Frames of the test picture before it repeats. */
export const PICTURE_PERIOD = 16
/** Datagrams of the test tone before it repeats. */
const TONE_PERIOD = 125

/** Colour of the test picture at (x, y) in frame `frame`: stripes that move; no two neighbours in a line are alike. */
export const picturePixel = (frame: number, x: number, y: number): number => (x + (y >> 2) + frame) & 15

/** The test tone, left and right, at sample `n` from the first datagram on. */
export const toneSample = (n: number, side: 'left' | 'right'): number =>
  Math.round(12_000 * Math.sin((2 * Math.PI * (side === 'left' ? 220 : 330) * n) / (TONE_PERIOD * SAMPLES)))

function buildPicture(standard: 'pal' | 'ntsc'): Buffer[] {
  const { lines } = TIMING[standard]
  return Array.from({ length: (PICTURE_PERIOD * lines) / 4 }, (_, n) => {
    const [frame, line] = [Math.floor(n / (lines / 4)), (n % (lines / 4)) * 4]
    const datagram = Buffer.alloc(VIDEO_BYTES)
    datagram.writeUInt16LE(line | (line + 4 === lines ? 0x8000 : 0), 4)
    datagram.writeUInt16LE(384, 6)
    datagram.set([4, 4], 8)
    for (let at = 0; at < 768; at += 1) {
      const [x, y] = [2 * (at % 192), line + Math.floor(at / 192)]
      datagram[12 + at] = picturePixel(frame, x, y) | (picturePixel(frame, x + 1, y) << 4)
    }
    return datagram
  })
}

function buildTone(): Buffer[] {
  return Array.from({ length: TONE_PERIOD }, (_, n) => {
    const datagram = Buffer.alloc(AUDIO_BYTES)
    for (let at = 0; at < SAMPLES; at += 1) {
      datagram.writeInt16LE(toneSample(n * SAMPLES + at, 'left'), 2 + 4 * at)
      datagram.writeInt16LE(toneSample(n * SAMPLES + at, 'right'), 4 + 4 * at)
    }
    return datagram
  })
}

/** An entry of the VIC: PHI2 low, a read, here of the screen in turn. */
const vicEntry = (cycle: number): number => (0x7f000000 | 0x0400 | (cycle % 1000)) >>> 0
/** An entry of the 1541's 6502: bit 31 low, lines idle, reading its idle loop. */
const driveEntry = (cycle: number): number => (0x7f000000 | (0xeb << 16) | (0xec00 + (cycle % 16))) >>> 0

/** The device's own colours, 0 to 15. */
const PALETTE = '000000f7f7f78d2f346ad4cd9835a44cb4422c29b1efef5d984e205b3800d1676d4a4a4a7b7b7b9fef936d6aefb2b2b2'

/** Sixteen RGB triples, as a draft of 3.16 sends them once a second. */
function palettePacket(): Buffer {
  const header = Buffer.alloc(12)
  header.writeUInt16LE(239, 4)
  header.writeUInt16LE(384, 6)
  header.set([1, 4, 1, 0], 8)
  return Buffer.concat([header, Buffer.from(PALETTE, 'hex')])
}

interface Running {
  readonly name: StreamName
  readonly socket: Socket
  readonly host: string
  readonly port: number
  readonly rate: number
  readonly since: number
  readonly until: number
  /** Datagrams made so far; those that a fault swallowed count. */
  made: number
  /** When the next palette packet is due, in milliseconds; Infinity for none. */
  paletteDue: number
  /** A datagram that changes places with its successor. */
  held: Buffer | null
}

export interface StreamState {
  on: boolean
  destination: string
  /** Datagrams made since the stream started. */
  made: number
  sent: number
  lost: number
  duplicated: number
  reordered: number
  oversized: number
  /** Datagrams that were left out because this process had no CPU time for more than half a second. */
  skipped: number
  /** Sequence number of the datagram made last; -1 before the first. */
  sequence: number
}

const idle = (): StreamState => ({
  on: false,
  destination: '',
  made: 0,
  sent: 0,
  lost: 0,
  duplicated: 0,
  reordered: 0,
  oversized: 0,
  skipped: 0,
  sequence: -1,
})

type Failure = { readonly status: number; readonly text: string } | null

interface Host {
  options(): UltimateOptions
  readonly c64: C64
  setting(item: string): string
  report(entry: { stream: StreamName; event: 'start' | 'stop'; destination: string }): void
  /** The last datagram of a video frame went out; `at` is just before, ms since 1970. */
  reportFrame(number: number, at: number): void
}

export class Streams {
  readonly #host: Host
  readonly #running = new Map<StreamName, Running>()
  readonly #states: Record<StreamName, StreamState> = { video: idle(), audio: idle(), debug: idle() }
  readonly #pictures = new Map<'pal' | 'ntsc', Buffer[]>()
  #tone: Buffer[] | undefined
  #timer: NodeJS.Timeout | undefined
  #random: number
  /** When the program that runs at all times has its next cycle, in milliseconds. */
  #programDue = performance.now()
  readonly #generations = new Map<StreamName, number>()

  constructor(host: Host) {
    this.#host = host
    this.#random = host.options().seed
    this.change()
  }

  get states(): Readonly<Record<StreamName, StreamState>> {
    return this.#states
  }

  change(): void {
    this.#random = this.#host.options().seed
    this.#programDue = performance.now()
    this.#keepTime()
  }

  /** `destination` is host[:port], the one in the configuration when it is empty; `duration` in milliseconds, 0 for ever. */
  async start(name: string, destination: string, { duration = 0, palette = false } = {}): Promise<Failure> {
    if (!isStream(name)) return { status: 404, text: `Unrecognized stream name '${name}'` }
    const options = this.#host.options()
    const { wired, arpDatagrams, standard, streamSpeed } = options
    if (!wired) return { status: 500, text: 'No Operational Network Interface' }
    const target =
      destination || (hasBug(options, 'defaultDestinationBroken') ? '' : this.#host.setting(STREAMS[name].item))
    const [host = '', port] = target.split(':')
    const address = host.length > 36 || host === '' ? null : await lookup(host, 4).catch(() => null)
    if (!address) return { status: 404, text: 'Network Host Resolve Error' }
    const to = { host: address.address, port: Number(port ?? STREAMS[name].port) }
    this.stop(name)
    const mine = this.#generation(name)
    const socket = await this.#socket(STREAMS[name].source)
    for (let n = 0; n < (arpDatagrams ?? 10); n += 1) {
      if (n > 0) await sleep(100)
      socket.send(Buffer.alloc(2), to.port, to.host, () => undefined)
    }
    if (arpDatagrams === null) {
      await sleep(100)
      socket.close()
      return { status: 404, text: 'Network Host Resolve Error' }
    }
    if (mine !== this.#generations.get(name)) {
      socket.close()
      return null
    }
    const since = performance.now()
    const sources = name === 'debug' ? this.#debugSources().length : 1
    const rate = (datagramRates(standard)[name] * sources * streamSpeed) / 100_000
    this.#states[name] = { ...idle(), on: true, destination: `${to.host}:${to.port}` }
    const until = duration > 0 ? since + duration : Infinity
    const paletteDue = palette && name === 'video' ? since : Infinity
    this.#running.set(name, { name, socket, ...to, rate, since, until, made: 0, paletteDue, held: null })
    this.#host.report({ stream: name, event: 'start', destination: target })
    this.#keepTime()
    return null
  }

  stop(name: string): Failure {
    if (!isStream(name)) return { status: 404, text: `Unrecognized stream name '${name}'` }
    this.#generation(name)
    const running = this.#running.get(name)
    if (!running) return null
    this.#running.delete(name)
    if (running.held) this.#emit(running, running.held)
    running.socket.close()
    this.#states[name].on = false
    this.#host.report({ stream: name, event: 'stop', destination: this.#states[name].destination })
    this.#keepTime()
    return null
  }

  /** A start that is under way notices by it that a later start or stop has overtaken it. */
  #generation(name: StreamName): number {
    const next = (this.#generations.get(name) ?? 0) + 1
    this.#generations.set(name, next)
    return next
  }

  stopAll(): void {
    for (const name of Object.keys(STREAMS)) this.stop(name)
  }

  /** Bound to the port that the device sends from where that is free. */
  async #socket(source: number): Promise<Socket> {
    for (const port of [source, 0]) {
      // Addresses are resolved already; Node would look each of them up again, per datagram.
      const socket = createSocket({ type: 'udp4', lookup: (host, _options, found) => found(null, host, 4) })
      socket.on('error', () => undefined)
      const listening = once(socket, 'listening').then(() => true)
      socket.bind(port)
      const bound = await listening.catch(() => false)
      if (bound) {
        socket.setSendBufferSize(4 << 20)
        return socket
      }
    }
    throw new Error('The stand-in Ultimate got no UDP port to send from.')
  }

  #keepTime(): void {
    const needed = this.#running.size > 0 || this.#host.options().programRuns
    if (needed) this.#timer ??= setInterval(() => this.#tick(), 1).unref()
    else {
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }

  #tick(): void {
    const now = performance.now()
    for (const running of this.#running.values()) {
      const due = Math.floor((Math.min(now, running.until) - running.since) * running.rate)
      const late = due - running.made - Math.ceil(500 * running.rate)
      if (late > 0) {
        running.made += late
        this.#states[running.name].skipped += late
      }
      if (now >= running.paletteDue) {
        running.socket.send(palettePacket(), running.port, running.host)
        running.paletteDue += 1000
      }
      while (running.made < due) this.#next(running)
      if (now >= running.until) this.stop(running.name)
    }
    this.#runProgram(now)
  }

  /** Between two starts of the debug stream, where the program runs on without it. */
  #runProgram(now: number): void {
    const { programRuns, standard } = this.#host.options()
    if (!programRuns || this.#running.has('debug') || this.#host.c64.paused) {
      this.#programDue = now
      return
    }
    const perMs = TIMING[standard].clock / 1000
    const cycles = Math.floor(Math.min(now - this.#programDue, 500) * perMs)
    this.#programDue = now - 500 > this.#programDue ? now : this.#programDue + cycles / perMs
    this.#host.c64.program.run(cycles)
  }

  #next(running: Running): void {
    const state = this.#states[running.name]
    const n = running.made
    const datagram = this.#make(running.name, n)
    const now = performance.timeOrigin + performance.now()
    running.made += 1
    state.made = running.made
    state.sequence = n & 0xffff
    const { streamLoss, streamDuplicates, streamReorder, streamOversized, frameTimes } = this.#host.options()
    if (this.#chance(streamLoss)) {
      state.lost += 1
      return
    }
    let out = datagram
    if (this.#chance(streamOversized)) {
      state.oversized += 1
      out = Buffer.concat([datagram, Buffer.alloc(100, 0xee)])
    }
    if (running.held) {
      this.#emit(running, out)
      this.#emit(running, running.held)
      running.held = null
    } else if (this.#chance(streamReorder)) {
      state.reordered += 1
      running.held = Buffer.from(out)
    } else this.#emit(running, out)
    if (frameTimes && running.name === 'video' && (datagram[5] ?? 0) >= 0x80)
      this.#host.reportFrame(datagram.readUInt16LE(2), now)
    if (this.#chance(streamDuplicates)) {
      state.duplicated += 1
      this.#emit(running, Buffer.from(out))
    }
  }

  #emit({ name, socket, port, host }: Running, datagram: Buffer): void {
    this.#states[name].sent += 1
    socket.send(datagram, port, host)
  }

  #chance(percent: number): boolean {
    if (percent <= 0) return false
    this.#random = (Math.imul(this.#random, 1664525) + 1013904223) >>> 0
    return this.#random / 0x1_0000_0000 < percent / 100
  }

  #make(name: StreamName, n: number): Buffer {
    switch (name) {
      case 'video': {
        const { standard } = this.#host.options()
        const perFrame = TIMING[standard].lines / 4
        const pictures = this.#pictures.get(standard) ?? buildPicture(standard)
        this.#pictures.set(standard, pictures)
        const datagram = pictures[n % pictures.length] ?? Buffer.alloc(0)
        datagram.writeUInt16LE(n & 0xffff, 0)
        datagram.writeUInt16LE(Math.floor(n / perFrame) & 0xffff, 2)
        return datagram
      }
      case 'audio': {
        this.#tone ??= buildTone()
        const datagram = this.#tone[n % TONE_PERIOD] ?? Buffer.alloc(0)
        datagram.writeUInt16LE(n & 0xffff, 0)
        return datagram
      }
      case 'debug':
        return this.#makeDebug(n)
    }
  }

  #debugSources(): readonly ('6510' | 'VIC' | '1541')[] {
    const mode = this.#host.setting('Debug Stream Mode')
    return (['6510', 'VIC', '1541'] as const).filter((source) => mode.includes(source))
  }

  #makeDebug(n: number): Buffer {
    const datagram = Buffer.allocUnsafe(DEBUG_BYTES)
    datagram.writeUInt16LE(n & 0xffff, 0)
    datagram.writeUInt16LE(0, 2)
    const view = new DataView(datagram.buffer, datagram.byteOffset + 4, ENTRIES * 4)
    const sources = this.#debugSources()
    const cycles = ENTRIES / sources.length
    sources.forEach((source, index) => {
      const stride = 4 * sources.length
      const { program, paused } = this.#host.c64
      if (source === '6510' && paused) program.stopped(cycles, view, index * 4, stride)
      else if (source === '6510') program.run(cycles, view, index * 4, stride)
      else {
        const entry = source === 'VIC' ? vicEntry : driveEntry
        for (let at = 0; at < cycles; at += 1) view.setUint32(index * 4 + at * stride, entry(n * cycles + at), true)
      }
    })
    return datagram
  }
}
