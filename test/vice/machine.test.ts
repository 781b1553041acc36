import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { unpackPixels } from '@shared/c64/picture'
import type { RunTarget } from '@shared/contract/running'
import { requireFacet, type Machine } from '../../src-main/machine/machine'
import { lacks } from '../support/parts'
import { eventually } from './eventually'
import { attachedMachine, read, soon, startVice, write, type RunningVice } from './support'

const execution = (machine: Machine) => requireFacet(machine, 'pause')
const stepping = (machine: Machine) => requireFacet(machine, 'step')
const checkpoints = (machine: Machine) => requireFacet(machine, 'checkpoints')
const programCounter = async (machine: Machine): Promise<number> => register(machine, 'PC')

async function register(machine: Machine, name: string): Promise<number> {
  const registers = await requireFacet(machine, 'registers').read(soon())
  return registers.find((found) => found.name === name)?.value ?? -1
}

async function setRegister(machine: Machine, name: string, value: number): Promise<void> {
  await requireFacet(machine, 'setRegisters').write(name, value, soon())
}

/** Puts code at $C000, sets the CPU to it and lets it run. Interrupts are off, so that nothing else runs. */
async function runCode(machine: Machine, ...code: number[]): Promise<void> {
  await execution(machine).pause(soon())
  await write(machine, 0xc000, 0x78, ...code)
  await setRegister(machine, 'PC', 0xc000)
  await execution(machine).resume(soon())
}

const LOOP = [0xee, 0x00, 0x20, 0x4c, 0x01, 0xc0] // INC $2000; JMP $C001

describe.skipIf(lacks('vice', 'xvfb'))('a VICE that runs already', () => {
  let vice: RunningVice
  let machine: Machine

  beforeAll(async () => {
    vice = await startVice()
  })
  afterAll(async () => {
    await vice.stop()
  })
  beforeEach(async () => {
    machine = attachedMachine(vice.port)
    await machine.connect(soon())
  })
  afterEach(async () => {
    if (machine.status.connection === 'live') {
      for (const { number } of await checkpoints(machine).list(soon()))
        await checkpoints(machine).delete(number, soon())
      await execution(machine).reset('power', soon())
    }
    await machine.disconnect()
  })

  it('tells its version, its standard and that live sampling waits to be asked for', () => {
    const { connection, execution: state, standard, version, notices } = machine.status
    expect({ connection, state, standard }).toEqual({ connection: 'live', state: 'running', standard: 'pal' })
    expect(version).toMatch(/^VICE 3\.\d+/)
    const isOld = /^VICE 3\.[0-8](\.|$)/.test(version ?? '')
    expect(machine.samplesOnRequestOnly).toBe(isOld)
    expect(notices.some((notice) => notice.includes('may glitch while watched'))).toBe(isOld)
  })

  describe('memory', () => {
    it('is read and written as RAM, also under ROM and I/O', async () => {
      await write(machine, 0xe000, 0x12)
      await write(machine, 0xd020, 0x34)
      expect(await read(machine, 0xe000)).toEqual([0x12])
      expect(await read(machine, 0xd020)).toEqual([0x34])
      const seen = await machine.readMemory({ space: 'cpu', address: 0xe000, length: 0x100 }, soon())
      const rom = await machine.readMemory({ space: 'rom', address: 0xe000, length: 0x100 }, soon())
      expect(seen).toEqual(rom)
    })

    it('is read whole, 65,536 bytes at once', async () => {
      await write(machine, 0xffff, 0x5a)
      const ram = await machine.readMemory({ space: 'ram', address: 0, length: 0x10000 }, soon())
      expect(ram.length).toBe(0x10000)
      expect(ram[0xffff]).toBe(0x5a)
    })

    it('is written whole, 65,536 bytes at once', async () => {
      await execution(machine).pause(soon())
      const image = Uint8Array.from({ length: 0x10000 }, (_, address) => (address * 7 + (address >> 8)) & 0xff)
      await machine.writeMemory('ram', 0, image, soon())
      const ram = await machine.readMemory({ space: 'ram', address: 2, length: 0xfffe }, soon())
      expect(Buffer.from(ram).equals(Buffer.from(image.subarray(2)))).toBe(true)
    })

    it('shows no noise in the upper half of colour RAM’s bytes, however they are read', async () => {
      const ranges = [
        { space: 'io', address: 0xd000, length: 0x1000 },
        { space: 'cpu', address: 0, length: 0x10000 },
      ] as const
      for (const { space, address, length } of ranges) {
        const bytes = await machine.readMemory({ space, address, length }, soon())
        expect(bytes.subarray(0xd800 - address, 0xdc00 - address).every((nibble) => nibble < 16)).toBe(true)
      }
    })

    it('shows I/O registers and colour RAM nibbles', async () => {
      await machine.writeMemory('io', 0xd020, Uint8Array.of(3), soon())
      await machine.writeMemory('colorRam', 0xd800, Uint8Array.of(0xa5), soon())
      const [border = 0] = await machine.readMemory({ space: 'io', address: 0xd020, length: 1 }, soon())
      expect(border & 0x0f).toBe(3)
      expect([...(await machine.readMemory({ space: 'colorRam', address: 0xd800, length: 1 }, soon()))]).toEqual([5])
    })

    it('is read without side effects: a pending interrupt flag of the CIA stays', async () => {
      await runCode(machine, 0x4c, 0x01, 0xc0) // JMP $C001, interrupts off: the timer's flag is never read by the program
      const flags = () => machine.readMemory({ space: 'io', address: 0xdc0d, length: 1 }, soon())
      await eventually(async () => ((await flags())[0] ?? 0) & 1).toBe(1)
      expect(((await flags())[0] ?? 0) & 1).toBe(1)
    })

    it('refuses what cannot be, in one sentence', async () => {
      await expect(machine.writeMemory('rom', 0xe000, Uint8Array.of(1), soon())).rejects.toThrow(
        'ROM cannot be written.',
      )
      await expect(machine.writeMemory('io', 0xcfff, Uint8Array.of(1), soon())).rejects.toThrow(/\$D000 to \$DFFF/)
      await expect(machine.readMemory({ space: 'ram', address: 0xffff, length: 2 }, soon())).rejects.toThrow(
        'past $FFFF',
      )
    })
  })

  describe('registers', () => {
    it('are read by the names that VICE gives them, with their widths', async () => {
      const registers = await requireFacet(machine, 'registers').read(soon())
      expect(registers.map(({ name, bits }) => `${name}:${bits}`)).toEqual(
        expect.arrayContaining(['PC:16', 'A:8', 'X:8', 'Y:8', 'SP:8', 'FL:8', '00:8', '01:8']),
      )
    })

    it('are set one by one', async () => {
      await execution(machine).pause(soon())
      await setRegister(machine, 'A', 0x42)
      expect(await register(machine, 'A')).toBe(0x42)
    })

    it('refuse names and values that there are not', async () => {
      await expect(setRegister(machine, 'Q', 1)).rejects.toThrow('There is no register Q.')
      await expect(setRegister(machine, 'A', 0x100)).rejects.toThrow(/A has 8 bits.*256/)
      await expect(setRegister(machine, 'LIN', 1)).rejects.toThrow('cannot be set')
    })
  })

  describe('execution', () => {
    it('pauses, stands still, and goes on', async () => {
      await runCode(machine, ...LOOP)
      await execution(machine).pause(soon())
      expect(machine.status.execution).toBe('paused')
      const before = await read(machine, 0x2000)
      expect(await read(machine, 0x2000)).toEqual(before)
      await execution(machine).resume(soon())
      expect(machine.status.execution).toBe('running')
      await eventually(() => read(machine, 0x2000)).not.toEqual(before)
    })

    // Below 3.9 the first instruction after a register was set may run twice, so a step comes before what is looked at.
    it('steps one instruction, and several', async () => {
      await runCode(machine, ...new Array<number>(200).fill(0xea), 0x4c, 0x01, 0xc0) // NOPs; JMP $C001
      await stepping(machine).step(1, false, soon())
      for (const count of [1, 1, 5]) {
        const before = await programCounter(machine)
        await stepping(machine).step(count, false, soon())
        const passed = (await programCounter(machine)) - before
        expect(passed > 0 ? passed : passed + 200 + 1).toBe(count)
      }
      expect(machine.status.execution).toBe('paused')
    })

    it.each([
      { over: false, way: 'into', next: 0xc010 },
      { over: true, way: 'over', next: 0xc004 },
    ])('steps $way a call', async ({ over, next }) => {
      await execution(machine).pause(soon())
      await write(machine, 0xc010, 0xa2, 0x05, 0xca, 0xd0, 0xfd, 0x60) // LDX #5; DEX; BNE; RTS
      await runCode(machine, 0x20, 0x10, 0xc0, 0x4c, 0x01, 0xc0) // JSR $C010; JMP $C001
      await stepping(machine).step(1, false, soon())
      while ((await programCounter(machine)) !== 0xc001) await stepping(machine).step(1, false, soon())
      await stepping(machine).step(1, over, soon())
      expect(await programCounter(machine)).toBe(next)
    })

    it('steps from running, which pauses it', async () => {
      await runCode(machine, ...LOOP)
      await stepping(machine).step(1, false, soon())
      expect(machine.status.execution).toBe('paused')
      expect(await programCounter(machine)).toBeGreaterThanOrEqual(0xc000)
    })

    it('runs to an address, the next raster line and frame, and leaves no checkpoint behind', async () => {
      await runCode(machine, ...LOOP)
      const runTo = async (to: RunTarget) => {
        await stepping(machine).runTo(to, soon())
        await eventually(() => machine.status.execution).toBe('paused')
        expect(machine.status.stop).toBeNull()
      }
      for (const address of [0xc004, 0xc004, 0xc001]) {
        await runTo(address)
        expect(await programCounter(machine)).toBe(address)
      }
      for (let count = 0; count < 3; count++) {
        const line = await register(machine, 'LIN')
        await runTo('line')
        expect(await register(machine, 'LIN')).toBe((line + 1) % 312)
      }
      for (let count = 0; count < 2; count++) {
        await runTo('frame')
        expect(await register(machine, 'LIN')).toBe(0)
      }
      await eventually(() => checkpoints(machine).list(soon())).toEqual([])
    })

    it('steps out of a routine, behind the call of it, with all that it calls', async () => {
      // $C001 JSR $C008; INX; JMP $C001; $C008 PHA; JSR $C00E; PLA; RTS; $C00E LDX #0; RTS
      const outer = [0x20, 0x08, 0xc0, 0xe8, 0x4c, 0x01, 0xc0]
      await runCode(machine, ...outer, 0x48, 0x20, 0x0e, 0xc0, 0x68, 0x60, 0xa2, 0x00, 0x60)
      const comesTo = async (to: RunTarget, address: number) => {
        await stepping(machine).runTo(to, soon())
        await eventually(() => machine.status.execution).toBe('paused')
        expect(await programCounter(machine)).toBe(address)
      }
      await comesTo(0xc00e, 0xc00e)
      await comesTo('return', 0xc00c)
      await comesTo('return', 0xc004)
      await comesTo(0xc009, 0xc009)
      await comesTo('return', 0xc004)
      await eventually(() => checkpoints(machine).list(soon())).toEqual([])
    })

    it('runs to the entry of the next IRQ, and a pause on the way ends the run', async () => {
      await execution(machine).pause(soon())
      const [low = 0, high = 0] = await machine.readMemory({ space: 'cpu', address: 0xfffe, length: 2 }, soon())
      await stepping(machine).runTo('irq', soon())
      await eventually(() => machine.status.execution).toBe('paused')
      expect(await programCounter(machine)).toBe(low | (high << 8))
      await stepping(machine).runTo(0xcfff, soon())
      await execution(machine).pause(soon())
      await eventually(() => checkpoints(machine).list(soon())).toEqual([])
    })

    it('resets softly, keeping RAM, and with power, from pause too', async () => {
      await runCode(machine, ...LOOP)
      await execution(machine).pause(soon())
      await execution(machine).reset('soft', soon())
      expect(machine.status.execution).toBe('running')
      await eventually(() => programCounter(machine)).toBeGreaterThanOrEqual(0xe000)
      expect(await read(machine, 0xc000)).toEqual([0x78])
      await execution(machine).reset('power', soon())
      await eventually(() => read(machine, 0xc000)).not.toEqual([0x78])
    })

    it('tells that the CPU jammed at a step', async () => {
      await execution(machine).pause(soon())
      await write(machine, 0xc000, 0x78, 0xea, 0x02)
      await setRegister(machine, 'PC', 0xc000)
      await stepping(machine).step(5, false, soon())
      expect(machine.status.execution).toBe('jammed')
      await execution(machine).reset('soft', soon())
      await eventually(() => programCounter(machine)).toBeGreaterThanOrEqual(0xef00)
      expect(machine.status.execution).toBe('running')
    })

    it('tells that the CPU jammed and where, and a reset gets it going', async () => {
      await runCode(machine, 0x02)
      await eventually(() => machine.status.execution).toBe('jammed')
      expect(await programCounter(machine)).toBe(0xc001)
      await expect(execution(machine).resume(soon())).rejects.toThrow('The CPU is jammed')
      await execution(machine).reset('soft', soon())
      expect(machine.status.execution).toBe('running')
      await eventually(() => programCounter(machine)).toBeGreaterThanOrEqual(0xe000)
    })
  })

  describe('checkpoints', () => {
    const at = (start: number, changes: object = {}) => ({
      start,
      end: start,
      operations: ['exec' as const],
      stop: true,
      enabled: true,
      temporary: false,
      condition: null,
      fromHit: 1,
      log: null,
      ...changes,
    })

    it('stop at an instruction, are listed with their hits, and are deleted', async () => {
      await runCode(machine, ...LOOP)
      const set = await checkpoints(machine).set(at(0xc004), soon())
      await eventually(() => machine.status.execution).toBe('paused')
      expect(await programCounter(machine)).toBe(0xc004)
      const [listed] = await checkpoints(machine).list(soon())
      expect(listed).toMatchObject({
        number: set.number,
        start: 0xc004,
        end: 0xc004,
        operations: ['exec'],
        hits: 1,
        condition: null,
        fromHit: 1,
        log: null,
      })
      await checkpoints(machine).delete(set.number, soon())
      expect(await checkpoints(machine).list(soon())).toEqual([])
      expect(machine.status.execution).toBe('paused')
      await execution(machine).resume(soon())
      expect(machine.status.execution).toBe('running')
    })

    it.each(['store', 'load'] as const)('stop at a %s within a range', async (operation) => {
      await runCode(machine, ...LOOP)
      await checkpoints(machine).set(at(0x1f00, { end: 0x2000, operations: [operation] }), soon())
      await eventually(() => machine.status.execution).toBe('paused')
    })

    it('tell which instruction wrote, until the machine goes on', async () => {
      await runCode(machine, ...LOOP)
      const { number } = await checkpoints(machine).set(at(0x2000, { operations: ['store'] }), soon())
      const written = { checkpoint: number, start: 0x2000, operation: 'store' }
      await eventually(() => machine.status.stop).toMatchObject(written)
      // VICE 3.7.1 may stop at once, and anywhere, for a write that came just before the checkpoint.
      await execution(machine).resume(soon())
      await eventually(() => machine.status.stop).toMatchObject({ ...written, by: { text: 'INC $2000' } })
      const { by, pc } = machine.status.stop ?? {}
      expect(pc).toBe((by?.address ?? 0) + 3)
      await stepping(machine).step(1, false, soon())
      expect(machine.status).toMatchObject({ execution: 'paused', stop: null })
    })

    it('stop only when their condition holds', async () => {
      await runCode(machine, 0xa2, 0x00, 0xe8, 0x4c, 0x03, 0xc0) // LDX #0; INX; JMP $C003
      const set = await checkpoints(machine).set(at(0xc004, { condition: 'X == $42' }), soon())
      expect(set.condition).toBe('X == $42')
      await eventually(() => machine.status.execution).toBe('paused')
      expect(await register(machine, 'X')).toBe(0x42)
      expect((await checkpoints(machine).list(soon()))[0]?.condition).toBe('X == $42')
    })

    it.each([
      ['X == $42 and Y == 0', true],
      ['X.1 and not X.0 and Z', true],
      ['X.1 and X.0', false],
      ['PC == $c006 and SP > 0 and RL < 312 and CY < 64', true],
      ['@$c000 == $78 and @ram:$c000 == $78 and word($c000) == $a278', true],
      ['@($c000 + 1) != $a2', false],
      ['@io:$d011 & $1f == $1b or @io:$d011 & $1f == $0b', true],
      ['X + 1 == $43 and X - 2 == $40 and X * 2 == $84 and X / 2 == $21', true],
      ['-X < -1 and X | 1 == $43', true],
      ['X and Y', false],
      ['X or Y', true],
      ['2 and X', true],
    ])('take %s as this language means it', async (condition, holds) => {
      await runCode(machine, 0xa2, 0x42, 0xa0, 0x00, 0xea, 0x4c, 0x06, 0xc0) // LDX #$42; LDY #0; $C005 NOP; JMP $C006
      const { number } = await checkpoints(machine).set(at(0xc006, { condition, stop: false }), soon())
      const other = await checkpoints(machine).set(at(0xc006, { stop: false }), soon())
      const hits = async () => {
        const listed = await checkpoints(machine).list(soon())
        return [number, other.number].map((wanted) => listed.find((each) => each.number === wanted)?.hits ?? 0)
      }
      await eventually(async () => (await hits())[1]).toBeGreaterThan(2)
      if (holds) await eventually(async () => (await hits())[0]).toBeGreaterThan(0)
      else expect((await hits())[0]).toBe(0)
    })

    it.each([
      [{ condition: 'X == (' }, 'INVALID', 'column 7'],
      [{ condition: '@($0400 + X) == 1' }, 'UNSUPPORTED', 'fixed addresses'],
      [{ log: 'X is {X' }, 'INVALID', 'counterpart'],
    ])('leave nothing behind when %j is refused', async (changes, code, message) => {
      await expect(checkpoints(machine).set(at(0xc000, changes), soon())).rejects.toMatchObject({
        code,
        message: expect.stringContaining(message) as string,
      })
      expect(await checkpoints(machine).list(soon())).toEqual([])
      expect(machine.status.execution).toBe('running')
    })

    const COUNT = [0xa2, 0x00, 0xe8, 0x8e, 0x00, 0x20, 0x4c, 0x03, 0xc0] // LDX #0; $C003 INX; STX $2000; JMP $C003
    const logOf = async () => requireFacet(machine, 'logPoints').read(0, soon())

    it('log at each hit, with registers and memory, while the program goes on', async () => {
      await runCode(machine, ...COUNT)
      const log = 'X={X} {@$2000} {@ram:$2000} {@io:$d011 & $80, decimal} {RL, decimal}'
      const set = await checkpoints(machine).set(at(0xc007, { stop: false, log }), soon())
      expect(set).toMatchObject({ stop: false, log, fromHit: 1 })
      await eventually(async () => (await logOf()).length).toBeGreaterThan(20)
      expect(machine.status.execution).toBe('running')
      const lines = await logOf()
      // Each hit once, in order.
      const values = lines.map(({ text }) => Number.parseInt(/^X=\$([0-9A-F]{2}) /i.exec(text)?.[1] ?? '', 16))
      const first = values[0] ?? 0
      expect(values).toEqual(values.map((_, index) => (first + index) & 0xff))
      for (const { text, pc, checkpoint, clock } of lines) {
        expect(text).toMatch(/^X=(\$[0-9A-F]{2}) \1 \1 (0|128) \d+$/i)
        expect({ pc, checkpoint, clock }).toEqual({ pc: 0xc007, checkpoint: set.number, clock: null })
      }
      await eventually(() => machine.status.logged).toBeGreaterThan(20)
      await execution(machine).pause(soon())
      const listed = await checkpoints(machine).list(soon())
      expect(listed).toMatchObject([{ number: set.number, stop: false, log, hits: (await logOf()).length }])
      await checkpoints(machine).delete(set.number, soon())
      expect(machine.status.execution).toBe('paused')
    })

    it('stop from the hit on that was asked for, and log there', async () => {
      await execution(machine).pause(soon())
      await write(machine, 0xc000, 0x78, ...COUNT)
      await setRegister(machine, 'PC', 0xc000)
      const wanted = at(0xc007, { fromHit: 5, log: 'X is {X}' })
      const { number } = await checkpoints(machine).set(wanted, soon())
      await execution(machine).resume(soon())
      await eventually(() => machine.status.stop).toMatchObject({ checkpoint: number, hit: 5, pc: 0xc007 })
      expect(await register(machine, 'X')).toBe(5)
      await eventually(async () => (await logOf()).map(({ text }) => text)).toEqual(['X is $05'])
      await execution(machine).resume(soon())
      await eventually(() => machine.status.stop).toMatchObject({ hit: 6 })
    })

    it('that log are gone when the machine is disconnected, as VICE alone would stop there', async () => {
      await runCode(machine, ...COUNT)
      await checkpoints(machine).set(at(0xc007, { stop: false, log: 'here' }), soon())
      await eventually(async () => (await logOf()).length).toBeGreaterThan(1)
      await machine.disconnect()
      await machine.connect(soon())
      expect(await checkpoints(machine).list(soon())).toEqual([])
      expect(machine.status.execution).toBe('running')
    })

    it('that log do not keep the machine from being paused, stepped and stopped by another one', async () => {
      await runCode(machine, ...COUNT)
      await checkpoints(machine).set(at(0xc007, { stop: false, log: 'X is {X}' }), soon())
      await eventually(async () => (await logOf()).length).toBeGreaterThan(1)
      const { number } = await checkpoints(machine).set(at(0xc007, { condition: 'X == $42' }), soon())
      await eventually(() => machine.status.stop).toMatchObject({ checkpoint: number })
      await eventually(async () => (await logOf()).at(-1)?.text).toBe('X is $42')
      const before = (await logOf()).length
      await stepping(machine).step(4, false, soon()) // JMP, INX, STX and, past the log point, JMP
      expect(await programCounter(machine)).toBe(0xc003)
      expect(machine.status.execution).toBe('paused')
      await eventually(async () => (await logOf()).slice(before).map(({ text }) => text)).toEqual(['X is $43'])
      expect(machine.status.execution).toBe('paused')
    })

    /** $C001 JSR $C010; NOP; JMP $C001; $C010 LDX #3; $C012 DEX; BNE $C012; RTS */
    const runCall = async () => {
      await execution(machine).pause(soon())
      await write(machine, 0xc010, 0xa2, 0x03, 0xca, 0xd0, 0xfd, 0x60)
      await runCode(machine, 0x20, 0x10, 0xc0, 0xea, 0x4c, 0x01, 0xc0)
      await execution(machine).pause(soon())
      await comesTo(0xc001, 0xc001)
    }
    const comesTo = async (to: RunTarget, address: number) => {
      await stepping(machine).runTo(to, soon())
      await eventually(() => machine.status.execution).toBe('paused')
      expect(await programCounter(machine)).toBe(address)
    }
    const loggedTexts = async () => (await logOf()).map(({ text }) => text)

    it('log within a call that is stepped over, out of, or run past, which comes to its end', async () => {
      await runCall()
      await checkpoints(machine).set(at(0xc012, { stop: false, log: 'X={X}' }), soon())
      await checkpoints(machine).set(at(0xc013, { fromHit: 100_000 }), soon())
      await stepping(machine).step(1, true, soon())
      expect(await programCounter(machine)).toBe(0xc004)
      expect(await loggedTexts()).toEqual(['X=$03', 'X=$02', 'X=$01'])
      await comesTo(0xc010, 0xc010)
      await comesTo('return', 0xc004)
      await comesTo(0xc001, 0xc001)
      expect(await loggedTexts()).toHaveLength(6)
      const line = await register(machine, 'LIN')
      await stepping(machine).runTo('line', soon())
      await eventually(() => machine.status.execution).toBe('paused')
      expect(await register(machine, 'LIN')).toBe((line + 1) % 312)
      expect((await checkpoints(machine).list(soon())).map(({ start }) => start)).toEqual([0xc012, 0xc013])
    })

    it('that stop end a call that is stepped over, and say so', async () => {
      await runCall()
      const { number } = await checkpoints(machine).set(at(0xc013), soon())
      await stepping(machine).step(1, true, soon())
      expect(await programCounter(machine)).toBe(0xc013)
      await eventually(() => machine.status.stop).toMatchObject({ checkpoint: number, pc: 0xc013 })
      // VICE itself would stop where the call returns.
      await checkpoints(machine).delete(number, soon())
      await write(machine, 0x2000, 0)
      await write(machine, 0xc004, 0xee, 0x00, 0x20, 0x4c, 0x01, 0xc0) // INC $2000; JMP $C001
      await execution(machine).resume(soon())
      await eventually(async () => (await read(machine, 0x2000))[0]).toBeGreaterThan(1)
      expect(machine.status.execution).toBe('running')
    })

    it('do not stop or hold the machine where it was stepped to already', async () => {
      await runCall()
      await checkpoints(machine).set(at(0xc010), soon())
      await checkpoints(machine).set(at(0xc012, { stop: false, log: 'X={X}' }), soon())
      for (const place of [0xc010, 0xc012, 0xc013, 0xc012]) {
        await stepping(machine).step(1, false, soon())
        expect(await programCounter(machine)).toBe(place)
      }
      expect(await loggedTexts()).toEqual(['X=$03'])
      await comesTo(0xc012, 0xc012)
      await execution(machine).resume(soon())
      await eventually(() => machine.status.stop).toMatchObject({ start: 0xc010 })
      expect(await loggedTexts()).toEqual(['X=$03', 'X=$02', 'X=$01'])
    })

    it('that are temporary stop once and are gone', async () => {
      await runCode(machine, ...LOOP)
      expect((await checkpoints(machine).set(at(0xc004, { temporary: true }), soon())).temporary).toBe(true)
      await eventually(() => machine.status.execution).toBe('paused')
      await eventually(() => checkpoints(machine).list(soon())).toEqual([])
      expect(machine.status.execution).toBe('paused')
    })

    it('that are temporary do not make a paused machine run', async () => {
      await runCode(machine, ...LOOP)
      await execution(machine).pause(soon())
      await checkpoints(machine).set(at(0xc004, { temporary: true }), soon())
      const before = await read(machine, 0x2000)
      expect(await read(machine, 0x2000)).toEqual(before)
      expect(machine.status.execution).toBe('paused')
    })

    it('that only count do not stop', async () => {
      await runCode(machine, ...LOOP)
      const set = await checkpoints(machine).set(at(0xc004, { stop: false }), soon())
      await eventually(async () => (await checkpoints(machine).list(soon()))[0]?.hits).toBeGreaterThan(0)
      expect(machine.status.execution).toBe('running')
      await checkpoints(machine).delete(set.number, soon())
    })

    it('are turned off and on', async () => {
      await runCode(machine, ...LOOP)
      const { number } = await checkpoints(machine).set(at(0xc004, { enabled: false }), soon())
      await read(machine, 0x2000)
      expect(machine.status.execution).toBe('running')
      await checkpoints(machine).enable(number, true, soon())
      await eventually(() => machine.status.execution).toBe('paused')
      expect(await programCounter(machine)).toBe(0xc004)
    })

    it('that there are not are NOT_FOUND', async () => {
      await expect(checkpoints(machine).delete(99, soon())).rejects.toMatchObject({ code: 'NOT_FOUND' })
    })
  })

  describe('notes of writes', () => {
    const notes = () => {
      const { writeNotes } = machine
      if (!writeNotes) throw new Error('This machine notes no writes.')
      return writeNotes
    }

    it('tell each writer of a byte with what it changed, while the program goes on', async () => {
      await write(machine, 0x2000, 0x10)
      await runCode(machine, 0xee, 0x00, 0x20, 0xa9, 0x07, 0x8d, 0x00, 0x20, 0x4c, 0x01, 0xc0) // INC $2000; LDA #7; STA $2000
      await notes().note(0x2000, soon())
      await notes().note(0x2000, soon())
      await eventually(() => notes().list()[0]?.count).toBeGreaterThan(6)
      expect(machine.status.execution).toBe('running')
      const [noted, ...others] = notes().list()
      expect(others).toEqual([])
      expect(noted).toMatchObject({ address: 0x2000, by: 'checkpoint' })
      // VICE 3.7.1 may note a write that came just before, with what the CPU came to since.
      for (const { by, from, to } of noted?.writes.slice(0, 4) ?? [])
        expect({ by, from, to }).toEqual(
          to === 8
            ? { by: { address: 0xc001, space: 'ram', text: 'INC $2000' }, from: 7, to: 8 }
            : { by: { address: 0xc006, space: 'ram', text: 'STA $2000' }, from: 8, to: 7 },
        )
      await notes().end(0x2000, soon())
      expect(notes().list()).toEqual([])
      expect(await checkpoints(machine).list(soon())).toEqual([])
      expect(machine.status.execution).toBe('running')
    })

    it('are of eight bytes at most, and end when their checkpoint is deleted', async () => {
      for (let byte = 0; byte < 8; byte++) await notes().note(0x2000 + byte, soon())
      await expect(notes().note(0x3000, soon())).rejects.toMatchObject({ code: 'CONFLICT' })
      const [first] = await checkpoints(machine).list(soon())
      expect(first).toMatchObject({ stop: false, operations: ['store'] })
      await checkpoints(machine).delete(first?.number ?? 0, soon())
      expect(notes().list()).toHaveLength(7)
      await notes().note(0x3000, soon())
    })
  })

  describe('display', () => {
    it('is the visible picture, its window where the border ends', async () => {
      // Border light green, background yellow; the border starts one pixel left of and above the window.
      await machine.writeMemory('io', 0xd020, Uint8Array.of(13, 7), soon())
      await write(machine, 0x0400, ...new Array<number>(1000).fill(0x20))
      await eventually(async () => {
        const { width, height, pixels } = await requireFacet(machine, 'picture').read(soon())
        const colours = unpackPixels(pixels)
        const pixel = (x: number, y: number) => colours[y * width + x]
        return [
          height,
          pixel(31, 35),
          pixel(33, 36),
          pixel(32, 34),
          pixel(351, 234),
          pixel(352, 234),
          pixel(351, 235),
          pixel(383, 269),
          pixel(0, 0),
        ]
      }).toEqual([272, 13, 7, 13, 7, 13, 13, 13, 13])
    })

    it('has a palette of sixteen colours', async () => {
      const palette = await requireFacet(machine, 'picture').palette?.(soon())
      expect(palette).toHaveLength(16)
      expect(palette?.[0]).toBe(0)
      expect(palette?.[1]).toBe(0xffffff)
    })

    it('follows the standard: NTSC has 247 lines', async () => {
      await requireFacet(machine, 'standard').setStandard('ntsc', soon())
      expect(machine.status.standard).toBe('ntsc')
      await eventually(async () => (await requireFacet(machine, 'picture').read(soon())).height).toBe(247)
      await requireFacet(machine, 'standard').setStandard('pal', soon())
      expect(machine.status.standard).toBe('pal')
    })
  })

  it('has resources of both kinds', async () => {
    const resources = requireFacet(machine, 'resources')
    expect(typeof (await resources.get('KernalName', soon()))).toBe('string')
    await resources.set('Speed', 90, soon())
    expect(await resources.get('Speed', soon())).toBe(90)
    await resources.set('Speed', 100, soon())
    await expect(resources.get('NoSuchThing', soon())).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('warps and comes back to the speed it had', async () => {
    const speed = requireFacet(machine, 'warp')
    const resources = requireFacet(machine, 'resources')
    await speed.setWarp(true, soon())
    expect(machine.status.warp).toBe(true)
    expect(await resources.get('Speed', soon())).toBeGreaterThan(1000)
    await speed.setWarp(false, soon())
    expect(machine.status.warp).toBe(false)
    expect(await resources.get('Speed', soon())).toBe(100)
  })

  it('takes typed text', async () => {
    await requireFacet(machine, 'typeText').typeText('hello 64', soon())
    const codes = [8, 5, 12, 12, 15, 32, 54, 52]
    await eventually(async () => Buffer.from(await read(machine, 0x0400, 1000)).includes(Buffer.from(codes))).toBe(true)
  })

  it.each([1, 2] as const)('moves the joystick in port %i and takes it out again', async (port) => {
    const resources = requireFacet(machine, 'resources')
    const before = await resources.get(`JoyPort${port}Device`, soon())
    await runCode(machine, 0x4c, 0x01, 0xc0) // JMP $C001: the keyboard scan leaves the port alone
    await machine.writeMemory('io', 0xdc00, Uint8Array.of(0xff), soon())
    const lines = async () =>
      ((await machine.readMemory({ space: 'io', address: port === 1 ? 0xdc01 : 0xdc00, length: 1 }, soon()))[0] ?? 0) &
      0x1f
    const input = requireFacet(machine, 'joystick')
    await input.setJoystick(port, ['up', 'fire'], soon())
    await eventually(lines).toBe(0x0e)
    await input.setJoystick(port, [], soon())
    await eventually(lines).toBe(0x1f)
    await machine.disconnect()
    await machine.connect(soon())
    expect(await resources.get(`JoyPort${port}Device`, soon())).toBe(before)
  })

  it('has no line of a joystick pressed that nobody pressed, when it is plugged in and after a power cycle', async () => {
    const input = requireFacet(machine, 'joystick')
    const cleared = Uint8Array.of(0x1f)
    // loop: LDA $DC00; AND $FB; STA $FB; JMP loop
    const notes = [0xad, 0x00, 0xdc, 0x25, 0xfb, 0x85, 0xfb, 0x4c, 0x01, 0xc0]
    const pressed = async () => ((await read(machine, 0xfb))[0] ?? 0) & 0x1f
    await machine.writeMemory('ram', 0xfb, cleared, soon())
    await machine.writeMemory('io', 0xdc00, Uint8Array.of(0xff), soon())
    await runCode(machine, ...notes)
    await input.setJoystick(2, [], soon())
    expect(await pressed()).toBe(0x1f)
    await execution(machine).reset('power', soon())
    await eventually(async () =>
      Buffer.from(await read(machine, 0x0400, 1000)).includes(Buffer.from([18, 5, 1, 4, 25])),
    ).toBe(true)
    await machine.writeMemory('ram', 0xfb, cleared, soon())
    await machine.writeMemory('io', 0xdc00, Uint8Array.of(0xff), soon())
    await runCode(machine, ...notes)
    expect(await pressed()).toBe(0x1f)
  })

  it('loads and runs a program', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bridgedeck-prg-'))
    try {
      // 10 SYS 2061, then INC $D020; JMP $080D
      const bytes = Uint8Array.of(
        1,
        8,
        0x0b,
        8,
        10,
        0,
        0x9e,
        0x32,
        0x30,
        0x36,
        0x31,
        0,
        0,
        0,
        0xee,
        0x20,
        0xd0,
        0x4c,
        0x0d,
        0x08,
      )
      const path = join(folder, 'border.prg')
      writeFileSync(path, bytes)
      await requireFacet(machine, 'runProgram').run({ name: 'border.prg', path, bytes }, soon())
      await eventually(() => programCounter(machine)).toBeLessThan(0x0900)
      expect(await read(machine, 0x080d, 3)).toEqual([0xee, 0x20, 0xd0])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('refuses a program that is cut short before VICE sees it', async () => {
    const program = { name: 'cut.prg', path: '/nowhere/cut.prg', bytes: Uint8Array.of(1) }
    await expect(requireFacet(machine, 'runProgram').run(program, soon())).rejects.toThrow('cut short')
    expect(machine.status.execution).toBe('running')
  })

  it('refuses what is called a snapshot and is none', async () => {
    const program = { name: 'no.vsf', path: '/nowhere/no.vsf', bytes: Uint8Array.of(1, 8, 0) }
    await expect(requireFacet(machine, 'runProgram').run(program, soon())).rejects.toThrow('not a VICE snapshot')
    expect(machine.status.execution).toBe('running')
  })

  it('goes on running when VICE cannot start the file', async () => {
    const program = { name: 'gone.prg', path: '/nowhere/gone.prg', bytes: Uint8Array.of(1, 8, 0) }
    await expect(requireFacet(machine, 'runProgram').run(program, soon())).rejects.toThrow(
      'VICE could not start /nowhere/gone.prg',
    )
    expect(machine.status.execution).toBe('running')
    await runCode(machine, ...LOOP)
    const before = await read(machine, 0x2000)
    await eventually(() => read(machine, 0x2000)).not.toEqual(before)
  })

  it('says why it cannot hold keys down or hand over its state', () => {
    expect(machine.unsupported.keyMatrix).toContain('typed text only')
    expect(machine.unsupported.saveState).toContain('snapshots')
    expect(() => requireFacet(machine, 'saveState')).toThrow('snapshots')
  })

  it('cancels what waits', async () => {
    const cancelled = new AbortController()
    cancelled.abort()
    await expect(machine.readMemory({ space: 'ram', address: 0, length: 1 }, cancelled.signal)).rejects.toMatchObject({
      code: 'CANCELLED',
    })
  })
})

it.skipIf(lacks('vice', 'xvfb'))(
  'A step over a call that does not return says so, and the machine can be paused',
  async () => {
    // Of its own: the step stays open in it, and once in some hundred times it answered nobody afterwards.
    const vice = await startVice()
    const machine = attachedMachine(vice.port)
    try {
      await machine.connect(soon())
      await execution(machine).pause(soon())
      await write(machine, 0xc000, 0x78, 0x20, 0x10, 0xc0) // SEI; JSR $C010
      await write(machine, 0xc010, 0x4c, 0x10, 0xc0) // JMP $C010
      await setRegister(machine, 'PC', 0xc001)
      await expect(stepping(machine).step(1, true, soon())).rejects.toThrow('The step is not finished yet')
      expect(machine.status.execution).toBe('running')
      await execution(machine).pause(soon())
      expect(await programCounter(machine)).toBe(0xc010)
    } finally {
      await machine.disconnect()
      await vice.stop()
    }
  },
)
