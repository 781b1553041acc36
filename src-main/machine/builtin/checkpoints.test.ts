import { beforeEach, describe, expect, it } from 'vitest'
import { romsWith } from '../../../test/support/tinyRom'
import { C64 } from './c64'
import type { WantedCheckpoint } from '../facets'
import { Checkpoints } from './checkpoints'

/** LDX #0: INX: STX $0400: LDA $0400: INC $D020: JMP to INX */
const CODE = [0xa2, 0x00, 0xe8, 0x8e, 0x00, 0x04, 0xad, 0x00, 0x04, 0xee, 0x20, 0xd0, 0x4c, 0x02, 0xe0]
const kernal = new Uint8Array(0x2000)
kernal.set(CODE)
kernal.set([0x00, 0xe0, 0x00, 0xe0, 0x00, 0xe0], 0x1ffa)

let machine: C64
let checkpoints: Checkpoints
beforeEach(() => {
  machine = new C64({ kernal, basic: new Uint8Array(0x2000), character: new Uint8Array(0x1000) }, 'pal')
  checkpoints = new Checkpoints()
})

const set = (checkpoint: Partial<WantedCheckpoint>) =>
  checkpoints.set({
    start: 0,
    end: 0,
    operations: ['exec'],
    stop: true,
    enabled: true,
    temporary: false,
    condition: null,
    fromHit: 1,
    log: null,
    ...checkpoint,
  })
const at = (address: number) => ({ start: address, end: address })
const pc = () => machine.cpu.pc

describe('checkpoints', () => {
  it('stop before the instruction at an address, each time it is reached', () => {
    const { number } = set(at(0xe006))
    for (const x of [1, 2, 3]) {
      expect(machine.runFrame(checkpoints)?.checkpoint).toBe(number)
      expect([pc(), machine.cpu.x]).toEqual([0xe006, x])
    }
    expect(checkpoints.list()[0]?.hits).toBe(3)
  })

  it('stop after the instruction that stores or loads', () => {
    set({ ...at(0x0400), operations: ['store'] })
    machine.runFrame(checkpoints)
    expect(pc()).toBe(0xe006)
    checkpoints.delete(1)
    set({ start: 0x03ff, end: 0x0500, operations: ['load'] })
    machine.runFrame(checkpoints)
    expect(pc()).toBe(0xe009)
  })

  it('see the chips’ registers, and count a read-modify-write once', () => {
    set({ ...at(0xd020), operations: ['load', 'store'] })
    machine.runFrame(checkpoints)
    expect(checkpoints.list()[0]?.hits).toBe(1)
    expect(pc()).toBe(0xe00c)
  })

  it('tell the instruction that stored or loaded, and nothing of what only runs', () => {
    const { number } = set({ start: 0x03ff, end: 0x0500, operations: ['store', 'load'] })
    const access = () => machine.runFrame(checkpoints)
    expect(access()).toMatchObject({
      start: 0x0400,
      end: 0x0400,
      operation: 'store',
      by: { address: 0xe003, text: 'STX $0400' },
    })
    expect(access()).toMatchObject({ operation: 'load', by: { address: 0xe006, text: 'LDA $0400' } })
    checkpoints.delete(number)
    set(at(0xe006))
    expect(access()).toMatchObject({ start: 0xe006, operation: 'exec', by: null })
  })

  it('tell no instruction where an interrupt wrote', () => {
    set({ start: 0x0100, end: 0x01ff, operations: ['store'] })
    machine.cpu.nmi()
    expect(machine.runFrame(checkpoints)).toMatchObject({ operation: 'store', by: null })
  })

  it('reading an instruction is no load', () => {
    set({ start: 0xe000, end: 0xe010, operations: ['load'] })
    expect(machine.runFrame(checkpoints)).toBeUndefined()
  })

  it('count without stopping, stop once when temporary, and do nothing while disabled', () => {
    const counting = set({ ...at(0xe002), stop: false })
    set({ ...at(0xe00c), temporary: true })
    const off = set({ ...at(0xe006), enabled: false })
    machine.runFrame(checkpoints)
    expect(pc()).toBe(0xe00c)
    machine.runFrame(checkpoints)
    expect(checkpoints.list().map(({ number }) => number)).toEqual([counting.number, off.number])
    expect(checkpoints.list()[0]?.hits).toBeGreaterThan(100)
    checkpoints.enable(off.number, true)
    machine.runFrame(checkpoints)
    expect(pc()).toBe(0xe006)
  })

  it('change nothing in what the machine does', () => {
    const everywhere = { start: 0, end: 0xffff, operations: ['exec', 'load', 'store'] as const, stop: false }
    set({ ...everywhere, operations: [...everywhere.operations], condition: '@$dc04 + @$dd06 + @$d41b != 1000' })
    const free = new C64({ kernal, basic: new Uint8Array(0x2000), character: new Uint8Array(0x1000) }, 'pal')
    for (let frame = 0; frame < 3; frame++) {
      free.runFrame()
      machine.runFrame(checkpoints)
    }
    // With checkpoints the frame's end is looked for between instructions only: one of the two may be an instruction ahead.
    while (machine.clock !== free.clock) (machine.clock < free.clock ? machine : free).step(1)
    machine.step(1)
    free.step(1)
    // Timers are brought up to date when they are looked at.
    machine.peekIo()
    free.peekIo()
    expect(machine.save()).toEqual(free.save())
  })

  it('stop and count only where their condition holds, after the access', () => {
    set({ ...at(0x0400), operations: ['store'], condition: 'X == 5 and @$0400 == X' })
    expect(machine.runFrame(checkpoints)).toMatchObject({
      start: 0x0400,
      by: { text: 'STX $0400' },
      condition: 'X == 5 and @$0400 == X',
      hit: null,
    })
    expect([machine.cpu.x, checkpoints.list()[0]?.hits]).toEqual([5, 1])
  })

  it('see registers, flags, the raster, chips and the RAM below them in conditions', () => {
    const holds = [
      'PC == $e002',
      'SP == SP',
      'FL.5',
      'RL == @$d012 + 256 * @$d011.7',
      'CY >= 0 and CY < 64',
      '@io:$d020 >= $f0',
      '@ram:$d020 == 0',
      '@$e000 == $a2',
      '@ram:$e000 == 0',
      'word($fffe) == $e000',
      '@$dc04 > 0',
    ]
    for (const condition of holds) {
      const { number } = set({ ...at(0xe002), condition })
      expect([condition, machine.runFrame(checkpoints)?.checkpoint]).toEqual([condition, number])
      checkpoints.delete(number)
    }
  })

  it('stop from the hit on that was asked for', () => {
    set({ ...at(0xe006), fromHit: 3 })
    expect([machine.runFrame(checkpoints)?.hit, machine.cpu.x]).toEqual([3, 3])
    expect([machine.runFrame(checkpoints)?.hit, machine.cpu.x]).toEqual([4, 4])
    set({ ...at(0xe009), fromHit: 2, temporary: true })
    checkpoints.delete(1)
    expect(machine.runFrame(checkpoints)?.hit).toBe(2)
    expect(checkpoints.list()).toEqual([])
  })

  it('log values without stopping', () => {
    const logged: object[] = []
    checkpoints = new Checkpoints((line) => logged.push(line))
    set({ ...at(0xe006), stop: false, fromHit: 2, condition: 'X < 4', log: 'X is {X}, border {@$d020 & 15, decimal}' })
    expect(machine.runFrame(checkpoints)).toBeUndefined()
    expect(logged.slice(0, 2)).toEqual([
      { checkpoint: 1, pc: 0xe006, text: 'X is $02, border 1' },
      { checkpoint: 1, pc: 0xe006, text: 'X is $03, border 2' },
    ])
  })

  it('know the addresses of the labels that they name, also in the copies that stop', () => {
    const logged: object[] = []
    checkpoints = new Checkpoints((line) => logged.push(line))
    const names = [{ name: 'counter', address: 0x0400 }]
    set({ ...at(0xe006), condition: '@counter == 3', log: 'screen {@counter}, border {@BORDER & 15}', names })
    expect(machine.runFrame(checkpoints)?.condition).toBe('@counter == 3')
    expect(logged).toEqual([{ checkpoint: 1, pc: 0xe006, text: 'screen $03, border $02' }])
    expect(checkpoints.stopping().list()).toMatchObject([{ number: 1, condition: '@counter == 3', log: null }])
    expect(() => set({ ...at(0xe006), condition: '@counter == 3' })).toThrow('“counter” is no register')
  })

  it('are refused with what cannot be read or a reversed range, and when there is no such number', () => {
    expect(() => set({ condition: 'A == ' })).toThrow('column 6')
    expect(() => set({ condition: '1 == 1' })).toThrow('always the same')
    expect(() => set({ log: '{A' })).toThrow('without its counterpart')
    expect(checkpoints.list()).toEqual([])
    expect(() => set({ start: 2, end: 1 })).toThrow('before its start')
    expect(() => checkpoints.delete(9)).toThrow('no checkpoint 9')
  })
})

it('of a place where an interrupt comes first, they count the one time that it is run', () => {
  // LDA #$81; STA $DC0D; LDA #$40; STA $DC04; LDA #0; STA $DC05; LDA #$11; STA $DC0E; CLI; $E017 INC $10; NOP; JMP $E017
  const code = [0xa9, 0x81, 0x8d, 0x0d, 0xdc, 0xa9, 0x40, 0x8d, 0x04, 0xdc, 0xa9, 0x00, 0x8d, 0x05, 0xdc]
  const loop = [0xa9, 0x11, 0x8d, 0x0e, 0xdc, 0x58, 0xea, 0xea, 0xe6, 0x10, 0xea, 0x4c, 0x17, 0xe0]
  const handler = [0x2c, 0x0d, 0xdc, 0x40]
  machine = new C64(romsWith([...code, ...loop], undefined, handler), 'pal')
  while (pc() !== 0xe017) machine.step(1)
  set({ ...at(0xe017), stop: false })
  let run = 0
  const countRuns = {
    begin: () => {
      if (pc() === 0xe017 && !machine.cpu.interrupted) run++
    },
    end: () => false,
  }
  machine.runFollowed(checkpoints, countRuns)
  const isDue = pc() === 0xe017 && !machine.cpu.interrupted
  // The first run is not counted: the machine stood there.
  expect(checkpoints.list()[0]?.hits).toBe(run - 1 + (isDue ? 1 : 0))
})
