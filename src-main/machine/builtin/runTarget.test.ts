import { beforeEach, describe, expect, it } from 'vitest'
import type { RunTarget } from '@shared/contract/running'
import { C64 } from './c64'
import { Checkpoints } from './checkpoints'
import { runTarget } from './runTarget'

const START = 0xe000
const HANDLER = 0xe100
const NMI_HANDLER = 0xe200

/** Timer A of the CIA at `page` interrupts every 1,000 cycles. */
const timer = (page: number): number[] => [
  0xa9,
  0xe8,
  0x8d,
  0x04,
  page,
  0xa9,
  0x03,
  0x8d,
  0x05,
  page,
  0xa9,
  0x81,
  0x8d,
  0x0d,
  page,
  0xa9,
  0x11,
  0x8d,
  0x0e,
  page,
]

/** Runs `code` again and again. */
function machineWith(code: number[], handler: number[] = [0x40]): C64 {
  const kernal = new Uint8Array(0x2000).fill(0xea)
  kernal.set([...code, 0x4c, (START + code.length) & 0xff, (START + code.length) >> 8])
  kernal.set(handler, HANDLER - START)
  kernal.set([0x2c, 0x0d, 0xdd, 0x40], NMI_HANDLER - START) // BIT $DD0D; RTI
  kernal.set([NMI_HANDLER & 0xff, NMI_HANDLER >> 8, START & 0xff, START >> 8, HANDLER & 0xff, HANDLER >> 8], 0x1ffa)
  return new C64({ kernal, basic: new Uint8Array(0x2000), character: new Uint8Array(0x1000) }, 'pal')
}

let machine: C64
beforeEach(() => {
  machine = machineWith([0xe8, 0xee, 0x20, 0xd0, 0x4c, 0x00, 0xe0]) // INX; INC $D020; JMP $E000
})

const noCheckpoints = new Checkpoints()

/** Within three frames. */
function runTo(to: RunTarget, checkpoints = noCheckpoints): boolean {
  const follower = runTarget(to, machine)
  for (let frame = 0; frame < 3; frame++) {
    const { hit, isDone } = machine.runFollowed(checkpoints, follower)
    if (hit) return false
    if (isDone) return true
  }
  return false
}

describe('running to the return of a routine', () => {
  it('knows it by the stack where the stack pointer wraps', () => {
    // LDX #1; TXS; $E003 JSR $E009; JMP $E000; $E009 NOP; RTS
    machine = machineWith([0xa2, 0x01, 0x9a, 0x20, 0x09, 0xe0, 0x4c, 0x00, 0xe0, 0xea, 0x60])
    runTo(0xe009)
    expect(machine.cpu.sp).toBe(0xff)
    expect(runTo('return')).toBe(true)
    expect(machine.cpu.pc).toBe(0xe006)
  })

  // $E000 JSR $E007; INX; JMP $E000; $E007 PHA; JSR $E00D; PLA; RTS; $E00D LDX #0; RTS
  const code = [0x20, 0x07, 0xe0, 0xe8, 0x4c, 0x00, 0xe0, 0x48, 0x20, 0x0d, 0xe0, 0x68, 0x60, 0xa2, 0x00, 0x60]
  const startAt = (pc: number): void => {
    machine = machineWith(code)
    expect(runTo(pc)).toBe(true)
  }

  it('passes the calls within it, and stops behind the call of it', () => {
    for (const pc of [0xe007, 0xe008, 0xe00b, 0xe00c]) {
      startAt(pc)
      expect(runTo('return')).toBe(true)
      expect(machine.cpu.pc).toBe(0xe003)
    }
  })

  it('stops within the routine that called it', () => {
    startAt(0xe00d)
    expect(runTo('return')).toBe(true)
    expect(machine.cpu.pc).toBe(0xe00b)
    expect(runTo('return')).toBe(true)
    expect(machine.cpu.pc).toBe(0xe003)
  })

  it('of an interrupt goes on where that was taken, and is no stop within a routine', () => {
    machine = machineWith([...timer(0xdc), 0x58], [0x2c, 0x0d, 0xdc, 0x40]) // CLI; BIT $DC0D; RTI
    const { sp } = machine.cpu
    expect(runTo('irq')).toBe(true)
    expect(runTo('return')).toBe(true)
    expect([machine.cpu.sp, machine.cpu.pc < HANDLER]).toEqual([sp, true])
    expect(runTo('return')).toBe(false)
  })
})

describe('running to somewhere', () => {
  it('stops before the instruction at an address, and comes there again', () => {
    for (const x of [1, 2, 3]) {
      expect(runTo(0xe001)).toBe(true)
      expect([machine.cpu.pc, machine.cpu.x]).toEqual([0xe001, x])
    }
  })

  it('stops with the first instruction of the next raster line, one line after the other', () => {
    machine.runFrame()
    for (let count = 0; count < 400; count++) {
      const [line, clock] = [machine.rasterLine, machine.clock]
      expect(runTo('line')).toBe(true)
      expect(machine.rasterLine).toBe((line + 1) % 312)
      expect(machine.lineCycle).toBeLessThan(9)
      expect(machine.clock - clock).toBeLessThan(63 + 9)
    }
  })

  it('stops with the first instruction of the next frame', () => {
    for (let count = 0; count < 3; count++) {
      const { clock } = machine
      expect(runTo('frame')).toBe(true)
      expect([machine.rasterLine, machine.lineCycle < 9]).toEqual([0, true])
      if (count > 0) expect(Math.abs(machine.clock - clock - 312 * 63)).toBeLessThan(9)
    }
  })

  it('stops at the first instruction of an IRQ’s handler, and not at a BRK', () => {
    machine = machineWith([...timer(0xdc), 0x58], [0x2c, 0x0d, 0xdc, 0x40]) // CLI; BIT $DC0D; RTI
    for (let count = 0; count < 3; count++) {
      expect(runTo('irq')).toBe(true)
      expect(machine.cpu.pc).toBe(HANDLER)
    }
    machine = machineWith([0x00, 0xea, 0x4c, 0x00, 0xe0]) // BRK again and again
    expect(runTo('irq')).toBe(false)
    expect(runTo('nmi')).toBe(false)
  })

  it('stops at the first instruction of an NMI’s handler', () => {
    machine = machineWith(timer(0xdd))
    expect(runTo('irq')).toBe(false)
    expect(runTo('nmi')).toBe(true)
    expect(machine.cpu.pc).toBe(NMI_HANDLER)
  })

  it('stops at a checkpoint on the way', () => {
    const checkpoints = new Checkpoints()
    const at = { start: 0xe001, end: 0xe001, operations: ['exec' as const], stop: true, enabled: true }
    checkpoints.set({ ...at, temporary: true, condition: null, fromHit: 1, log: null })
    expect(runTo('frame', checkpoints)).toBe(false)
    expect(machine.cpu.pc).toBe(0xe001)
    expect(runTo('frame', checkpoints)).toBe(true)
  })

  it('changes nothing in what the machine does', () => {
    const free = machineWith([0xe8, 0xee, 0x20, 0xd0, 0x4c, 0x00, 0xe0])
    runTo('frame')
    free.runTo(machine.clock)
    machine.peekIo()
    free.peekIo()
    expect(machine.save()).toEqual(free.save())
  })
})
