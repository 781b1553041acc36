import { assert, boolean, constantFrom, integer, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { NotedWrite } from '@shared/contract/running'
import { TracedCpu, type TracedWrite } from '../../../test/support/busTrace'
import { randomNumbers } from '../../../test/fuzz/fuzz'
import { BusWrites } from './busWrites'

type How = Pick<NotedWrite, 'by' | 'cause' | 'cycle' | 'target'>
type Seen = How & { readonly address: number; readonly value: number }

const ENTRIES = 360

/** All writes that the bus shows, with packets lost as wanted. */
function watched(entries: readonly number[], isLost: (packet: number) => boolean = () => false): Seen[] {
  const seen: Seen[] = []
  const writes = new BusWrites({
    written: (address, value, how) => seen.push({ address, value, ...how }),
    read: () => undefined,
  })
  for (let address = 0; address < 0x10000; address++) writes.watch(address)
  for (let at = 0; at < entries.length; at += ENTRIES) {
    if (isLost(at / ENTRIES)) writes.lost(1, true)
    else writes.entries(Int32Array.from(entries.slice(at, at + ENTRIES)))
  }
  return seen
}

describe('writes that the bus shows of any program', () => {
  const anySetting = record({
    seed: integer(),
    jams: boolean(),
    badLines: constantFrom(0, 100, 400),
    irqs: constantFrom(0, 60, 1_000),
    nmis: constantFrom(0, 300),
    lost: constantFrom(0, 0, 5, 40),
  })
  const jams = (opcode: number): boolean => (opcode & 0x1f) === 0x12 || (opcode & 0x9f) === 0x02

  /** Throws unless each write is of the right instruction, of an interrupt, or unknown. */
  function expectTrue({ by, cause, cycle, address, value }: Seen, truth: TracedWrite | undefined): void {
    const isWriter = by?.address === truth?.by?.address && (by?.text === truth?.by?.text || by?.text === 'JSR')
    const isRight = by ? isWriter : cause === null || (cause === 'interrupt' && truth?.by === null)
    const isThere = address === truth?.address && value === truth.value && (cycle === null || cycle === truth.index + 1)
    if (!isRight || !isThere) throw new Error(`${JSON.stringify({ by, cause, cycle })} is ${JSON.stringify(truth)}`)
  }

  it('are of the right instruction or of an unknown one, whatever runs and whatever is lost', () => {
    let known = 0
    let all = 0
    assert(
      property(anySetting, ({ seed, lost, jams: mayJam, ...disturbances }) => {
        const random = randomNumbers(seed)
        const traced = new TracedCpu({ random, ...disturbances })
        for (let at = 0; at < 0x10000; at++) {
          const byte = (random() >> 8) & 0xff
          traced.ram[at] = !mayJam && jams(byte) ? 0xea : byte
        }
        traced.reset(0x1000)
        while (traced.entries.length < 40 * ENTRIES) traced.step()
        const dropped = new Set(
          Array.from({ length: 60 }, (_, packet) => packet).filter((packet) => packet > 0 && random() % 100 < lost),
        )
        const isLost = (packet: number): boolean => dropped.has(packet)
        const truth = traced.writes.filter(({ index }) => !isLost(Math.floor(index / ENTRIES)))
        const seen = watched(traced.entries, isLost)
        expect(seen.length).toBe(truth.length)
        seen.forEach((write, index) => expectTrue(write, truth[index]))
        if (lost > 0 || mayJam) return
        known += seen.filter(({ cause }) => cause !== null).length
        all += seen.length
      }),
      { numRuns: 60 },
    )
    expect(known).toBeGreaterThanOrEqual(all * 0.9)
  })
})

/** Cycles as in the data sheet: “r C000 A9” or “w 0200 01”; “wait” is one that the VIC-II takes, “!” a write beside it. */
function entriesOf(cycles: string): number[] {
  return cycles.split(',').map((text) => {
    const [what = '', address = '', data = ''] = text.trim().split(' ')
    if (what === 'wait') return 0xef003fff
    const high = what === 'r' ? 0xff000000 : what === '!' ? 0xee000000 : 0xfe000000
    return (high | (Number.parseInt(data, 16) << 16) | Number.parseInt(address, 16)) >>> 0
  })
}

const INC = 'r C000 EE, r C001 00, r C002 04, r 0400 41, w 0400 41, w 0400 42'
const JSR = 'r C003 20, r C004 0A, r 01F5 00, w 01F5 C0, w 01F4 05, r C005 C0'
const PHA = 'r C00A 48, r C00B 68, w 01F3 AA'
const PLA = 'r C00B 68, r C00C 60, r 01F2 00, r 01F3 AA'
const RTS = 'r C00C 60, r C00D 00, r 01F3 AA, r 01F4 05, r 01F5 C0, r C005 C0'
const JMP = 'r C006 4C, r C007 00, r C008 C0'
const LOOP = [INC, JSR, PHA, PLA, RTS, JMP].join()
const LOOPS = Array(3).fill(LOOP).join()

const told = (seen: readonly Seen[]): string[] =>
  seen.map(({ address, value, by, cause }) => `${address.toString(16)}=${value.toString(16)} ${by?.text ?? cause}`)

describe('a write that the bus shows', () => {
  const after = (cycles: string): string[] =>
    told(watched(entriesOf([LOOPS, cycles].join()))).slice(told(watched(entriesOf(LOOPS))).length)

  it('is unknown until only one account of the cycles is left', () => {
    const seen = told(watched(entriesOf(LOOPS)))
    expect(seen[0]).toBe('400=41 null')
    expect(seen.slice(-5)).toEqual([
      '400=41 INC $0400',
      '400=42 INC $0400',
      '1f5=c0 JSR $C00A',
      '1f4=5 JSR $C00A',
      '1f3=aa PHA',
    ])
  })

  it('is of the instruction that was read, whatever is in memory by then', () => {
    expect(after('r C000 8D, r C001 01, r C002 C0, w C001 55, r C003 8D, r C004 03, r C005 C0, w C003 EA')).toEqual([
      'c001=55 STA $C001',
      'c003=ea STA $C003',
    ])
  })

  it('is of an interrupt where that pushes', () => {
    const irq = 'r C000 EE, r C000 EE, w 01F5 C0, w 01F4 00, w 01F3 20, r FFFE 00, r FFFF C1'
    const rti = 'r C100 40, r C101 00, r 01F2 00, r 01F3 20, r 01F4 00, r 01F5 C0'
    expect(after([irq, rti, INC].join())).toEqual([
      '1f5=c0 interrupt',
      '1f4=0 interrupt',
      '1f3=20 interrupt',
      '400=41 INC $0400',
      '400=42 INC $0400',
    ])
  })

  it('is of the right instruction where the VIC-II takes cycles', () => {
    const waits = Array(40).fill('wait').join()
    const inc = `r C000 EE, ${waits}, r C001 00, r C002 04, r 0400 41, ! 0400 41, ! 0400 42, ${waits}`
    expect(after([inc, JSR].join())).toEqual([
      '400=41 INC $0400',
      '400=42 INC $0400',
      '1f5=c0 JSR $C00A',
      '1f4=5 JSR $C00A',
    ])
  })

  it('is of DMA where the Ultimate has stopped the CPU, and unknown after that until only one account is left', () => {
    const idle = Array(6).fill('r FFFF 00').join()
    const seen = after([`r C000 EE, ${idle}, w 0400 99, w 0401 98, r FFFF 00`, LOOPS, INC].join())
    expect(seen.slice(0, 3)).toEqual(['400=99 dma', '401=98 dma', '400=41 null'])
    expect(seen.at(-1)).toBe('400=42 INC $0400')
  })

  it('that no instruction can have made is unknown', () => {
    expect(after('r C000 EE, w 0400 77')).toEqual(['400=77 null'])
    expect(after(`r C000 EE, ${Array(9).fill('wait').join()}, ! 0400 77`)).toEqual(['400=77 null'])
  })

  it('is unknown after a lost packet, and its cycle goes on', () => {
    const packet = entriesOf(Array(20).fill(LOOP).join()).slice(0, ENTRIES)
    const seen = watched([...packet, ...packet, ...packet], (number) => number === 1)
    const [first, ...others] = seen.filter(({ cycle }) => (cycle ?? 0) > 2 * ENTRIES)
    expect(first).toMatchObject({ by: null, cause: null, cycle: 2 * ENTRIES + 5 })
    expect(others.at(-1)?.by).not.toBeNull()
  })

  it('after packets that nobody counted has no cycle', () => {
    const seen: How[] = []
    const writes = new BusWrites({ written: (_address, _value, how) => seen.push(how), read: () => undefined })
    writes.watch(0x0400)
    writes.lost(1, false)
    writes.entries(Int32Array.from(entriesOf(LOOP)))
    expect(seen.map(({ cycle }) => cycle)).toEqual([null, null])
  })

  it('comes with what the expansion port and the 6510’s port make of it', () => {
    const sta = (low: string, high: string): string => `r C000 8D, r C001 ${low}, r C002 ${high}, w ${high}${low} 07`
    const jmp = 'r C003 4C, r C004 00, r C005 C0'
    const targets = (cycles: string): (string | null)[] =>
      watched(entriesOf([LOOPS, cycles].join()))
        .filter(({ by }) => by?.text.startsWith('STA $'))
        .map(({ target }) => target)
    const port = (value: string): string =>
      `r C000 A9, r C001 ${value}, r C002 85, r C003 01, w 0001 00, r C004 4C, r C005 00, r C006 C0`
    const direction = `r C000 A9, r C001 2F, r C002 85, r C003 00, w 0000 00, r C004 4C, r C005 00, r C006 C0`
    const io = [sta('20', 'D0'), jmp].join()
    expect(targets([sta('00', 'E0'), jmp, io].join())).toEqual(['ram', null])
    expect(targets([port('35'), io].join())).toEqual(['port', 'io'])
    expect(targets([port('34'), io].join())).toEqual(['port', null])
    expect(targets([direction, port('34'), io].join())).toEqual(['port', 'port', 'ram'])
    expect(targets([direction, port('34'), 'r C000 EA, r C001 00, w 0001 00', LOOPS, io].join())).toEqual([
      'port',
      'port',
      null,
    ])
    const ultimax = entriesOf(io).map((entry) => (entry & ~0x40000000) >>> 0)
    expect(watched([...entriesOf(LOOPS), ...ultimax]).at(-1)?.target).toBe('io')
    const nowhere = entriesOf(sta('00', 'A0')).map((entry) => (entry & ~0x40000000) >>> 0)
    expect(watched([...entriesOf(LOOPS), ...nowhere]).at(-1)?.target).toBe('nothing')
  })
})
