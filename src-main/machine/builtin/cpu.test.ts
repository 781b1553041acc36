import { describe, expect, test } from 'vitest'
import { CODE, prepare, type Start } from '../../../test/support/cpuOnRam'
import { Cpu, cpuSchema } from './cpu'

const IRQ = 0x3000
const NMI = 0x4000
const vectors = { 0xfffa: NMI & 0xff, 0xfffb: NMI >> 8, 0xfffe: IRQ & 0xff, 0xffff: IRQ >> 8 }
const NOP = 0xea
const CLI = 0x58
const SEI = 0x78

interface Lines {
  /** The cycle, counted from 0, in which IRQ is asserted, and from which on it no longer is. */
  readonly irq?: number
  readonly irqUntil?: number
  /** The cycles of edges on NMI. */
  readonly nmi?: number | readonly number[]
}

/**
 * Runs until a handler is reached, which is full of NOPs.
 * @returns the steps' program counters, and the cycles
 */
function interrupted(bytes: readonly number[], lines: Lines, start: Start = { flags: 0x20 }, steps = 8) {
  const { bus, cpu } = prepare([...bytes, ...Array<number>(16).fill(NOP)], {
    ...start,
    memory: { ...vectors, ...start.memory },
  })
  bus.ram.fill(NOP, IRQ, IRQ + 0x20)
  bus.ram.fill(NOP, NMI, NMI + 0x20)
  bus.onCycle = (cycle) => {
    if (cycle === lines.irq) cpu.irq = true
    if (cycle === lines.irqUntil) cpu.irq = false
    if ([lines.nmi].flat().includes(cycle)) cpu.nmi()
  }
  const path: number[] = []
  for (let step = 0; step < steps && cpu.pc >= CODE; step++) {
    path.push(cpu.pc)
    cpu.step()
  }
  return { bus, cpu, path, cycles: bus.cycles }
}

/** The offset of the instruction before which the interrupt was taken, and what took it. */
function taken(bytes: readonly number[], lines: Lines, start?: Start): string {
  const { cpu, path } = interrupted(bytes, lines, start)
  const handler = cpu.pc === IRQ ? 'IRQ' : cpu.pc === NMI ? 'NMI' : 'no'
  return `${handler} at ${(path.at(-1) ?? 0) - CODE}`
}

describe('An interrupt', () => {
  test('takes seven cycles and pushes the flags with the break flag clear', () => {
    const { cpu, cycles } = interrupted([NOP], { irq: 0 }, { flags: 0xe0 })
    expect(cycles.slice(2).join(', ')).toBe(
      'r C001 EA, r C001 EA, w 01F0 C0, w 01EF 01, w 01EE E0, r FFFE 00, r FFFF 30',
    )
    expect(cpu).toMatchObject({ pc: IRQ, sp: 0xed, flags: 0xe4 })
  })

  test('is taken after the instruction in whose last cycle but one it comes, at the latest', () => {
    // NOP takes the cycles 0 and 1, INC $1234 the cycles 2 to 7.
    const program = [NOP, 0xee, 0x34, 0x12, NOP]
    expect(taken(program, { irq: 0 })).toBe('IRQ at 1')
    expect(taken(program, { irq: 1 })).toBe('IRQ at 4')
    expect(taken(program, { irq: 6 })).toBe('IRQ at 4')
    expect(taken(program, { irq: 7 })).toBe('IRQ at 5')
    expect(taken(program, { nmi: 6 })).toBe('NMI at 4')
    expect(taken(program, { nmi: 7 })).toBe('NMI at 5')
  })

  test('is taken though the last cycle of the instruction acknowledged it', () => {
    expect(taken([0xad, 0x0d, 0xdc], { irq: 2, irqUntil: 3 })).toBe('IRQ at 3')
    expect(taken([0xad, 0x0d, 0xdc], { irq: 1, irqUntil: 2 })).toBe('no at 9')
  })

  test('waits for the instruction after a branch to the same page, if it comes in its second cycle', () => {
    const program = [0xd0, 0x00, NOP, NOP]
    expect(taken(program, { irq: 0 })).toBe('IRQ at 2')
    expect(taken(program, { irq: 1 })).toBe('IRQ at 3')
    expect(taken(program, { nmi: 1 })).toBe('NMI at 3')
    expect(taken(program, { irq: 2 })).toBe('IRQ at 3')
  })

  test('is taken after a branch to another page, if it comes in its third cycle', () => {
    const program = [NOP, 0xd0, 0x10, NOP]
    const at = CODE + 0xf0
    const branch = (irq: number) => {
      const { bus, cpu } = prepare([], { flags: 0x20, memory: vectors })
      bus.ram.fill(NOP, at, at + 0x80)
      bus.ram.set(program, at)
      cpu.pc = at
      bus.onCycle = (cycle) => {
        if (cycle === irq) cpu.irq = true
      }
      for (let step = 0; step < 3; step++) cpu.step()
      return cpu.pc
    }
    expect(branch(4)).toBe(IRQ)
    expect(branch(5)).toBe(at + 0x14)
  })

  test('that is asserted already is taken one instruction after CLI, but right before what follows SEI', () => {
    expect(taken([CLI, NOP, NOP], { irq: 0 }, { flags: 0x24 })).toBe('IRQ at 2')
    expect(taken([CLI, SEI, NOP], { irq: 0 }, { flags: 0x24 })).toBe('IRQ at 2')
    const { bus } = interrupted([SEI, NOP], { irq: 0 }, { flags: 0x20 })
    expect(bus.ram[0x01ee]).toBe(0x24)
    expect(taken([SEI, NOP], { irq: 1 }, { flags: 0x20 })).toBe('no at 7')
  })

  test('is taken one instruction after a PLP that allows it, but right after such an RTI', () => {
    const memory = { 0x01f1: 0x20, 0x01f2: CODE & 0xff, 0x01f3: CODE >> 8 }
    expect(taken([0x28, NOP, NOP], { irq: 0 }, { flags: 0x24, memory })).toBe('IRQ at 2')
    expect(taken([0x40], { irq: 0 }, { flags: 0x24, memory })).toBe('IRQ at 0')
  })

  test('does not come before the first instruction of a handler has run', () => {
    const { cpu, path, bus } = interrupted([NOP], { irq: 0, nmi: 7 }, { flags: 0x20 })
    expect([cpu.pc, path.length]).toEqual([IRQ, 2])
    cpu.step()
    expect(cpu.pc).toBe(IRQ + 1)
    cpu.step()
    expect([cpu.pc, bus.ram[0x01ec]]).toEqual([NMI, (IRQ & 0xff) | 1])
  })
})

describe('An NMI', () => {
  test('is taken once for each edge, also while interrupts are off', () => {
    const { cpu } = interrupted([NOP], { nmi: 0 }, { flags: 0x24 })
    expect(cpu.pc).toBe(NMI)
    for (let step = 0; step < 4; step++) cpu.step()
    expect(cpu.pc).toBe(NMI + 4)
  })

  test('is taken again for an edge that comes while the one before is taken', () => {
    // The sequence takes the cycles 2 to 8.
    const { cpu } = interrupted([NOP], { nmi: [0, 3] }, { flags: 0x24 })
    cpu.step()
    expect(cpu.pc).toBe(NMI + 1)
    cpu.step()
    expect(cpu.pc).toBe(NMI)
  })

  test('goes before an IRQ', () => {
    expect(taken([NOP], { irq: 0, nmi: 0 })).toBe('NMI at 1')
  })

  test('up to the fourth cycle takes the vector of an IRQ', () => {
    // The sequence takes the cycles 2 to 8.
    expect(taken([NOP], { irq: 0, nmi: 5 })).toBe('NMI at 1')
    expect(taken([NOP], { irq: 0, nmi: 6 })).toBe('IRQ at 1')
  })

  test('up to the fourth cycle takes the vector of a BRK, whose break flag is on the stack', () => {
    const { cpu, bus } = interrupted([0x00], { nmi: 3 })
    expect([cpu.pc, bus.ram[0x01ee]]).toEqual([NMI, 0x30])
    expect(taken([0x00], { nmi: 4 })).toBe('IRQ at 0')
  })
})

describe('A read that waits', () => {
  /** Where the CPU is after two steps, if an IRQ comes in cycle `irq`. */
  const afterWaiting = (bytes: readonly number[], flags: number, irq: number) => {
    // The second cycle waits for the cycles 1 to 3 and reads in cycle 4.
    const { bus, cpu } = prepare([...bytes, NOP, NOP], { flags, memory: vectors, wait: [1, 3] })
    bus.onWait = () => cpu.repoll()
    bus.onCycle = (cycle) => {
      if (cycle === irq) cpu.irq = true
    }
    cpu.step()
    cpu.step()
    return cpu.pc
  }

  test('goes on looking at the interrupt inputs, if it is the last cycle of the instruction', () => {
    expect(afterWaiting([NOP], 0x20, 3)).toBe(IRQ)
    expect(afterWaiting([NOP], 0x20, 4)).toBe(CODE + 2)
  })

  test('lets CLI and SEI take effect before they end', () => {
    expect(afterWaiting([CLI], 0x24, 3)).toBe(IRQ)
    expect(afterWaiting([SEI], 0x20, 0)).toBe(IRQ)
    expect(afterWaiting([SEI], 0x20, 1)).toBe(CODE + 2)
  })
})

describe('A reset', () => {
  test('takes seven cycles that write nothing, and turns interrupts off', () => {
    const { bus, cpu } = prepare([], { flags: 0xeb, memory: { 0xfffc: 0x34, 0xfffd: 0x12, 0x1234: NOP } })
    cpu.irq = true
    cpu.nmi()
    cpu.reset()
    cpu.step()
    expect(bus.cycles.join(', ')).toBe('r C000 00, r C000 00, r 01F0 00, r 01EF 00, r 01EE 00, r FFFC 34, r FFFD 12')
    expect(cpu).toMatchObject({ pc: 0x1234, sp: 0xed, flags: 0xef, a: 0xa5 })
    cpu.step()
    expect(cpu.pc).toBe(0x1235)
  })
})

describe('A saved CPU', () => {
  test('goes on where it was, with the interrupt that was decided', () => {
    const { bus, cpu } = prepare([NOP, NOP], { flags: 0x20, memory: vectors })
    cpu.irq = true
    cpu.step()
    const state = cpuSchema.parse(JSON.parse(JSON.stringify(cpu.save())))

    const other = new Cpu(bus)
    other.restore(state)
    expect(other.save()).toEqual(state)
    other.step()
    expect(other.pc).toBe(IRQ)
  })

  test('has bit 5 of its flags set and the break flag clear, whatever it was given', () => {
    const { cpu } = prepare([], { flags: 0x91 })
    expect(cpu.flags).toBe(0xa1)
  })
})
