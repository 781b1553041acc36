/** A CPU with nothing but RAM on its bus, for the tests of single instructions. */
import { Cpu } from '../../src-main/machine/builtin/cpu'
import { RecordingBus } from './recordingBus'

export const CODE = 0xc000

export interface Start {
  readonly flags?: number
  readonly a?: number
  readonly x?: number
  readonly y?: number
  readonly memory?: Readonly<Record<number, number>>
  /** The cycle, counted from 0, whose read has to wait, and for how many cycles. */
  readonly wait?: readonly [cycle: number, cycles: number]
}

/** A CPU that is about to run `bytes` at $C000, with SP $F0 and, unless given, A $A5, X $10 and Y $20. */
export function prepare(bytes: readonly number[], { memory = {}, wait, ...registers }: Start = {}) {
  const bus = new RecordingBus()
  const cpu = new Cpu(bus)
  cpu.restore({ ...cpu.save(), a: 0xa5, x: 0x10, y: 0x20, pc: CODE, sp: 0xf0, ...registers })
  bus.ram.set(bytes, CODE)
  if (wait) bus.waits = (cycle) => (cycle === wait[0] ? wait[1] : 0)
  for (const [address, byte] of Object.entries(memory)) bus.ram[Number(address)] = byte
  return { bus, cpu }
}

/** Runs one instruction. */
export function run(bytes: readonly number[], start: Start = {}) {
  const { bus, cpu } = prepare(bytes, start)
  cpu.step()
  return { bus, cpu, cycles: bus.cycles }
}
