/** The interrupts of a frame, and a trace, on a real VICE. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { formatLocation, locationOf } from '@shared/c64/banking'
import { toFailure } from '@shared/contract/errors'
import type { Interrupts } from '@shared/contract/running'
import { requireFacet, type Machine } from '../../src-main/machine/machine'
import { lacks } from '../support/parts'
import { eventually } from './eventually'
import { attachedMachine, read, soon, startVice, write, type RunningVice } from './support'

const LINE = 63
const FRAME = LINE * 312
const [LDA, STA, INC, JMP, RTI, PHA, PLA, NOP, SEI, CLI] = [0xa9, 0x8d, 0xee, 0x4c, 0x40, 0x48, 0x68, 0xea, 0x78, 0x58]

const lda = (value: number) => [LDA, value]
const sta = (address: number) => [STA, address & 0xff, address >> 8]
const put = (address: number, value: number) => [...lda(value), ...sta(address)]
const vector = (address: number, to: number) => [...put(address, to & 0xff), ...put(address + 1, to >> 8)]
const acknowledge = [INC, 0x19, 0xd0]
/** Own vectors in RAM, I/O visible, only the raster interrupts, of the given line, to $C100. */
const begin = (line: number) => [
  SEI,
  ...put(0xdc0d, 0x7f),
  0xad,
  0x0d,
  0xdc,
  ...lda(0x35),
  0x85,
  0x01,
  ...vector(0xfffe, 0xc100),
  ...put(0xd011, 0x1b),
  ...put(0xd012, line),
  ...put(0xd01a, 1),
  ...acknowledge,
  CLI,
]

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
      const checkpoints = requireFacet(machine, 'checkpoints')
      for (const { number } of await checkpoints.list(soon())) await checkpoints.delete(number, soon())
      await requireFacet(machine, 'reset').reset('power', soon())
      await eventually(async () => (await read(machine, 0x0400, 1000)).includes(0x12)).toBe(true)
    }
    await machine.disconnect()
  })

  /** Puts code at $C000, and other code at other places, and lets it run until it sets $02 to 1. */
  async function run(code: readonly number[], others: Readonly<Record<number, readonly number[]>> = {}): Promise<void> {
    await requireFacet(machine, 'pause').pause(soon())
    await write(machine, 0x0002, 0)
    for (const [address, bytes] of Object.entries(others)) await write(machine, Number(address), ...bytes)
    const whole = [...code, INC, 0x02, 0x00]
    const end = 0xc000 + whole.length
    await write(machine, 0xc000, ...whole, NOP, JMP, end & 0xff, end >> 8)
    await requireFacet(machine, 'setRegisters').write('PC', 0xc000, soon())
    await requireFacet(machine, 'pause').resume(soon())
    await eventually(async () => (await read(machine, 0x0002))[0]).not.toBe(0)
  }
  const follow = (frames = 1): Promise<Interrupts> => requireFacet(machine, 'interrupts').follow(frames, soon())
  const shown = ({ spans }: Interrupts) =>
    spans.map(({ kind, handler, depth, start, end }) => ({
      kind,
      handler,
      depth,
      lines: [start, end ?? -1].map((cycle) => Math.floor(cycle / LINE)),
    }))

  describe('the interrupts of a frame', () => {
    it('are those of the KERNAL, with the handler that its vector leads to, and it runs on', async () => {
      const found = await follow(3)
      expect(found).toMatchObject({ cyclesPerLine: 63, linesPerFrame: 312, isCut: false })
      expect(found.cycles).toBeGreaterThanOrEqual(3 * FRAME)
      expect(found.cycles).toBeLessThan(3 * FRAME + 20)
      expect(found.spans.length).toBeGreaterThanOrEqual(3)
      for (const { kind, entry, handler, start, end, cycles, depth, waited } of found.spans) {
        expect({ kind, entry, handler, depth, waited }).toEqual({
          kind: 'irq',
          entry: locationOf('rom', 0xff48),
          handler: locationOf('rom', 0xea31),
          depth: 0,
          waited: null,
        })
        expect(formatLocation(handler)).toBe('$EA31')
        if (end !== null) expect(cycles).toBe(end - start)
      }
      expect(machine.status.execution).toBe('running')
      expect(await requireFacet(machine, 'checkpoints').list(soon())).toEqual([])
    })

    it('are those of a chain of raster interrupts that change their vector', async () => {
      const handler = (line: number, next: number) => [
        PHA,
        ...acknowledge,
        ...put(0xd012, line),
        ...vector(0xfffe, next),
        PLA,
        RTI,
      ]
      await run(begin(40), { 0xc100: handler(200, 0xc200), 0xc200: handler(40, 0xc100) })
      const found = shown(await follow(2))
      expect(found.map(({ handler, lines: [from] }) => [handler, from])).toEqual([
        [0xc100, 40],
        [0xc200, 200],
        [0xc100, 40 + 312],
        [0xc200, 200 + 312],
      ])
      for (const {
        lines: [from = 0, to = 0],
      } of found)
        expect(to - from).toBeLessThan(3)
    })

    it('are nested where an NMI comes within an IRQ, though one vector has both', async () => {
      // The handler of both waits, long enough for the NMI of CIA 2’s timer, which it starts where it is an IRQ.
      const wait = [0xa2, 0xff, 0xca, 0xd0, 0xfd]
      const body = [
        PHA,
        0x8a,
        PHA,
        0xad,
        0x0d,
        0xdd,
        0x30,
        0x10,
        ...acknowledge,
        ...put(0xdd0e, 0x19),
        ...wait,
        NOP,
        NOP,
        NOP,
        0x68,
        0xaa,
        PLA,
        RTI,
      ]
      const timer = [...put(0xdd04, 0x80), ...put(0xdd05, 0x00), ...put(0xdd0d, 0x7f), ...put(0xdd0d, 0x81)]
      await run([...timer, ...vector(0xfffa, 0xc100), ...begin(100)], { 0xc100: body })
      const { spans } = await follow()
      expect(spans.map(({ kind, handler, depth }) => [kind, handler, depth])).toEqual([
        ['irq', 0xc100, 0],
        ['nmi', 0xc100, 1],
      ])
      const [irq, nmi] = spans
      if (!irq || !nmi || irq.end === null || nmi.end === null) throw new Error('One did not end.')
      expect(nmi.start).toBeGreaterThan(irq.start)
      expect(nmi.end).toBeLessThan(irq.end)
      expect(irq.cycles).toBe(irq.end - irq.start - (nmi.end - nmi.start))
    })

    it('end where a handler drops what it would return to', async () => {
      const away = [...acknowledge, PLA, PLA, PLA, CLI, JMP, 0x00, 0xc3]
      await run(begin(50), { 0xc100: away, 0xc300: [NOP, JMP, 0x00, 0xc3] })
      const [span, ...others] = (await follow()).spans
      expect(others).toEqual([])
      expect(span?.end).not.toBeNull()
      expect(span?.cycles).toBeLessThan(40)
    })

    it('do not count a BRK, or a program that reads a vector', async () => {
      const reads = [0xad, 0xfe, 0xff, 0x00, NOP] // LDA $FFFE; BRK
      const brk = [PHA, 0xad, 0x19, 0xd0, 0x29, 0x01, 0xf0, 0x03, ...acknowledge, PLA, RTI]
      await run([...begin(60), INC, 0x02, 0x00, ...reads, JMP, 0x27 + 3, 0xc0], { 0xc100: brk })
      const found = shown(await follow())
      expect(found.map(({ lines: [from] }) => from)).toEqual([60])
    })

    it('are as many as come one right after the other', async () => {
      // Timer A of CIA 1 asks again before the handler ends.
      const timer = [
        SEI,
        ...put(0xdc0d, 0x7f),
        ...put(0xdc04, 40),
        ...put(0xdc05, 0),
        ...put(0xdc0d, 0x81),
        ...put(0xdc0e, 0x11),
      ]
      const handler = [0xad, 0x0d, 0xdc, ...new Array<number>(20).fill(NOP), RTI]
      await run([...timer, ...lda(0x35), 0x85, 0x01, ...vector(0xfffe, 0xc100), INC, 0x02, 0x00, CLI], {
        0xc100: handler,
      })
      const { spans, cycles } = await follow()
      expect(spans.length).toBeGreaterThan(200)
      expect(spans.every(({ depth }) => depth === 0)).toBe(true)
      for (const [at, { start }] of spans.entries()) {
        const before = spans[at - 1]
        if (before) expect(before.end).toBeLessThanOrEqual(start)
      }
      const taken = spans.reduce((all, span) => all + span.cycles, 0)
      expect(taken).toBeLessThanOrEqual(cycles)
      expect(taken / cycles).toBeGreaterThan(0.9)
    })

    it('end with what there is where a checkpoint or a pause stops the machine', async () => {
      const handler = [PHA, ...acknowledge, PLA, RTI]
      await run(begin(90), { 0xc100: handler })
      const checkpoints = requireFacet(machine, 'checkpoints')
      const following = follow(50)
      const { number } = await checkpoints.set(
        {
          start: 0xc104,
          end: 0xc104,
          operations: ['exec'],
          stop: true,
          enabled: true,
          temporary: false,
          condition: null,
          fromHit: 1,
          log: null,
        },
        soon(),
      )
      expect((await following).cycles).toBeLessThan(50 * FRAME)
      expect(machine.status.execution).toBe('paused')
      expect((await checkpoints.list(soon())).map((each) => each.number)).toEqual([number])
      await checkpoints.delete(number, soon())
      const again = follow(50)
      await eventually(() => machine.status.execution).toBe('running')
      await requireFacet(machine, 'pause').pause(soon())
      expect((await again).cycles).toBeLessThan(50 * FRAME)
      expect(machine.status.execution).toBe('paused')
      expect(await checkpoints.list(soon())).toEqual([])
    })

    it('leave a machine that stood standing, and nothing behind when they are cancelled or it is disconnected', async () => {
      await requireFacet(machine, 'pause').pause(soon())
      expect((await follow()).cycles).toBeGreaterThanOrEqual(FRAME)
      expect(machine.status.execution).toBe('paused')
      await requireFacet(machine, 'pause').resume(soon())
      const cancelled = new AbortController()
      const following = requireFacet(machine, 'interrupts').follow(50, cancelled.signal)
      await expect(follow()).rejects.toMatchObject({ code: 'BUSY' })
      await expect(requireFacet(machine, 'step').step(1, false, soon())).rejects.toMatchObject({ code: 'BUSY' })
      cancelled.abort()
      await expect(following).rejects.toMatchObject({ code: 'CANCELLED' })
      expect(await requireFacet(machine, 'checkpoints').list(soon())).toEqual([])
      expect(machine.status.execution).toBe('running')
      const lost = follow(50)
      const rejected = expect(lost).rejects.toMatchObject({ code: 'CANCELLED' })
      await machine.disconnect()
      await rejected
      await machine.connect(soon())
      expect(await requireFacet(machine, 'checkpoints').list(soon())).toEqual([])
      expect(machine.status.execution).toBe('running')
    })
  })

  describe('a trace', () => {
    const trace = (count: number, frames: number | null = null) =>
      requireFacet(machine, 'trace').trace(count, frames, soon())

    it('has each instruction with the machine before it, and interrupts, one after the other', async () => {
      await run(begin(100), { 0xc100: [PHA, ...acknowledge, PLA, RTI] })
      const { traced: first, limit } = await trace(5)
      expect(machine.status.execution).toBe('paused')
      expect(limit).toBeGreaterThan(0)
      expect(first).toHaveLength(5)
      const all = [...first]
      while (!all.some(({ interrupt }) => interrupt !== null)) all.push(...(await trace(500)).traced)
      all.push(...(await trace(8)).traced)
      const at = all.findIndex(({ interrupt }) => interrupt !== null)
      const [before, taken, entry, ...rest] = all.slice(at - 1, at + 6)
      if (!before || !taken || !entry) throw new Error('It is not whole.')
      expect(taken).toMatchObject({ interrupt: 'irq', bytes: [], clock: null, line: null, lineCycle: null })
      expect(entry).toMatchObject({ pc: 0xc100, bytes: [PHA], sp: taken.sp - 3, line: 100, clock: null })
      expect(rest.map(({ pc }) => pc)).toEqual([0xc101, 0xc104, 0xc105, taken.pc])
      expect(rest.at(-1)).toMatchObject({ sp: taken.sp, flags: taken.flags, a: taken.a })
      // NOP and JMP in turns, at the cycles of the raster; below VICE 3.9 not from where it was stopped.
      const loop = all.slice(2, Math.min(at, 200))
      for (const [index, { bytes, line, lineCycle }] of loop.entries()) {
        const next = loop[index + 1]
        if (!next || line === null || lineCycle === null || next.line === null || next.lineCycle === null) continue
        expect(next.bytes[0]).toBe(bytes[0] === NOP ? JMP : NOP)
        const cycles = (next.line * LINE + next.lineCycle - line * LINE - lineCycle + FRAME) % FRAME
        expect(cycles).toBeGreaterThanOrEqual(bytes[0] === NOP ? 2 : 3)
      }
    })

    it('ends at a checkpoint before its instruction, at a jam, and after a part of a frame', async () => {
      await run([SEI])
      const [, here] = (await trace(2)).traced
      const checkpoints = requireFacet(machine, 'checkpoints')
      const place = { start: here?.pc ?? 0, end: here?.pc ?? 0, operations: ['exec' as const] }
      const other = { enabled: true, temporary: false, condition: null, fromHit: 1 }
      await checkpoints.set({ ...place, ...other, stop: false, log: 'here' }, soon())
      const { number } = await checkpoints.set({ ...place, ...other, stop: true, log: null }, soon())
      for (let turn = 0; turn < 3; turn++) {
        const { traced, stoppedBy } = await trace(10)
        expect(stoppedBy).toBe('checkpoint')
        expect(traced.length).toBeLessThanOrEqual(2)
        expect(await requireFacet(machine, 'registers').read(soon())).toContainEqual({
          name: 'PC',
          bits: 16,
          value: here?.pc,
        })
        await eventually(() => machine.status.stop).toMatchObject({ checkpoint: number })
      }
      for (const each of await checkpoints.list(soon())) await checkpoints.delete(each.number, soon())
      const { cycles, cyclesPerFrame, stoppedBy } = await trace(5_000, 0.01)
      expect([cyclesPerFrame, stoppedBy]).toEqual([FRAME, null])
      expect(cycles).toBeGreaterThanOrEqual(Math.round(0.01 * FRAME))
      expect(cycles).toBeLessThan(0.01 * FRAME + 10)
      await write(machine, here?.pc ?? 0, 0x02)
      const jammed = await trace(10)
      expect(jammed.stoppedBy).toBe('jam')
      expect(jammed.traced.at(-1)?.bytes).toEqual([0x02])
      await expect(trace(1)).rejects.toMatchObject({ code: 'CONFLICT' })
    })

    it('is cancelled between two instructions', async () => {
      await requireFacet(machine, 'pause').pause(soon())
      // A fast VICE may have traced all before it is cancelled.
      await eventually(async () => {
        const cancelled = new AbortController()
        const tracing = requireFacet(machine, 'trace').trace(500, null, cancelled.signal)
        const end = tracing.then(
          () => null,
          (error: unknown) => toFailure(error).code,
        )
        await read(machine, 0)
        cancelled.abort()
        return end
      }).toBe('CANCELLED')
      expect(machine.status.execution).toBe('paused')
      await requireFacet(machine, 'pause').resume(soon())
    })
  })

  it('says why it cannot be profiled', () => {
    expect(() => requireFacet(machine, 'profile')).toThrow('at each instruction')
  })
})
