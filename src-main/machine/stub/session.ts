import { AppError } from '@shared/contract/errors'
import type { Register, Space } from '@shared/contract/memory'
import type { DeviceSession } from '../deviceMachine'
import type { MemoryRange } from '../machine'
import { romIsReadOnly } from '../refusals'
import type { StubClient } from './client'
import {
  DATA_PER_PART,
  hello,
  hold,
  MAX_READ_BYTES,
  MAX_WRITE_BYTES,
  readBytes,
  readRegisters,
  stubSpeeds,
  writeBytes,
  type CpuRegisters,
  type Hello,
} from './codec'
import { mapRange } from './memory'

/** Longest stop of the program for one read; longer reads are split. */
const MAX_STOP_S = 0.4
const BITS_PER_BYTE = 10

export const readPiece = (baud: number): number =>
  Math.min(
    Math.floor(MAX_READ_BYTES / DATA_PER_PART),
    Math.ceil(((baud / BITS_PER_BYTE) * MAX_STOP_S) / DATA_PER_PART),
  ) * DATA_PER_PART

export class StubSession implements DeviceSession {
  readonly client: StubClient
  #hello: Hello

  constructor(client: StubClient, greeting: Hello) {
    this.client = client
    this.#hello = greeting
  }

  get hello(): Hello {
    return this.#hello
  }

  get silence(): DeviceSession['silence'] {
    if (!this.client.silent) return null
    return {
      message: 'The stub does not answer: a program uses the NMI or the stub’s memory, or the cable is unplugged.',
      hint: `Start it again on the C64 with SYS ${this.#hello.start + speedEntry(this.#hello)}; Bridgedeck then resumes automatically.`,
    }
  }

  onLost(listener: (reason: AppError) => void): void {
    this.client.onClose(listener)
  }

  get held(): boolean {
    return this.#hello.held
  }

  /** The stub may have been restarted, so it is asked to identify itself again. */
  async greet(signal: AbortSignal): Promise<void> {
    this.#hello = await this.client.request(hello(), signal)
  }

  async setHeld(held: boolean, signal: AbortSignal): Promise<void> {
    await this.client.request(hold(held), signal)
    this.#hello = { ...this.#hello, held }
  }

  async read(range: MemoryRange, signal: AbortSignal): Promise<Uint8Array> {
    const piece = readPiece(this.client.baud)
    const bytes = new Uint8Array(range.length)
    for (const { mapping, address, length } of mapRange(range, await this.#mappingFor(range.space, signal))) {
      for (let at = 0; at < length; at += piece) {
        const request = readBytes(mapping, address + at, Math.min(piece, length - at))
        bytes.set(await this.client.request(request, signal), address + at - range.address)
      }
    }
    return range.space === 'colorRam' ? bytes.map((byte) => byte & 0x0f) : bytes
  }

  async write(space: Space, address: number, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    if (space === 'rom') throw romIsReadOnly()
    const ranges = mapRange({ space, address, length: bytes.length }, await this.#mappingFor(space, signal))
    for (const { mapping, address: from, length } of ranges) {
      for (let at = 0; at < length; at += MAX_WRITE_BYTES) {
        const start = from + at - address
        const piece = bytes.subarray(start, start + Math.min(MAX_WRITE_BYTES, length - at))
        await this.client.request(writeBytes(mapping, from + at, piece), signal)
      }
    }
  }

  async #mappingFor(space: Space, signal: AbortSignal): Promise<number> {
    return space === 'cpu' ? cpuMapping(await this.client.request(readRegisters(), signal)) : 0
  }
}

/** A line of `$01` that is an input reads as 1. */
export const cpuMapping = ({ port, direction }: CpuRegisters): number => (port | ~direction) & 0b111

const names = { PC: 'pc', A: 'a', X: 'x', Y: 'y', SP: 'sp', FL: 'p', '00': 'direction', '01': 'port' } as const

type RegisterName = keyof typeof names

const isRegister = (name: string): name is RegisterName => Object.hasOwn(names, name)
const bitsOf = (name: string): number => (name === 'PC' ? 16 : 8)

export const registersOf = (registers: CpuRegisters): Register[] =>
  Object.entries(names).map(([name, key]) => ({ name, value: registers[key], bits: bitsOf(name) }))

/** @throws AppError INVALID for an unknown register or a value that does not fit */
export function withRegister(registers: CpuRegisters, name: string, value: number): CpuRegisters {
  if (!isRegister(name))
    throw new AppError('INVALID', `The CPU has no register ${name}.`, {
      hint: `Registers: ${Object.keys(names).join(', ')}.`,
    })
  if (value >= 2 ** bitsOf(name))
    throw new AppError('INVALID', `${name} has ${bitsOf(name)} bits; ${value} does not fit.`)
  return { ...registers, [names[name]]: value }
}

/** The stub's entry points are three bytes apart, in the order of their speeds. */
const speedEntry = ({ baud }: Hello): number => stubSpeeds.indexOf(baud) * 3
