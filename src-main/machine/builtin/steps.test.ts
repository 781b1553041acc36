import { describe, expect, it } from 'vitest'
import { LOOP_FOREVER, romsWith } from '../../../test/support/tinyRom'
import { C64 } from './c64'
import { Checkpoints } from './checkpoints'
import { Steps } from './steps'

/** $E000 LDX #sp; TXS; $E003 JSR $E010; $E006 loops. `routine` is at $E010, `inner` at $E020. */
function atCall(routine: readonly number[], inner: readonly number[] = [0x60], sp = 0xff): C64 {
  const code = [0xa2, sp, 0x9a, 0x20, 0x10, 0xe0, ...LOOP_FOREVER(0xe006)]
  const padded = [...code, ...Array<number>(0x10 - code.length).fill(0xea), ...routine]
  const machine = new C64(romsWith([...padded, ...Array<number>(0x20 - padded.length).fill(0xea), ...inner]), 'pal')
  machine.step(2)
  expect(machine.cpu.pc).toBe(0xe003)
  return machine
}

function step(machine: C64, count: number, over: boolean, checkpoints = new Checkpoints()) {
  const steps = new Steps(machine, count, over)
  for (;;) {
    const { hit, isDone } = machine.runFollowed(checkpoints, steps)
    if (hit || isDone || machine.jam !== null) return { hit, steps }
  }
}

describe('stepping over a routine', () => {
  it('stops behind its call, and without that steps into it', () => {
    const machine = atCall([0xa9, 0x01, 0x60])
    step(machine, 1, true)
    expect(machine.cpu.pc).toBe(0xe006)
    const other = atCall([0xa9, 0x01, 0x60])
    step(other, 1, false)
    expect(other.cpu.pc).toBe(0xe010)
  })

  it('counts the whole of it as one step', () => {
    const machine = atCall([0x60])
    step(machine, 3, true)
    expect(machine.cpu.pc).toBe(0xe006)
    const { clock } = machine
    step(machine, 1, true)
    expect(machine.clock).toBe(clock + 3)
  })

  it('passes its own calls and recursion', () => {
    // LDA #3; $E012 SEC; SBC #1; BEQ to RTS; JSR $E012; RTS
    const machine = atCall([0xa9, 0x03, 0x38, 0xe9, 0x01, 0xf0, 0x03, 0x20, 0x12, 0xe0, 0x60])
    step(machine, 1, true)
    expect([machine.cpu.pc, machine.cpu.a]).toEqual([0xe006, 0])
  })

  it('passes them with a stack pointer that wraps', () => {
    const machine = atCall([0x20, 0x20, 0xe0, 0xa9, 0x07, 0x60], [0x60], 0x01)
    step(machine, 1, true)
    expect([machine.cpu.pc, machine.cpu.sp, machine.cpu.a]).toEqual([0xe006, 0x01, 7])
  })

  it('stops where it returns behind data that follows the call', () => {
    // PLA; CLC; ADC #3; PHA; RTS
    const machine = atCall([0x68, 0x18, 0x69, 0x03, 0x48, 0x60])
    step(machine, 1, true)
    expect(machine.cpu.pc).toBe(0xe009)
  })

  it('stops where it returns to its caller’s caller', () => {
    const machine = atCall([0x20, 0x20, 0xe0, 0xea], [0x68, 0x68, 0x60])
    step(machine, 1, false)
    step(machine, 1, true)
    expect(machine.cpu.pc).toBe(0xe006)
  })

  it('stops at a checkpoint in it, and at a jam', () => {
    const machine = atCall([0xa9, 0x01, 0x60])
    const checkpoints = new Checkpoints()
    checkpoints.set({
      ...{ start: 0xe012, end: 0xe012, operations: ['exec'], condition: null, fromHit: 1, log: null },
      ...{ stop: true, enabled: true, temporary: false },
    })
    expect(step(machine, 1, true, checkpoints).hit).toMatchObject({ checkpoint: 1 })
    expect(machine.cpu.pc).toBe(0xe012)
    const jammed = atCall([0x02])
    step(jammed, 1, true)
    expect(jammed.jam).not.toBeNull()
  })

  it('ends after ten seconds of the machine in one that does not return', () => {
    const machine = atCall(LOOP_FOREVER(0xe010))
    const { steps } = step(machine, 1, true)
    expect(steps.notReturned).toBe(0xe003)
    expect(machine.cpu.pc).toBe(0xe010)
  })
})
