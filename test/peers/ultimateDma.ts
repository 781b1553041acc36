/** TCP 64 of the stand-in Ultimate, the "DMA service": commands without replies, one client after the other. */
import { timingSafeEqual } from 'node:crypto'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { atLeast, hasBug, isUltimate64 } from './ultimateOptions.ts'
import type { Device } from './ultimateRest.ts'
import type { StreamName } from './ultimateStreams.ts'

const MAX_PAYLOAD_BYTES = 200_000
const TICK_MS = 5
/** Commands whose length has three bytes. */
const LONG = new Set([0xff0a, 0xff0b, 0xff0d])
const WAIT = 0xff05
const STREAM_ORDER: readonly StreamName[] = ['video', 'audio', 'debug']

export interface DmaCommand {
  readonly command: number
  /** The length field, which for WAIT is a time. */
  readonly length: number
  readonly payload: Buffer
}

/** Cuts one command off the front of `bytes`; words without $FF in their high byte are dropped. Null when there is none yet. */
export function takeCommand(bytes: Buffer): { command: DmaCommand | null; rest: Buffer } {
  let at = 0
  while (bytes.length - at >= 2 && bytes[at + 1] !== 0xff) at += 2
  const rest = bytes.subarray(at)
  if (rest.length < 4) return { command: null, rest }
  const command = rest.readUInt16LE(0)
  const header = LONG.has(command) ? 5 : 4
  if (rest.length < header) return { command: null, rest }
  const length = header === 5 ? rest.readUIntLE(2, 3) : rest.readUInt16LE(2)
  const size = command === WAIT ? 0 : Math.min(length, MAX_PAYLOAD_BYTES)
  if (rest.length < header + size) return { command: null, rest }
  return {
    command: { command, length, payload: rest.subarray(header, header + size) },
    rest: rest.subarray(header + size),
  }
}

type Outcome = 'done' | 'closed' | 'unknown' | 'wedged'

interface Host {
  readonly device: Device
  title(): string
  report(command: DmaCommand | null, outcome: Outcome | 'idle' | 'refused'): void
}

export class DmaConnections {
  readonly #host: Host
  readonly #waiting: Socket[] = []
  #client: Socket | undefined
  #sawWedge = false

  constructor(host: Host) {
    this.#host = host
  }

  change(): void {
    if (this.#sawWedge) this.destroyAll()
    this.#sawWedge = false
  }

  destroyAll(): void {
    for (const socket of [this.#client, ...this.#waiting.splice(0)]) socket?.resetAndDestroy()
    this.#client = undefined
  }

  get #fault() {
    return this.#host.device.options().dmaFault
  }

  accept(socket: Socket): void {
    socket.setNoDelay(true)
    socket.on('error', () => undefined)
    const enabled = this.#host.device.configuration.get('Network Settings', 'Ultimate DMA Service') === 'Enabled'
    if (this.#fault === 'refuse' || !enabled) {
      this.#host.report(null, 'refused')
      socket.resetAndDestroy()
      return
    }
    if (this.#fault === 'wedged') this.#sawWedge = true
    this.#waiting.push(socket)
    this.#serveNext()
  }

  #serveNext(): void {
    if (this.#client || this.#fault === 'wedged') return
    const socket = this.#waiting.shift()
    if (!socket) return
    this.#client = socket
    void this.#serve(socket).finally(() => {
      if (this.#client === socket) this.#client = undefined
      this.#serveNext()
    })
  }

  async #serve(socket: Socket): Promise<void> {
    const { device } = this.#host
    const options = device.options()
    const idle = options.dmaIdle ?? (hasBug(options, 'noDmaIdleTimeout') ? 0 : 1000)
    const state = { authenticated: device.configuration.get('Network Settings', 'Network Password') === '' }
    socket.setTimeout(idle, () => {
      this.#host.report(null, 'idle')
      socket.destroy()
    })
    let input = Buffer.alloc(0)
    try {
      for await (const bytes of socket) {
        input = Buffer.concat([input, Buffer.from(bytes as Uint8Array)])
        for (;;) {
          const { command, rest } = takeCommand(input)
          input = Buffer.from(rest)
          if (!command) break
          socket.setTimeout(0)
          const outcome = await this.#carryOut(command, socket, state)
          this.#host.report(command, outcome)
          if (outcome === 'closed') {
            socket.end()
            return
          }
          socket.setTimeout(idle)
        }
      }
    } catch {
      // The client went away in the middle, or was idle for too long.
    } finally {
      socket.destroySoon()
    }
  }

  async #carryOut(
    { command, length, payload }: DmaCommand,
    socket: Socket,
    state: { authenticated: boolean },
  ): Promise<Outcome> {
    const { device } = this.#host
    const { c64 } = device
    const reply = (bytes: Buffer): void => {
      socket.write(this.#fault === 'cutOff' ? bytes.subarray(0, bytes.length >> 1) : bytes)
    }
    const options = device.options()
    if (options.slow > 0) await sleep(options.slow)
    if (this.#fault === 'wedged') {
      this.#sawWedge = true
      await new Promise((gone) => socket.once('close', gone))
      return 'wedged'
    }
    if (command === 0xff1f) {
      if (!atLeast(options, '3.12')) return 'unknown'
      const password = Buffer.from(device.configuration.get('Network Settings', 'Network Password'), 'latin1')
      const right = password.length === 0 || (payload.length === password.length && timingSafeEqual(payload, password))
      if (!right) await sleep(1000)
      reply(Buffer.from([right ? 1 : 0]))
      state.authenticated = right
      return right ? 'done' : 'closed'
    }
    if (!state.authenticated) return 'closed'
    if (!isUltimate64(options) && ([0xff0c, 0xff76].includes(command) || (command >= 0xff20 && command <= 0xff32)))
      return 'unknown'
    switch (command) {
      case 0xff01:
      case 0xff02:
        c64.load(command === 0xff01 ? 'DMA' : 'DMARUN', '', Buffer.from(payload))
        return 'done'
      case 0xff03:
        c64.putKeys(payload.subarray(0, 0x10000 - 0x277))
        return 'done'
      case 0xff04:
        c64.reset()
        return 'done'
      case WAIT:
        await sleep(length * TICK_MS)
        return 'done'
      case 0xff06:
        c64.takeBus(Math.max(0, payload.length - 2))
        if (payload.length >= 2)
          payload.subarray(2).forEach((byte, n) => c64.write((payload.readUInt16LE(0) + n) & 0xffff, byte))
        return 'done'
      case 0xff07:
      case 0xff08:
        c64.runs.push({ call: command === 0xff07 ? 'REUWRITE' : 'KERNALWRITE', name: '', bytes: Buffer.from(payload) })
        return 'done'
      case 0xff09:
        c64.load(`DMAJUMP ${payload.readUInt16LE(0).toString(16)}`, '', Buffer.from(payload.subarray(2)))
        return 'done'
      case 0xff0a:
      case 0xff0b:
        device.drives.mount('a', 'tcpimage.d64', Buffer.from(payload), 'readwrite')
        if (command === 0xff0b) {
          c64.reset()
          c64.runs.push({ call: 'RUN_IMG', name: 'tcpimage.d64', bytes: Buffer.from(payload) })
        }
        return 'done'
      case 0xff0c:
        device.powerOff()
        return 'done'
      case 0xff0d:
        c64.reset()
        c64.runs.push({ call: 'RUN_CRT', name: '', bytes: Buffer.from(payload) })
        return 'done'
      case 0xff0e: {
        const title = Buffer.from(this.#host.title(), 'latin1')
        reply(Buffer.concat([Buffer.from([title.length]), title]))
        return 'done'
      }
      case 0xff20:
      case 0xff21:
      case 0xff22:
        await this.#startStream(command & 3, payload)
        return 'done'
      case 0xff30:
      case 0xff31:
      case 0xff32:
        device.streams.stop(STREAM_ORDER[command & 3] ?? '')
        return 'done'
      case 0xff76:
        reply(Buffer.from([c64.debugRegister]))
        if (payload.length > 0) c64.debugRegister = payload.readUInt8(0)
        return 'done'
      default:
        return 'unknown'
    }
  }

  /** Video and debug entries exclude each other here; through REST they do not. */
  async #startStream(index: number, payload: Buffer): Promise<void> {
    const { streams } = this.#host.device
    const name = STREAM_ORDER[index] ?? 'video'
    if (name === 'video') streams.stop('debug')
    if (name === 'debug') streams.stop('video')
    const ticks = payload.length >= 2 ? payload.readUInt16LE(0) : 0
    await streams.start(name, payload.toString('latin1', 2).replace(/\0.*$/s, ''), { duration: ticks * TICK_MS })
  }
}
