/**
 * The built-in C64: its chips on one clock, with no timers of the host and no chance in it, so that the same input
 * always gives the same machine. It only ever stands still between two instructions; there it can be saved.
 */
import type { JoystickInput, C64Key } from '@shared/c64/keyboardMatrix'
import { joystickInputs } from '@shared/c64/keyboardMatrix'
import { PICTURE_WIDTH, firstRasterLine, packPixels, pictureHeight, unpackPixels } from '@shared/c64/picture'
import { rasterOf, renderPicture, type VideoMemory } from '@shared/c64/vicii'
import type { Checkpoint, VideoStandard } from '@shared/contract/machine'
import type { Picture } from '@shared/contract/memory'
import type { Checkpoints } from './checkpoints'
import { Cia } from './cia'
import { Cpu } from './cpu'
import { Keyboard } from './keyboard'
import { AddressSpace, type IoArea, type Roms } from './pla'
import { Sid } from './sid'
import type { MachineImage } from './state'
import { VicII } from './vicii'

interface Timing {
  /** Cycles per second. */
  readonly clockRate: number
  readonly cyclesPerLine: number
  readonly lines: number
  /** Hz of the mains, which drives the time-of-day clocks. */
  readonly mains: number
}

export const timings: Readonly<Record<VideoStandard, Timing>> = {
  pal: { clockRate: 985_248, cyclesPerLine: 63, lines: rasterOf.pal.lines, mains: 50 },
  ntsc: { clockRate: 1_022_727, cyclesPerLine: 65, lines: rasterOf.ntsc.lines, mains: 60 },
}

/** Milliseconds that a frame takes on the real machine: 19.95 (PAL), 16.71 (NTSC). */
export function framePeriod(standard: VideoStandard): number {
  const { clockRate, cyclesPerLine, lines } = timings[standard]
  return (1000 * cyclesPerLine * lines) / clockRate
}

/** The cycle of a line at which the VIC-II takes the bus for a bad line, and how long it keeps it. */
const MATRIX_CYCLE = 12
const MATRIX_CYCLES = 43
/** A line is drawn with the registers as they stand here, in the middle of the display window. */
const DRAW_CYCLE = 32
/** Cycles before the end of a line at which the sprites' bus time starts. */
const SPRITES_BEFORE_END = 8

/** The KERNAL's keyboard buffer and the number of characters in it. */
const KEY_BUFFER = 0x0277
const KEY_BUFFER_SIZE = 10
const KEY_COUNT = 0xc6
/** The KERNAL's flag that hides the cursor; 0 while it waits for a line. */
const CURSOR_OFF = 0xcc
const INTERRUPTS_OFF = 0x04

/** Nothing is plugged into the cartridge port: the real chip's bus would show what the VIC-II read last. */
const OPEN_BUS = 0xff

const JSR = 0x20
/** Longest step over a subroutine, cycles: about ten seconds of the machine. */
const STEP_LIMIT = 10_000_000

export class C64 implements IoArea {
  readonly standard: VideoStandard
  readonly space: AddressSpace
  readonly colorRam = new Uint8Array(0x400)
  readonly cpu: Cpu
  readonly vic: VicII
  readonly cia1: Cia
  readonly cia2: Cia
  readonly sid = new Sid()

  readonly #videoMemory: VideoMemory & { bank: number }
  readonly #keyboard = new Keyboard()
  readonly #cyclesPerLine: number
  /** When each phase of a line ends, in cycles of the line. */
  readonly #phaseEnds: readonly [number, number, number, number]
  readonly #pixels: Uint8Array
  /** For each raster line where it is drawn; lines outside the picture share one that nobody sees. */
  readonly #lines: readonly Uint8Array[]
  /** The raster line with which a new picture begins. */
  readonly #frameLine: number

  /** The clock when the present line began, and the cycles since; after a bad line this may be beyond the line's end. */
  #lineStart = 0
  #cycle = 0
  /** The cycle of the line at which something other than the CPU has to happen. */
  #nextEvent = 0
  /** Pictures finished since the machine was made. */
  #frames = 0
  #restoreHeld = false
  #nmiLine = false
  /** Levels of the joystick pins, ports 1 and 2; 0 is pressed. */
  readonly #joysticks: [number, number] = [0xff, 0xff]
  /** PETSCII still to be typed. */
  #typing: number[] = []

  constructor(roms: Roms, standard: VideoStandard) {
    const { clockRate, cyclesPerLine, lines, mains } = timings[standard]
    this.standard = standard
    this.space = new AddressSpace(roms, this)
    this.cpu = new Cpu(this.space)
    this.vic = new VicII(standard)
    this.cia1 = new Cia(clockRate, mains, {
      a: (_a, b) => this.#joysticks[1] & this.#keyboard.columns(b & this.#joysticks[0]),
      b: (a) => this.#joysticks[0] & this.#keyboard.rows(a & this.#joysticks[1]),
    })
    // No drive on the serial bus: CLK IN and DATA IN (bits 6, 7) show what CLK OUT and DATA OUT (bits 4, 5) do, inverted.
    this.cia2 = new Cia(clockRate, mains, { a: (a) => 0x3f | ((~a & 0x30) << 2), b: () => 0xff })
    this.#videoMemory = { ram: this.space.ram, characterRom: roms.character, colorRam: this.colorRam, bank: 0 }

    this.#cyclesPerLine = cyclesPerLine
    this.#phaseEnds = [MATRIX_CYCLE, DRAW_CYCLE, cyclesPerLine - SPRITES_BEFORE_END, cyclesPerLine]
    const height = pictureHeight(standard)
    const first = firstRasterLine(standard)
    const pixels = new Uint8Array(PICTURE_WIDTH * height)
    const unseen = new Uint8Array(PICTURE_WIDTH)
    this.#pixels = pixels
    this.#lines = Array.from({ length: lines }, (_, raster) => {
      const y = (raster - first + lines) % lines
      return y < height ? pixels.subarray(y * PICTURE_WIDTH, (y + 1) * PICTURE_WIDTH) : unseen
    })
    this.#frameLine = (first + height) % lines
    this.reset('power')
  }

  /** Cycles since the machine was made. */
  get clock(): number {
    return this.#lineStart + this.#cycle
  }

  /** What the CPU cannot run, as a sentence; null while it runs. */
  get jam(): string | null {
    const address = this.cpu.jammedAt
    if (address === null) return null
    const hex = (value: number, digits: number) => `$${value.toString(16).toUpperCase().padStart(digits, '0')}`
    return `The CPU stopped at ${hex(address, 4)}: the opcode ${hex(this.space.peek(address), 2)} is not one that the built-in C64 can run.`
  }

  /** `soft` pulls the reset line; `power` also forgets RAM, colour RAM and the VIC-II, which has no reset line. */
  reset(kind: 'soft' | 'power'): void {
    if (kind === 'power') {
      // The usual pattern of a C64's memory chips after power-on.
      for (let address = 0; address < 0x10000; address++) this.space.ram[address] = (address & 0x40) === 0 ? 0x00 : 0xff
      this.colorRam.fill(0)
      this.vic.powerOn()
      this.#lineStart = this.clock
      this.#cycle = 0
      this.#pixels.fill(0)
    }
    this.#typing = []
    this.space.reset()
    this.sid.registers.fill(0)
    this.cia1.reset()
    this.cia2.reset()
    this.cpu.reset()
    this.#updateBank()
    this.#update()
    // The reset sequence, up to the first instruction.
    this.#finishInstruction()
  }

  /**
   * Runs to the end of the instruction during which the present picture is finished.
   * @returns the checkpoint at which it stopped before that, if it did
   */
  runFrame(checkpoints?: Checkpoints): Checkpoint | undefined {
    let stopped: Checkpoint | undefined
    if (checkpoints?.active) stopped = this.#runWatched(checkpoints)
    else this.#runFreely()
    if (!stopped) {
      this.#keyboard.endFrame()
      this.#noteRestore()
      this.#feedKeys()
    }
    return stopped
  }

  /**
   * Runs `count` instructions; taking an interrupt counts as one.
   * @param over a JSR with all it calls counts as one instruction
   */
  step(count: number, over: boolean): void {
    const limit = this.clock + STEP_LIMIT
    for (let done = 0; done < count && this.clock < limit; done++) {
      const { p: address, s: stack } = this.cpu.core.state
      const call = over && this.space.peek(address) === JSR
      this.#finishInstruction(true)
      if (!call) continue
      const after = (address + 3) & 0xffff
      while ((this.cpu.core.state.p !== after || this.cpu.core.state.s !== stack) && this.clock < limit)
        this.#finishInstruction(true)
    }
  }

  /** The whole set of keys held down; each set stays for some frames at least. RESTORE interrupts when it goes down. */
  setKeys(keys: readonly C64Key[]): void {
    this.#keyboard.setKeys(keys)
    this.#noteRestore()
  }

  setJoystick(port: 1 | 2, inputs: readonly JoystickInput[]): void {
    let low = 0
    for (const input of inputs) low |= 1 << joystickInputs.indexOf(input)
    this.#joysticks[port === 1 ? 0 : 1] = ~low & 0xff
  }

  /** Queues PETSCII for the KERNAL's keyboard buffer; it is fed as the machine takes it, after the keys pressed before. */
  type(petscii: Iterable<number>): void {
    this.#typing.push(...petscii)
    this.#feedKeys()
  }

  /** Characters that still wait to be typed. */
  get typing(): number {
    return this.#typing.length
  }

  get rasterLine(): number {
    return this.vic.raster
  }

  /** The cycle of the raster line; larger than a line has while the VIC-II holds the bus. */
  get lineCycle(): number {
    return this.#cycle
  }

  /** True while the KERNAL waits for a line with its cursor on; may be missed while an interrupt is handled. */
  get atPrompt(): boolean {
    const { ram } = this.space
    return (this.cpu.core.state.flags & INTERRUPTS_OFF) === 0 && ram[CURSOR_OFF] === 0 && ram[KEY_COUNT] === 0
  }

  /** The picture as it was drawn last. */
  picture(): Picture {
    return { width: PICTURE_WIDTH, height: pictureHeight(this.standard), pixels: packPixels(this.#pixels) }
  }

  /** $D000 to $DFFF without side effects: the registers as read, but the SID's as written. Timers are up to date. */
  peekIo(): Uint8Array<ArrayBuffer> {
    this.cia1.advance(this.clock)
    this.cia2.advance(this.clock)
    this.#update()
    return Uint8Array.from({ length: 0x1000 }, (_, offset) => this.peek(0xd000 + offset))
  }

  /** All 64 KiB as the CPU sees them, without side effects; the chips as in {@link peekIo}. */
  peekCpu(): Uint8Array<ArrayBuffer> {
    const image = this.space.image()
    if (this.space.ioVisible) image.set(this.peekIo(), 0xd000)
    return image
  }

  read(address: number): number {
    switch ((address >> 8) & 0x0f) {
      case 0x0:
      case 0x1:
      case 0x2:
      case 0x3:
        return this.vic.read(address & 0x3f)
      case 0x4:
      case 0x5:
      case 0x6:
      case 0x7:
        return this.sid.read(address & 0x1f, this.clock)
      case 0xc:
        return this.#readCia(this.cia1, address)
      case 0xd:
        return this.#readCia(this.cia2, address)
      default:
        return this.peek(address)
    }
  }

  peek(address: number): number {
    switch ((address >> 8) & 0x0f) {
      case 0x0:
      case 0x1:
      case 0x2:
      case 0x3:
        return this.vic.peek(address & 0x3f)
      case 0x4:
      case 0x5:
      case 0x6:
      case 0x7:
        return this.sid.registers[address & 0x1f] ?? 0
      case 0xc:
        return this.cia1.peek(address & 0x0f)
      case 0xd:
        return this.cia2.peek(address & 0x0f)
      case 0xe:
      case 0xf:
        return OPEN_BUS
      default:
        return this.colorRam[address & 0x3ff] ?? 0
    }
  }

  write(address: number, value: number): void {
    switch ((address >> 8) & 0x0f) {
      case 0x0:
      case 0x1:
      case 0x2:
      case 0x3:
        this.vic.write(address & 0x3f, value)
        break
      case 0x4:
      case 0x5:
      case 0x6:
      case 0x7:
        this.sid.registers[address & 0x1f] = value
        return
      case 0xc:
        this.cia1.write(address & 0x0f, value, this.clock)
        break
      case 0xd:
        this.cia2.write(address & 0x0f, value, this.clock)
        this.#updateBank()
        break
      case 0xe:
      case 0xf:
        return
      default:
        // There are four memory cells only; the high nibble reads 0 here, and at random on the real machine.
        this.colorRam[address & 0x3ff] = value & 0x0f
        return
    }
    this.#update()
  }

  save(): MachineImage {
    return {
      chips: {
        standard: this.standard,
        lineStart: this.#lineStart,
        cycle: this.#cycle,
        port: { ...this.space.port },
        cpu: this.cpu.save(),
        vic: this.vic.save(),
        cia1: structuredClone(this.cia1.state),
        cia2: structuredClone(this.cia2.state),
        sid: [...this.sid.registers],
        typing: [...this.#typing],
      },
      ram: this.space.ram.slice(),
      colorRam: this.colorRam.slice(),
    }
  }

  /** Takes on a saved machine. Of another video standard it takes all but the raster position. */
  restore({ chips, ram, colorRam }: MachineImage): void {
    this.space.ram.set(ram)
    this.colorRam.set(colorRam)
    this.space.port = chips.port
    this.cpu.restore(chips.cpu)
    this.vic.restore(chips.vic)
    this.cia1.state = structuredClone(chips.cia1)
    this.cia2.state = structuredClone(chips.cia2)
    this.sid.registers.set(chips.sid)
    this.#typing = [...chips.typing]
    this.#lineStart = chips.lineStart
    this.#cycle = chips.cycle
    this.#nmiLine = this.cia2.asserted
    this.#updateBank()
    const { registers } = this.vic
    const { picture } = renderPicture({ ...this.#videoMemory, registers, standard: this.standard })
    this.#pixels.set(unpackPixels(picture.pixels))
    this.#update()
  }

  #readCia(cia: Cia, address: number): number {
    const value = cia.read(address & 0x0f, this.clock)
    this.#update()
    return value
  }

  #runFreely(): void {
    const frame = this.#frames
    while (this.#frames === frame) {
      this.#runToEvent()
      this.#handleEvents()
    }
    this.#finishInstruction()
  }

  /** The instruction that it starts with is not looked at: a machine that stopped there can go on. */
  #runWatched(checkpoints: Checkpoints): Checkpoint | undefined {
    const { state } = this.cpu.core
    const frame = this.#frames
    this.space.onAccess = (address, operation) => checkpoints.note(address, operation)
    try {
      while (this.#frames === frame && this.jam === null) {
        checkpoints.begin(state.p)
        this.#finishInstruction(true)
        const stopped = checkpoints.end(state.p)
        if (stopped) return stopped
      }
      return undefined
    } finally {
      this.space.onAccess = undefined
    }
  }

  #runToEvent(): void {
    const { core } = this.cpu
    while (this.#cycle < this.#nextEvent) {
      core.cycle()
      this.#cycle++
    }
  }

  #finishInstruction(oneMore = false): void {
    if (this.cpu.atInstruction && !oneMore) return
    do {
      if (this.#cycle >= this.#nextEvent) this.#handleEvents()
      this.cpu.core.cycle()
      this.#cycle++
    } while (!this.cpu.atInstruction)
  }

  #handleEvents(): void {
    while (this.#cycle >= (this.#phaseEnds[this.vic.phase] ?? 0)) this.#endPhase()
    const now = this.clock
    this.cia1.advance(now)
    this.cia2.advance(now)
    this.#update()
  }

  #endPhase(): void {
    const { vic } = this
    const { video, registers, raster } = vic
    switch (vic.phase) {
      case 0:
        vic.badLine = video.beginLine(raster, registers, this.#videoMemory)
        vic.phase = 1
        // The CPU can change nothing while the VIC-II has the bus.
        if (vic.badLine) {
          this.#drawLine()
          this.#cycle += MATRIX_CYCLES
        }
        return
      case 1:
        this.#drawLine()
        return
      case 2: {
        const sprites = video.endLine(raster, registers, this.#videoMemory, vic.badLine)
        this.#cycle += spriteCycles[sprites] ?? 0
        vic.phase = 3
        return
      }
      default:
        this.#lineStart += this.#cyclesPerLine
        this.#cycle -= this.#cyclesPerLine
        vic.nextLine()
        if (vic.raster === this.#frameLine) this.#frames++
    }
  }

  #drawLine(): void {
    const { vic } = this
    const { video, raster } = vic
    const line = this.#lines[raster]
    if (!line) throw new RangeError(`there is no raster line ${raster}`)
    const { spriteCollisions, backgroundCollisions } = video
    video.drawLine(raster, vic.registers, this.#videoMemory, line)
    vic.noteCollisions(spriteCollisions, backgroundCollisions)
    vic.phase = 2
  }

  /** After anything that may have moved an interrupt line or the next event. */
  #update(): void {
    const { core } = this.cpu
    core.setInterrupt(this.vic.asserted || this.cia1.asserted)
    this.#noteNmi()
    const due = Math.min(this.cia1.nextEvent, this.cia2.nextEvent) - this.#lineStart
    this.#nextEvent = Math.min(due, this.#phaseEnds[this.vic.phase] ?? 0)
  }

  /** NMI is taken on the edge. */
  #noteNmi(): void {
    if (this.cia2.asserted && !this.#nmiLine) this.cpu.core.nmi()
    this.#nmiLine = this.cia2.asserted
  }

  #updateBank(): void {
    this.#videoMemory.bank = ~this.cia2.drivenA & 3
  }

  #noteRestore(): void {
    const restore = this.#keyboard.down.includes('restore')
    if (restore && !this.#restoreHeld && !this.cia2.asserted) this.cpu.core.nmi()
    this.#restoreHeld = restore
  }

  #feedKeys(): void {
    const { ram } = this.space
    if (this.#typing.length === 0 || !this.#keyboard.isSettled || ram[KEY_COUNT] !== 0) return
    const keys = this.#typing.splice(0, KEY_BUFFER_SIZE)
    ram.set(keys, KEY_BUFFER)
    ram[KEY_COUNT] = keys.length
  }
}

/**
 * For each set of sprites, one bit each, the cycles that fetching them takes from the CPU: two for each at its own time,
 * and the three before, in which the CPU may finish writing but not read. Those of near neighbours overlap.
 */
const spriteCycles = Uint8Array.from({ length: 256 }, (_, sprites) => {
  let cycles = 0
  for (let sprite = 0, free = -3; sprite < 8; sprite++) {
    if ((sprites & (1 << sprite)) === 0) continue
    const end = 2 * sprite + 2
    cycles += end - Math.max(free, end - 5)
    free = end
  }
  return cycles
})
