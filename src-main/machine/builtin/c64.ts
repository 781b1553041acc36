/**
 * Uses no timers of the host and no chance, so the same input always gives the same machine. It stands still, and can
 * be saved, only between two instructions.
 */
import { formatAddress, formatByte } from '@shared/c64/address'
import { chips } from '@shared/c64/chips'
import { clockRates } from '@shared/c64/registers'
import type { VideoMemory } from '@shared/c64/vicii'
import { defaultModels, type ChipModels, type VideoStandard } from '@shared/contract/machine'
import type { Picture } from '@shared/contract/memory'
import { AccessTrace, chipPlace } from './accessTrace'
import { IO_PAGE, SystemBus, type ChipTiming } from './bus'
import type { CheckpointHit, Checkpoints } from './checkpoints'
import { Clock } from './clock'
import { Cia } from './cia'
import { jam } from './control'
import { Cpu } from './cpu'
import { expressionView } from './expressionView'
import { HostInput, KEY_COUNT, type HeldInput } from './hostInput'
import type { InstructionFollower } from './instructionFollower'
import { Io } from './io'
import { instructions } from './opcodes'
import { AddressSpace, type Roms } from './pla'
import { INTERRUPTS_OFF } from './processor'
import { Raster, cyclesPerFrame } from './raster'
import { Sid } from './sid'
import type { MachineImage } from './state'
import { VicII } from './vicii'

/** `clockRate`: cycles per second. `mains`: Hz, drives the time-of-day clocks. */
export const timings = {
  pal: { clockRate: clockRates.pal, mains: 50 },
  ntsc: { clockRate: clockRates.ntsc, mains: 60 },
} as const

/** ms: 19.95 (PAL), 16.71 (NTSC). */
export function framePeriod(standard: VideoStandard): number {
  return (1000 * cyclesPerFrame(standard)) / timings[standard].clockRate
}

/** The KERNAL's flag that hides the cursor; 0 while it waits for a line. */
export const CURSOR_OFF = 0xcc

/** Chips with a reset line, and those that only switching on clears. */
const resetChips = [chips.sid, chips.cia1, chips.cia2]
const powerOnChips = [chips.vic, { start: 0xd800, every: 0x400 }]

/** As if the registers were written: the latches of a CIA's timers are $FFFF, all else is 0. */
const writtenByReset = (address: number): number =>
  address >= chips.cia1.start && (address & 0x0c) === 0x04 ? 0xff : 0

const everyAddress = new Uint8Array(0x10000).fill(1)

const PEN_PIN = 0x10

const noAlarm = { clock: Infinity, ring: (): void => undefined }

export interface Snapshot extends HeldInput {
  readonly image: MachineImage
}

export interface FollowedRun {
  readonly hit: CheckpointHit | undefined
  readonly isDone: boolean
}

export class C64 implements ChipTiming {
  readonly standard: VideoStandard
  readonly models: ChipModels
  readonly colorRam = new Uint8Array(0x400)
  readonly sid = new Sid()
  readonly vic: VicII
  readonly raster: Raster
  readonly cia1: Cia
  readonly cia2: Cia
  readonly space: AddressSpace
  readonly cpu: Cpu
  readonly trace: AccessTrace
  readonly input: HostInput

  readonly #clock = new Clock()
  readonly #bus: SystemBus
  readonly #io: Io
  readonly #videoMemory: VideoMemory & { bank: number }
  #nmiLine = false
  /** The clock at which a CIA may move its interrupt line, unless it is accessed before. */
  #ciasDue = 0
  #alarm = noAlarm
  readonly #view = expressionView(this)

  constructor(roms: Roms, standard: VideoStandard, models: ChipModels = defaultModels) {
    const { clockRate, mains } = timings[standard]
    this.standard = standard
    const { ciaModel, vicModel } = models
    this.models = { ciaModel, vicModel }
    this.cia1 = new Cia(ciaModel, clockRate, mains, {
      a: (a, b) => this.input.lines(a, b).columns,
      b: (a, b) => this.input.lines(a, b).rows,
    })
    // No drive on the serial bus: CLK IN and DATA IN (bits 6, 7) show what CLK OUT and DATA OUT (bits 4, 5) do, inverted.
    this.cia2 = new Cia(ciaModel, clockRate, mains, { a: (a) => (a & 0x3f) | ((~a & 0x30) << 2), b: (_a, b) => b })
    this.#io = new Io(this, this.#clock, () => this.#chipsChanged())
    this.trace = new AccessTrace()
    this.space = new AddressSpace(roms, this.#io, this.#clock, this.trace)
    this.#bus = new SystemBus(this.#clock, this.space, this)
    this.cpu = new Cpu(this.#bus)
    this.input = new HostInput(
      this.space,
      () => {
        if (!this.cia2.asserted) this.cpu.nmi()
      },
      () => this.portsChanged(),
    )
    this.#videoMemory = {
      ram: this.space.ram,
      characterRom: roms.character,
      colorRam: this.colorRam,
      bank: 0,
    }
    this.vic = new VicII(standard, vicModel, this.#videoMemory, () => this.#programByte())
    this.raster = new Raster(this.vic, standard, this.#videoMemory)
    this.reset('power')
  }

  get clock(): number {
    return this.#clock.now
  }

  get jam(): string | null {
    const address = this.cpu.jammedAt
    if (address === null) return null
    const opcode = this.space.peek(address)
    // The byte in a chip's register may have changed since it was read.
    const reason =
      instructions[opcode] === jam ? `opcode ${formatByte(opcode)} (JAM) halts` : 'it read a JAM opcode, which halts'
    return `The CPU stopped at ${formatAddress(address)}: ${reason} a 6510.`
  }

  /** `soft` pulls the reset line; `power` also forgets RAM, colour RAM and the VIC-II, which has no reset line. */
  reset(kind: 'soft' | 'power'): void {
    if (kind === 'power') {
      // The usual pattern of a C64's memory chips after power-on.
      for (let address = 0; address < 0x10000; address++)
        this.space.setRam(address, (address & 0x40) === 0 ? 0x00 : 0xff, 'reset')
      this.colorRam.fill(0)
      this.raster.powerOn(this.clock)
    }
    this.input.typing = []
    this.space.reset()
    this.sid.registers.fill(0)
    this.cia1.reset()
    this.cia2.reset()
    this.cpu.reset()
    this.portsChanged()
    this.#chipsChanged()
    this.#traceReset(kind)
    this.cpu.step()
  }

  #traceReset(kind: 'soft' | 'power'): void {
    this.trace.beginReset(this.clock)
    for (const { start, every } of [...resetChips, ...(kind === 'power' ? powerOnChips : [])])
      for (let address = start; address < start + every; address++)
        this.trace.setChipFromOutside(chipPlace(address), writtenByReset(address), this.clock, 'reset')
  }

  /**
   * Stops at the end of the instruction in which the present picture is finished.
   * @returns the checkpoint at which it stopped before, if any
   */
  runFrame(checkpoints?: Checkpoints): CheckpointHit | undefined {
    if (checkpoints?.active) return this.#runWatched(checkpoints).hit
    const { frames } = this.raster
    while (this.raster.frames === frames) this.#step()
    this.#settle()
    return undefined
  }

  runFollowed(checkpoints: Checkpoints, follower: InstructionFollower): FollowedRun {
    return this.#runWatched(checkpoints.active ? checkpoints : undefined, follower)
  }

  runTo(clock: number): void {
    while (this.clock < clock) this.#step()
    this.#settle()
  }

  /** Runs `count` instructions; taking an interrupt counts as one. */
  step(count: number): void {
    for (let done = 0; done < count; done++) this.#step()
    this.#settle()
  }

  get videoMemory(): VideoMemory {
    return this.#videoMemory
  }

  get rasterLine(): number {
    this.#settle()
    return this.vic.raster
  }

  get lineCycle(): number {
    this.#settle()
    const { cycle, frameEnds, timing } = this.vic
    return frameEnds ? timing.cycles + 1 : cycle + 1
  }

  /** The VIC-II lags until it is looked at. */
  #settle(): void {
    this.raster.settle(this.clock - 1)
  }

  #programByte(): number {
    const { reading } = this.#bus
    return this.space.ram[reading < 0 ? this.cpu.pc : reading] ?? 0
  }

  /** True while the KERNAL waits for a line with its cursor on; may be missed while an interrupt is handled. */
  get atPrompt(): boolean {
    const { ram } = this.space
    return (this.cpu.flags & INTERRUPTS_OFF) === 0 && ram[CURSOR_OFF] === 0 && ram[KEY_COUNT] === 0
  }

  picture(): Picture {
    return this.raster.picture()
  }

  /**
   * $D000 to $DFFF without side effects: the values that reading gives, but the SID's as written, and no floating bus.
   */
  peekIo(): Uint8Array<ArrayBuffer> {
    this.#catchUp()
    return Uint8Array.from({ length: 0x1000 }, (_, offset) => this.#io.peek(0xd000 + offset))
  }

  peekChip(address: number): number {
    this.#catchUp()
    return this.#io.peek(address)
  }

  /** No side effects. */
  peekCpu(): Uint8Array<ArrayBuffer> {
    const image = this.space.image()
    if (this.space.ioVisible) image.set(this.peekIo(), 0xd000)
    return image
  }

  #catchUp(): void {
    this.#settle()
    this.cia1.advance(this.clock)
    this.cia2.advance(this.clock)
    this.#chipsChanged()
  }

  writeIo(address: number, value: number): void {
    this.trace.setChipFromOutside(chipPlace(address), value, this.clock, 'write')
    this.#io.write(address, value)
  }

  /** Gives the same result however often the chips were looked at before. */
  save(): MachineImage {
    this.#catchUp()
    return {
      chips: {
        standard: this.standard,
        ciaModel: this.models.ciaModel,
        vicModel: this.models.vicModel,
        clock: this.clock,
        port: this.space.port,
        cpu: this.cpu.save(),
        vic: this.vic.save(),
        cia1: structuredClone(this.cia1.state),
        cia2: structuredClone(this.cia2.state),
        sid: [...this.sid.registers],
        typing: [...this.input.typing],
      },
      ram: this.space.ramImage(),
      colorRam: this.colorRam.slice(),
    }
  }

  /** Once, after the instruction in which the clock reaches `clock`. Replaces an earlier alarm. */
  setAlarm(clock: number, ring: () => void): void {
    this.#alarm = { clock, ring }
  }

  clearAlarm(): void {
    this.#alarm = noAlarm
  }

  snapshot(): Snapshot {
    return { image: this.save(), ...this.input.save() }
  }

  /** The picture is complete again after a frame. */
  goTo({ image, ...held }: Snapshot): void {
    this.input.restore(held)
    this.#alarm = noAlarm
    this.restore(image)
  }

  /** The present video standard and chip models stay; the raster position is restored only for the same standard. */
  restore({ chips, ram, colorRam }: MachineImage): void {
    this.#clock.now = chips.clock
    this.space.ram.set(ram)
    this.colorRam.set(colorRam)
    this.space.port = chips.port
    this.cpu.restore(chips.cpu)
    this.vic.restore(chips.vic)
    this.cia1.state = structuredClone(chips.cia1)
    this.cia2.state = structuredClone(chips.cia2)
    this.sid.registers.set(chips.sid)
    this.input.typing = chips.typing
    this.raster.restore(chips.clock)
    this.#nmiLine = this.cia2.asserted
    // What was held down when it was saved may be released by now.
    this.portsChanged()
    this.#chipsChanged()
    this.raster.redraw()
  }

  advance(now: number): number {
    this.raster.advance(now)
    if (now >= this.#ciasDue) {
      this.cia1.advance(now)
      this.cia2.advance(now)
      this.#scheduleCias()
    }
    return this.#updateLines()
  }

  isConcernedBy(address: number): boolean {
    return address >> 12 === IO_PAGE || !this.vic.isPutOff || this.vic.mayRead(address)
  }

  prepareWrite(address: number, now: number): number {
    const next = this.advance(now)
    const isChip = address >> 12 === IO_PAGE && this.space.ioVisible
    if (isChip || !this.raster.mayReadLater(address)) return next
    this.raster.settle()
    return this.#updateLines()
  }

  get holdsBus(): boolean {
    return this.raster.holdsBus
  }

  wait(now: number): number {
    this.cpu.repoll()
    return Math.max(now + 1, Math.min(this.raster.busFreeAt, this.#ciasDue))
  }

  #step(): void {
    const { cpu } = this
    const { frames } = this.raster
    this.trace.begin(this.space.placeOf(cpu.pc), cpu.interrupted, this.clock)
    cpu.step()
    if (this.raster.frames !== frames) {
      this.#settle()
      this.input.endFrame()
    }
    if (this.clock >= this.#alarm.clock) this.#ring()
  }

  #ring(): void {
    const { ring } = this.#alarm
    this.#settle()
    this.#alarm = noAlarm
    ring()
  }

  /** The first instruction is not checked, so that a machine stopped there can continue. */
  #runWatched(checkpoints: Checkpoints | undefined, follower?: InstructionFollower): FollowedRun {
    const { cpu } = this
    const { frames } = this.raster
    const view = this.#view
    const { space } = this
    const { load, store } = checkpoints?.marks ?? {}
    space.watchedLoads = follower?.access ? everyAddress : load
    space.watchedStores = follower?.access ? everyAddress : store
    space.onAccess = (address, written) => {
      follower?.access?.(address, written)
      if (written === null) {
        if (load?.[address] === 1) checkpoints?.note(address, 'load', view)
      } else if (store?.[address] === 1) checkpoints?.note(address, 'store', view)
    }
    this.raster.follow(follower?.cycle)
    try {
      while (this.raster.frames === frames && cpu.jammedAt === null) {
        checkpoints?.begin(cpu.pc, cpu.interrupted)
        follower?.begin()
        this.#step()
        const isDone = follower?.end() === true
        const { pc, interrupted } = cpu
        const hit = checkpoints?.isHit(pc, interrupted) ? checkpoints.end(pc, interrupted, view) : undefined
        if (hit || isDone) return { hit, isDone }
      }
      while (this.raster.frames === frames) this.#step()
      return { hit: undefined, isDone: false }
    } finally {
      this.#settle()
      space.watchedLoads = undefined
      space.watchedStores = undefined
      this.raster.follow(undefined)
    }
  }

  #chipsChanged(): void {
    const bank = ~this.cia2.drivenA & 3
    if (bank !== this.#videoMemory.bank) {
      this.raster.settle()
      this.#videoMemory.bank = bank
    }
    this.#scheduleCias()
    this.#bus.nextEvent = this.#updateLines()
  }

  /** Port 1's fire button, or whatever pulls that pin low, is the light pen's line. */
  portsChanged(): void {
    const { drivenA, drivenB } = this.cia1
    const isLow = (this.input.lines(drivenA, drivenB).rows & PEN_PIN) === 0
    if (isLow === this.vic.penLow) return
    this.raster.settle()
    this.vic.setPen(isLow)
    this.#bus.nextEvent = this.#updateLines()
  }

  #scheduleCias(): void {
    this.#ciasDue = Math.min(this.cia1.nextEvent, this.cia2.nextEvent)
  }

  #updateLines(): number {
    this.cpu.irq = this.raster.seenLow || this.cia1.seenLow
    const nmi = this.cia2.asserted
    if ((nmi && !this.#nmiLine) || this.cia2.pulsed) this.cpu.nmi()
    this.#nmiLine = nmi
    return Math.min(this.raster.nextEvent, this.#ciasDue)
  }
}
