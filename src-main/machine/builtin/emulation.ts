/** The built-in C64 in time: paced, paused, sampled, saved. It lives in the worker and knows nothing of the driver. */
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { writeFile } from 'atomically'
import { textToPetscii } from '@shared/c64/petscii'
import { AppError } from '@shared/contract/errors'
import type { VideoStandard } from '@shared/contract/machine'
import type { Register, Space } from '@shared/contract/memory'
import { bootToPrompt, startProgram } from './autostart'
import { Checkpoints } from './checkpoints'
import { C64, framePeriod, timings } from './c64'
import type { Notify, RequestHandlers } from '../../rpc/protocol'
import type { BuiltinChannel, SamplingInput, StartInput, WorkerSample, WorkerStatus } from './messages'
import { Pacer } from './pacing'
import type { Roms } from './pla'
import { describeFileError, loadRoms } from './roms'
import { MAX_TYPING, decodeState, encodeState } from './state'

/** In warp, how long is run before messages are looked at, and how often a sample goes out, ms. */
const WARP_SLICE = 4
const WARP_SAMPLE = 20
/** How often the speed is told and the state kept, ms. */
const SECOND = 1_000

const IO_START = 0xd000
const IO_SIZE = 0x1000
const COLOR_RAM_START = 0xd800
const COLOR_RAM_SIZE = 0x400

const done = {}

export class Emulation {
  readonly #notify: Notify<BuiltinChannel>
  #c64: C64 | undefined
  #roms: Roms | undefined
  #statePath: string | null = null
  readonly #checkpoints = new Checkpoints()
  #execution: WorkerStatus['execution'] = 'running'
  /** The checkpoint at which it stands; null when it was stopped for another reason. */
  #stoppedAt: string | null = null
  #warp = false
  #speed: number | null = null
  #request: SamplingInput = { mode: 'off', spaces: [], picture: false }
  #pacer: Pacer | undefined
  /** Takes back the next turn. */
  #cancelTurn = (): void => undefined
  #lastSample = 0
  /** When the machine last ran a turn, and its clock then; the same at the last measurement of the speed. */
  #turn = { at: 0, clock: 0 }
  #measured = { at: 0, clock: 0 }
  #everySecond: NodeJS.Timeout | undefined
  #saving: Promise<void> = Promise.resolve()

  constructor(notify: Notify<BuiltinChannel>) {
    this.#notify = notify
  }

  readonly handlers: RequestHandlers<BuiltinChannel> = {
    start: (input) => this.#start(input),
    stop: async () => {
      this.#halt()
      clearInterval(this.#everySecond)
      this.#keepState()
      await this.#saving
      return done
    },
    pause: () => {
      if (this.#execution === 'running') {
        this.#setExecution('paused')
        this.#keepState()
      }
      return done
    },
    resume: () => {
      if (this.#execution === 'jammed') throw jammed(this.#machine)
      if (this.#execution !== 'running') this.#restartMeasure()
      this.#setExecution('running')
      this.#run()
      return done
    },
    step: ({ count, over }) => {
      const c64 = this.#machine
      if (c64.jam !== null) throw jammed(c64)
      this.#halt()
      c64.step(count, over)
      this.#setExecution(this.#machine.jam === null ? 'paused' : 'jammed')
      return done
    },
    reset: ({ kind }) => {
      this.#machine.reset(kind)
      // A paused machine stays paused, at the first instruction after the reset.
      if (this.#execution === 'jammed') this.#setExecution('running')
      this.#standingChanged()
      this.#run()
      return done
    },
    setWarp: ({ warp }) => {
      this.#warp = warp
      this.#pacer = undefined
      this.#restartMeasure()
      this.#run()
      this.#tell()
      return done
    },
    setStandard: ({ standard }) => {
      const image = this.#machine.save()
      if (image.chips.standard !== standard) this.#replace(standard).restore(image)
      this.#restartMeasure()
      this.#standingChanged()
      this.#tell()
      return done
    },
    setSampling: (request) => {
      this.#request = request
      if (this.#execution !== 'running' || request.mode === 'off') this.#sample()
      return done
    },
    readMemory: ({ space, address, length }) => this.#read(space, address, length),
    writeMemory: ({ space, address, bytes }) => {
      this.#write(space, address, bytes)
      this.#standingChanged()
      return done
    },
    readRegisters: () => this.#registers(),
    writeRegister: ({ name, value }) => {
      this.#writeRegister(name, value)
      this.#standingChanged()
      return this.#registers()
    },
    runProgram: ({ bytes }) => {
      startProgram(this.#machine, bytes)
      this.#restartMeasure()
      this.#setExecution('running')
      this.#run()
      return done
    },
    typeText: ({ text }) => {
      const keys = textToPetscii(text)
      if (this.#machine.typing + keys.length > MAX_TYPING) {
        throw new AppError('BUSY', 'The C64 has not yet taken the text that was typed before.', {
          hint: 'Wait until it has, or reset it.',
        })
      }
      this.#machine.type(keys)
      return done
    },
    setKeys: ({ keys }) => {
      this.#machine.setKeys(keys)
      return done
    },
    setJoystick: ({ port, inputs }) => {
      this.#machine.setJoystick(port, inputs)
      return done
    },
    picture: () => this.#machine.picture(),
    saveState: () => encodeState(this.#machine.save(), this.#usedRoms),
    listCheckpoints: () => this.#checkpoints.list(),
    setCheckpoint: (checkpoint) => this.#checkpoints.set(checkpoint),
    deleteCheckpoint: ({ number }) => {
      this.#checkpoints.delete(number)
      return done
    },
    enableCheckpoint: ({ number, enabled }) => {
      this.#checkpoints.enable(number, enabled)
      return done
    },
    loadState: ({ state }) => {
      const image = decodeState(state, this.#usedRoms)
      if (image.chips.standard !== this.#machine.standard) this.#replace(image.chips.standard)
      this.#machine.restore(image)
      this.#restartMeasure()
      if (this.#execution === 'jammed') this.#setExecution('running')
      this.#standingChanged()
      this.#run()
      this.#tell()
      return done
    },
  }

  get #machine(): C64 {
    if (!this.#c64) throw new AppError('LOST', 'The built-in C64 has not been started.')
    return this.#c64
  }

  get #usedRoms(): Roms {
    if (!this.#roms) throw new AppError('LOST', 'The built-in C64 has not been started.')
    return this.#roms
  }

  async #start({ resources, roms: paths, standard, statePath, autorun }: StartInput): Promise<{ notices: string[] }> {
    const { roms, notices } = await loadRoms(resources, paths)
    this.#roms = roms
    this.#statePath = statePath
    const c64 = this.#replace(standard)
    const resumed = await this.#resume(notices)
    if (!resumed) {
      if (autorun !== null) await this.#autorun(autorun, notices)
      else if (!bootToPrompt(c64)) notices.push('The ROMs show no prompt: programs cannot be started.')
    }
    this.#restartMeasure()
    this.#everySecond = setInterval(() => {
      this.#measure()
      if (this.#execution === 'running') this.#keepState()
    }, SECOND)
    this.#run()
    this.#tell()
    this.#sample()
    return { notices }
  }

  /** Goes on from the state that was kept. Without one, or with one that cannot be used, the machine starts afresh. */
  async #resume(notices: string[]): Promise<boolean> {
    if (this.#statePath === null) return false
    try {
      const { mtime } = await stat(this.#statePath)
      const image = decodeState(new Uint8Array(await readFile(this.#statePath)), this.#usedRoms)
      this.#machine.restore(image)
      notices.push(`Resumed from ${mtime.toTimeString().slice(0, 8)}.`)
      return true
    } catch (error) {
      if (error instanceof AppError) notices.push(`The machine started afresh. ${error.message}`)
      else if (!isMissing(error))
        notices.push(`The machine started afresh: its last state cannot be read (${describeFileError(error)}).`)
      return false
    }
  }

  async #autorun(path: string, notices: string[]): Promise<void> {
    try {
      startProgram(this.#machine, new Uint8Array(await readFile(path)))
    } catch (error) {
      notices.push(`${basename(path)} was not started: ${describeFileError(error)}`)
    }
  }

  /** A new machine on the same ROMs, in place of the present one. */
  #replace(standard: VideoStandard): C64 {
    this.#c64 = new C64(this.#usedRoms, standard)
    this.#pacer = undefined
    return this.#c64
  }

  #setExecution(execution: WorkerStatus['execution'], stoppedAt: string | null = null): void {
    const changed = this.#execution !== execution || this.#stoppedAt !== stoppedAt
    this.#execution = execution
    this.#stoppedAt = stoppedAt
    if (execution !== 'running') {
      this.#halt()
      this.#sample()
    }
    if (changed) this.#tell()
  }

  /** A machine that stands still sends no frames by itself, so that a change from outside would not be seen. */
  #standingChanged(): void {
    if (this.#execution !== 'running') this.#sample()
  }

  #halt(): void {
    this.#cancelTurn()
    this.#pacer = undefined
  }

  /** Sets the next turn, unless the machine stands still. */
  #run(): void {
    this.#cancelTurn()
    if (this.#execution !== 'running') return
    if (this.#warp) {
      const turn = setImmediate(() => this.#warpTurn())
      this.#cancelTurn = () => clearImmediate(turn)
      return
    }
    this.#pacer ??= new Pacer(framePeriod(this.#machine.standard), performance.now())
    const turn = setTimeout(() => this.#pacedTurn(), this.#pacer.delay(performance.now()))
    this.#cancelTurn = () => clearTimeout(turn)
  }

  #pacedTurn(): void {
    const frames = this.#pacer?.due(performance.now()) ?? 0
    for (let frame = 0; frame < frames && this.#runFrame(); frame++) if (this.#request.mode !== 'off') this.#sample()
    if (frames > 0) this.#noteTurn()
    this.#run()
  }

  #warpTurn(): void {
    const end = performance.now() + WARP_SLICE
    while (performance.now() < end && this.#runFrame());
    this.#noteTurn()
    if (this.#request.mode !== 'off' && performance.now() - this.#lastSample >= WARP_SAMPLE) this.#sample()
    this.#run()
  }

  /** False when the machine came to a stop. */
  #runFrame(): boolean {
    const stopped = this.#machine.runFrame(this.#checkpoints)
    if (stopped) {
      const { p } = this.#machine.cpu.core.state
      this.#setExecution(
        'paused',
        `Stopped at $${p.toString(16).toUpperCase().padStart(4, '0')} by checkpoint ${stopped.number}.`,
      )
      return false
    }
    if (this.#machine.jam === null) return true
    this.#setExecution('jammed')
    return false
  }

  #noteTurn(): void {
    this.#turn = { at: performance.now(), clock: this.#machine.clock }
  }

  /** After the clock stood still or jumped. */
  #restartMeasure(): void {
    this.#noteTurn()
    this.#measured = this.#turn
  }

  #measure(): void {
    const { at, clock } = this.#turn
    const time = at - this.#measured.at
    const cycles = clock - this.#measured.clock
    this.#measured = this.#turn
    // A machine that stands still has no speed.
    this.#speed = time > 0 ? ((cycles / timings[this.#machine.standard].clockRate) * 1000) / time : null
    this.#tell()
  }

  #tell(): void {
    const { standard, jam } = this.#machine
    const status: WorkerStatus = {
      execution: this.#execution,
      reason: jam ?? this.#stoppedAt,
      hint: jam === null ? null : 'Reset the machine.',
      standard,
      speed: this.#execution === 'running' ? this.#speed : null,
      warp: this.#warp,
    }
    this.#notify('status', status)
  }

  #keepState(): void {
    const path = this.#statePath
    if (path === null || !this.#c64) return
    const bytes = encodeState(this.#c64.save(), this.#usedRoms)
    // A power cut may cost the last seconds: waiting for the disk each second would disturb the pacing.
    this.#saving = writeFile(path, bytes, { fsync: false, mode: 0o600 }).catch((error: unknown) => {
      this.#statePath = null
      this.#notify('notice', `The machine’s state cannot be kept for the next start (${describeFileError(error)}).`)
    })
  }

  #sample(): void {
    const { spaces, picture } = this.#request
    if (spaces.length === 0 && !picture) return
    this.#lastSample = performance.now()
    const sample: WorkerSample = {
      time: performance.timeOrigin + this.#lastSample,
      segments: spaces.map((space) => this.#segment(space)),
      registers: this.#registers(),
      ...(picture ? { picture: this.#machine.picture() } : {}),
    }
    this.#notify('sample', sample, buffersOf(sample))
  }

  #segment(space: Space): { space: Space; address: number; bytes: Uint8Array } {
    if (space === 'io') return { space, address: IO_START, bytes: this.#machine.peekIo() }
    if (space === 'colorRam') return { space, address: COLOR_RAM_START, bytes: this.#machine.colorRam.slice() }
    return { space, address: 0, bytes: this.#image(space) }
  }

  /** All 64 KiB of a space. Where `io` and `colorRam` have nothing of their own, there is RAM. */
  #image(space: Space): Uint8Array<ArrayBuffer> {
    const { space: memory, colorRam } = this.#machine
    if (space === 'cpu') return this.#machine.peekCpu()
    const image = memory.ram.slice()
    if (space === 'rom') for (const [start, end] of romRanges) image.set(memory.rom.subarray(start, end), start)
    if (space === 'io') image.set(this.#machine.peekIo(), IO_START)
    if (space === 'colorRam') image.set(colorRam, COLOR_RAM_START)
    return image
  }

  #read(space: Space, address: number, length: number): Uint8Array {
    checkRange(space, address, length)
    return this.#image(space).slice(address, address + length)
  }

  #write(space: Space, address: number, bytes: Uint8Array): void {
    checkRange(space, address, bytes.length)
    const { space: memory } = this.#machine
    for (const [index, byte] of bytes.entries()) {
      const at = address + index
      switch (space) {
        case 'rom':
          throw new AppError('UNSUPPORTED', 'ROM cannot be written.', {
            hint: 'Write to the RAM under it (space ram).',
          })
        case 'io':
        case 'colorRam':
          this.#machine.write(at, byte)
          break
        case 'ram':
          // Under the port at $00/$01 there is no RAM that anything could see.
          if (at > 1) memory.ram[at] = byte
          else memory.write(at, byte)
          break
        case 'cpu':
          memory.write(at, byte)
      }
    }
  }

  #registers(): Register[] {
    const { cpu, space, rasterLine, lineCycle } = this.#machine
    const { p, a, x, y, s, flags } = cpu.core.state
    return [
      { name: 'PC', value: p, bits: 16 },
      { name: 'A', value: a, bits: 8 },
      { name: 'X', value: x, bits: 8 },
      { name: 'Y', value: y, bits: 8 },
      { name: 'SP', value: s, bits: 8 },
      { name: 'FL', value: flags, bits: 8 },
      { name: '00', value: space.ram[0] ?? 0, bits: 8 },
      { name: '01', value: space.ram[1] ?? 0, bits: 8 },
      { name: 'LIN', value: rasterLine, bits: 9 },
      { name: 'CYC', value: lineCycle, bits: 8 },
    ]
  }

  #writeRegister(name: string, value: number): void {
    const register = this.#registers().find((register) => register.name === name.toUpperCase())
    if (!register)
      throw new AppError('NOT_FOUND', `The 6510 has no register “${name}”.`, {
        hint: 'It has PC, A, X, Y, SP, FL, and its port 00 and 01.',
      })
    if (value >= 2 ** register.bits)
      throw new AppError('INVALID', `${register.name} has ${register.bits} bits; ${value} does not fit.`)
    const { cpu, space } = this.#machine
    const { state } = cpu.core
    switch (register.name) {
      case 'PC':
        state.p = value
        break
      case 'A':
        state.a = value
        break
      case 'X':
        state.x = value
        break
      case 'Y':
        state.y = value
        break
      case 'SP':
        state.s = value
        break
      case 'FL':
        state.flags = value
        break
      case '00':
      case '01':
        space.write(Number(register.name), value)
        break
      default:
        throw new AppError('UNSUPPORTED', `${register.name} is where the raster is; it cannot be set.`)
    }
  }
}

/** A sample is made afresh each time, so that its buffers can be moved to the driver. */
function buffersOf({ segments, picture }: WorkerSample): ArrayBuffer[] {
  const views = [...segments.map(({ bytes }) => bytes), ...(picture ? [picture.pixels] : [])]
  return views.flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : []))
}

/** BASIC, character ROM, KERNAL. */
const romRanges = [
  [0xa000, 0xc000],
  [0xd000, 0xe000],
  [0xe000, 0x10000],
] as const

function checkRange(space: Space, address: number, length: number): void {
  const end = address + length
  if (end > 0x10000) throw new AppError('INVALID', 'The range goes past $FFFF.')
  if (space === 'io' && (address < IO_START || end > IO_START + IO_SIZE))
    throw new AppError('INVALID', 'The I/O registers are at $D000 to $DFFF.')
  if (space === 'colorRam' && (address < COLOR_RAM_START || end > COLOR_RAM_START + COLOR_RAM_SIZE)) {
    throw new AppError('INVALID', 'Colour RAM is at $D800 to $DBFF.')
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

const jammed = (c64: C64): AppError =>
  new AppError('CONFLICT', c64.jam ?? 'The CPU stopped.', { hint: 'Reset the machine.' })
