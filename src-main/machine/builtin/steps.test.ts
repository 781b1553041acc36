import { describe, expect, it } from 'vitest'
import { LOOP_FOREVER, romsWith } from '../../../test/support/tinyRom'
import { C64 } from './c64'
import { Checkpoints } from './checkpoints'
import { Steps } from './steps'

/** $E000 LDX #sp; TXS; $E003 JSR $E010; $E006 loops. `routine` is at $E010, `inner` at $E020. */
function atCall(routine: readonly number[], inner: readonly number[] = [0x60], sp = 0xff): C64 {
  const code = [0xa2, sp, 0x9a, 0x20, 0x10, 0xe0, ...LOOP_FOREVER(0xe006)]
  const padded = [...code, ...Array<number>(0x10 - code.length).fill(0xea), ...routine]
  return afterStack([...padded, ...Array<number>(0x20 - padded.length).fill(0xea), ...inner])
}

/** `code` begins with LDX and TXS. */
function afterStack(code: readonly number[]): C64 {
  const machine = new C64(romsWith(code), 'pal')
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
      start: 0xe012,
      end: 0xe012,
      operations: ['exec'],
      condition: null,
      fromHit: 1,
      log: null,
      stop: true,
      enabled: true,
      temporary: false,
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
    expect(steps.timedOut).toEqual({ done: 0, call: 0xe003 })
    expect(machine.cpu.pc).toBe(0xe010)
  })

  it('gives a routine the ten seconds from its own call on', () => {
    // $E000 LDX #$FF; TXS; JSR $E009; JSR $E010; $E009 two loops of 256; RTS; $E010 loops
    const delay = [0xe8, 0xd0, 0xfd, 0xc8, 0xd0, 0xfa, 0x60]
    const code = [0xa2, 0xff, 0x9a, 0x20, 0x09, 0xe0, 0x20, 0x10, 0xe0, ...delay, ...LOOP_FOREVER(0xe010)]
    const machine = afterStack(code)
    step(machine, 1, true)
    const { clock: called } = machine
    const other = afterStack(code)
    expect(step(other, 2, true).steps.timedOut).toEqual({ done: 1, call: 0xe006 })
    expect(other.clock - called).toBeGreaterThanOrEqual(10_000_000)
  })

  it('ends after ten seconds of the machine in all, with the number of steps that were done', () => {
    // $E000 LDX #$FF; TXS; $E003 JSR $E009; JMP $E003; $E009 LDA #$F0; STA $02; $E00D two loops of 256; INC $02; BNE $E00D; RTS
    const delay = [0xa9, 0xf0, 0x85, 0x02, 0xe8, 0xd0, 0xfd, 0xc8, 0xd0, 0xfa, 0xe6, 0x02, 0xd0, 0xf6, 0x60]
    const machine = afterStack([0xa2, 0xff, 0x9a, 0x20, 0x09, 0xe0, 0x4c, 0x03, 0xe0, ...delay])
    const { steps } = step(machine, 2000, true)
    expect(steps.timedOut).toEqual({ done: 3, call: null })
    expect(machine.cpu.pc).toBe(0xe006)
  })
})
