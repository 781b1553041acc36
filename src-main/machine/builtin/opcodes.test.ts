import { describe, expect, test } from 'vitest'
import { RecordingBus } from '../../../test/support/recordingBus'
import { Cpu } from './cpu'

const CODE = 0xc000

/** Runs one instruction at $C000 with $10 in X and $20 in Y. @returns its cycles */
function run(bytes: readonly number[], memory: Readonly<Record<number, number>> = {}, registers: Partial<Cpu> = {}) {
  const bus = new RecordingBus()
  const cpu = new Cpu(bus)
  cpu.restore({ ...cpu.save(), pc: CODE, x: 0x10, y: 0x20, sp: 0xf0 })
  Object.assign(cpu, registers)
  bus.ram.set(bytes, CODE)
  for (const [address, byte] of Object.entries(memory)) bus.ram[Number(address)] = byte
  cpu.step()
  return { cpu, cycles: bus.cycles }
}

describe('Every cycle of an instruction is on the bus', () => {
  const cases: Record<string, [bytes: number[], cycles: string[], memory?: Record<number, number>]> = {
    immediate: [
      [0xa9, 0x01],
      ['r C000 A9', 'r C001 01'],
    ],
    'implied reads the next opcode': [
      [0xe8, 0x55],
      ['r C000 E8', 'r C001 55'],
    ],
    'zero page': [
      [0xa5, 0x80],
      ['r C000 A5', 'r C001 80', 'r 0080 00'],
    ],
    'zero page, indexed, reads the base first': [
      [0xb5, 0xf8],
      ['r C000 B5', 'r C001 F8', 'r 00F8 00', 'r 0008 07'],
      { 0x08: 0x07 },
    ],
    'absolute, indexed, within the page': [
      [0xbd, 0x00, 0x30],
      ['r C000 BD', 'r C001 00', 'r C002 30', 'r 3010 00'],
    ],
    'absolute, indexed, into the next page': [
      [0xbd, 0xf8, 0x30],
      ['r C000 BD', 'r C001 F8', 'r C002 30', 'r 3008 00', 'r 3108 00'],
    ],
    'absolute, indexed, beyond $FFFF': [
      [0xbd, 0xf8, 0xff],
      ['r C000 BD', 'r C001 F8', 'r C002 FF', 'r FF08 00', 'r 0008 00'],
    ],
  }
  test.each(Object.entries(cases))('%s', (_name, [bytes, cycles, memory]) => {
    expect(run(bytes, memory).cycles).toEqual(cycles)
  })
})
