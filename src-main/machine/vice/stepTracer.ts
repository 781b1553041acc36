import { ALL_PINS, pinsOf } from '@shared/c64/banking'
import { instructionLength } from '@shared/c64/disassembler'
import type { Space, Register } from '@shared/contract/memory'
import type { Trace, Traced } from '@shared/contract/running'
import type { RunCommand } from './borrowedResources'
import { findRegister } from './checkpoints'
import type { Send } from './client'
import { readRegisters, type RegisterValue } from './commands'
import { stackBefore } from './interruptStops'
import { readRasterSize, type RasterSize } from './raster'
import type { RunControl } from './runControl'

const STEPS_AT_ONCE = 500
const MAX_STEPS = 20_000
const STEP_DEADLINE_MS = 4_000

const NMI_VECTOR = 0xfffa
const NO_INTERRUPTS = 0x04
const FLAGS_PUSHED = 0xef

interface SteppedSession {
  readonly runControl: RunControl
  readonly command: RunCommand
  read(send: Send, space: Space, address: number, length: number): Promise<Uint8Array>
  nameValues(values: readonly RegisterValue[]): Register[]
}

type Place = Omit<Traced, 'clock' | 'bytes' | 'interrupt' | 'line' | 'lineCycle'> & {
  readonly line: number
  readonly lineCycle: number
}

export class StepTracer {
  readonly #session: SteppedSession
  #ended: Place | undefined

  constructor(session: SteppedSession) {
    this.#session = session
  }

  async trace(count: number, frames: number | null, signal: AbortSignal): Promise<Trace> {
    const { runControl, command } = this.#session
    runControl.requireNoJam()
    const raster = await readRasterSize(command, signal)
    const cyclesPerFrame = raster.cyclesPerLine * raster.linesPerFrame
    const maxCycles = frames === null ? Infinity : Math.round(frames * cyclesPerFrame)
    await runControl.pause(signal)
    let place = this.#placeOf(await command((send) => send(readRegisters()), signal))
    let isNext = this.#ended !== undefined && samePlace(this.#ended, place)
    const traced: Traced[] = []
    let cycles = 0
    let stoppedBy: Trace['stoppedBy'] = null
    while (traced.length < Math.min(count, STEPS_AT_ONCE) && cycles < maxCycles && stoppedBy === null) {
      const step = await this.#step(place, isNext, signal)
      const executed = runControl.execution === 'jammed' || !samePlace(step.place, place) || !step.isStopped
      if (executed) traced.push(instruction(place, step.bytes))
      if (executed && tookInterrupt(place, step)) traced.push(await this.#interrupt(step.place, signal))
      cycles += cyclesBetween(place, step.place, raster)
      if (runControl.execution === 'jammed') stoppedBy = 'jam'
      else if (step.isStopped) stoppedBy = 'checkpoint'
      place = step.place
      isNext = true
    }
    this.#ended = place
    return { traced, cycles, cyclesPerFrame, stoppedBy, limit: MAX_STEPS }
  }

  async #step(place: Place, isNext: boolean, signal: AbortSignal): Promise<Step> {
    const { runControl } = this.#session
    let read: Promise<Uint8Array> = Promise.resolve(new Uint8Array(0))
    const before = (send: Send): void => {
      read = this.#readCode(send, place.pc)
    }
    const isStopped = await runControl.step(1, false, signal, STEP_DEADLINE_MS, { before, isNext })
    return { bytes: await read, isStopped, place: this.#placeOf(runControl.registers) }
  }

  async #readCode(send: Send, pc: number): Promise<Uint8Array> {
    const length = Math.min(3, 0x10000 - pc)
    const parts = [this.#session.read(send, 'cpu', pc, length)]
    if (length < 3) parts.push(this.#session.read(send, 'cpu', 0, 3 - length))
    return new Uint8Array(Buffer.concat(await Promise.all(parts)))
  }

  async #interrupt(taken: Place, signal: AbortSignal): Promise<Traced> {
    const [stack, vectors] = await this.#session.command(
      (send) =>
        Promise.all([this.#session.read(send, 'cpu', 0x0100, 0x100), this.#session.read(send, 'cpu', NMI_VECTOR, 6)]),
      signal,
    )
    const [flags = 0, low = 0, high = 0] = [1, 2, 3].map((above) => stack[(taken.sp + above) & 0xff])
    const [nmiLow = 0, nmiHigh = 0, , , irqLow = 0, irqHigh = 0] = vectors
    const isNmi = taken.pc === (nmiLow | (nmiHigh << 8))
    const isIrq = taken.pc === (irqLow | (irqHigh << 8))
    return {
      clock: null,
      pc: low | (high << 8),
      bytes: [],
      interrupt: isNmi && isIrq ? 'either' : isNmi ? 'nmi' : 'irq',
      a: taken.a,
      x: taken.x,
      y: taken.y,
      sp: stackBefore(taken),
      flags: flags & FLAGS_PUSHED,
      line: null,
      lineCycle: null,
      pins: taken.pins,
    }
  }

  #placeOf(values: readonly RegisterValue[]): Place {
    const registers = this.#session.nameValues(values)
    const value = (name: string): number => findRegister(registers, name) ?? 0
    return {
      pc: value('PC'),
      a: value('A'),
      x: value('X'),
      y: value('Y'),
      sp: value('SP'),
      flags: value('FL'),
      line: value('LIN'),
      lineCycle: value('CYC'),
      pins: pinsOf(registers) ?? ALL_PINS,
    }
  }
}

interface Step {
  readonly bytes: Uint8Array
  readonly isStopped: boolean
  readonly place: Place
}

const instruction = (place: Place, code: Uint8Array): Traced => ({
  ...place,
  clock: null,
  bytes: [...code.subarray(0, instructionLength(code[0] ?? 0))],
  interrupt: null,
})

const samePlace = (a: Place, b: Place): boolean => a.pc === b.pc && a.line === b.line && a.lineCycle === b.lineCycle

function cyclesBetween(from: Place, to: Place, { cyclesPerLine, linesPerFrame }: RasterSize): number {
  const position = ({ line, lineCycle }: Place): number => line * cyclesPerLine + lineCycle
  const period = cyclesPerLine * linesPerFrame
  return (position(to) - position(from) + period) % period
}

const stackMoves: Readonly<Record<number, number>> = {
  0x48: -1,
  0x08: -1,
  0x68: 1,
  0x28: 1, // PHA, PHP, PLA, PLP
  0x20: -2,
  0x60: 2,
  0x40: 3,
  0x00: -3, // JSR, RTS, RTI, BRK
}
const TXS = 0x9a
/** TAS and LAS set it to an unpredictable value. */
const unknownMoves: readonly number[] = [0x9b, 0xbb]

/** VICE takes an interrupt in the same step as the instruction before it, which leaves the stack three bytes lower. */
function tookInterrupt({ x, sp }: Place, { bytes: [opcode = 0], place }: Step): boolean {
  if (unknownMoves.includes(opcode) || (place.flags & NO_INTERRUPTS) === 0) return false
  const expected = opcode === TXS ? x : sp + (stackMoves[opcode] ?? 0)
  return place.sp === ((expected - 3) & 0xff)
}
