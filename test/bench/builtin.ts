/** The built-in C64: how much faster than real time it can run, what real time costs, and how exact it is. */
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Space } from '@shared/contract/memory'
import { defaultHistory, defaultModels } from '@shared/contract/machine'
import { BuiltinMachine } from '../../src-main/machine/builtin/driver'
import { foreignCore, ourCore, type RunningCore } from '../support/cpuCores'
import { viceWarpFactor } from '../support/viceWarp'
import { median, type Row } from './row'

const output = resolve(import.meta.dirname, '../../out')
const resources = resolve(output, 'resources/c64')
const ourRoms = { kernal: null, basic: null, character: null }

const WARP_TURNS = 4
const WARP_TURN_SECONDS = 3
const REAL_TIME = 20_000
const CORE_TURNS = 12
const CORE_TURN_CYCLES = 5_000_000
const PAL_FRAME_RATE = 50.1245

/** What the window's four views want. */
const everything: readonly Space[] = ['cpu', 'ram', 'io', 'colorRam']

/**
 * Counts frames in $C000/$C001.
 *
 *   10 SYS 2061
 *   $080D  SEI
 *   $080E  LDA $D012; CMP #$F8; BNE $080E
 *   $0815  INC $C000; BNE $081D; INC $C001
 *   $081D  LDA $D012; CMP #$F8; BEQ $081D; BNE $080E
 */
const countFrames = Uint8Array.from([
  0x01, 0x08, 0x0b, 0x08, 0x0a, 0x00, 0x9e, 0x32, 0x30, 0x36, 0x31, 0x00, 0x00, 0x00, 0x78, 0xad, 0x12, 0xd0, 0xc9,
  0xf8, 0xd0, 0xf9, 0xee, 0x00, 0xc0, 0xd0, 0x03, 0xee, 0x01, 0xc0, 0xad, 0x12, 0xd0, 0xc9, 0xf8, 0xf0, 0xf9, 0xd0,
  0xe8,
])

const store = (value: number, address: number) => [0xa9, value, 0x8d, address & 0xff, address >> 8]
const increment = (address: number) => [0xee, address & 0xff, address >> 8]

/** 10 SYS 2061, eight large sprites, and splits in every line: of the two background colours, and of 38 and 40 columns. */
const splits = Uint8Array.from([
  ...countFrames.subarray(0, 14),
  0x78,
  ...store(0x7f, 0xdc0d),
  ...Array.from({ length: 8 }, (_, sprite) => [
    ...store((24 + 40 * sprite) & 0xff, 0xd000 + 2 * sprite),
    ...store(60 + 16 * sprite, 0xd001 + 2 * sprite),
    ...store(0x20, 0x07f8 + sprite),
  ]).flat(),
  ...store(0xff, 0xd015),
  ...store(0xff, 0xd017),
  ...store(0xff, 0xd01d),
  ...store(0x55, 0xd01c),
  // $089F
  ...increment(0xd020),
  ...store(0xc0, 0xd016),
  ...increment(0xd021),
  ...store(0xc8, 0xd016),
  0x4c,
  0x9f,
  0x08,
])

export default async function builtin(): Promise<Row[]> {
  const rows: Row[] = []
  const machine = await start(resolve(resources, 'demo.prg'))
  try {
    await machine.speed.setWarp(true, AbortSignal.timeout(5_000))
    const { bare, watched } = await warpFactors(machine)
    rows.push(
      {
        name: 'warp with the demo, nobody watching',
        value: bare,
        unit: 'x',
        target: 'at least 10x',
        met: bare >= 10,
      },
      {
        name: 'warp with the demo, four views watching',
        value: watched,
        unit: 'x',
        bare,
        note: 'bare: nobody watching',
      },
    )

    await machine.speed.setWarp(false, AbortSignal.timeout(5_000))
    const watchedShare = await processorShare()
    await watch(machine, false)
    const bareShare = await processorShare()
    rows.push({
      name: 'share of a core at 1.0x, four views watching',
      value: watchedShare,
      unit: '%',
      bare: bareShare,
      target: 'under 20 %',
      met: watchedShare < 20,
      note: 'bare: nobody watching',
    })
  } finally {
    await machine.disconnect()
  }
  rows.push(await splitsWarp(), await exactness(), coreSpeed(), await viceWarp(rows[0]?.value ?? Number.NaN))
  return rows
}

async function start(autorun: string | null): Promise<BuiltinMachine> {
  const workerPath = resolve(output, 'main/builtinWorker.cjs')
  const machine = new BuiltinMachine({
    workerPath,
    resources,
    roms: ourRoms,
    standard: 'pal',
    models: defaultModels,
    history: defaultHistory,
    statePath: null,
    autorun,
  })
  await machine.connect(AbortSignal.timeout(10_000))
  // The prompt comes first, then the program.
  await delay(4_000)
  return machine
}

async function watch(machine: BuiltinMachine, isWatched: boolean): Promise<void> {
  await machine.setSampling(
    isWatched
      ? { mode: 'free', rate: 50, spaces: everything, picture: true }
      : { mode: 'off', rate: 50, spaces: [], picture: false },
  )
}

/** Medians of what the machine says its speed is, once a second, in turns, so that a noisy machine disturbs both alike. */
async function warpFactors(machine: BuiltinMachine): Promise<{ bare: number; watched: number }> {
  const bare: number[] = []
  const watched: number[] = []
  for (let turn = 0; turn < WARP_TURNS; turn++) {
    await watch(machine, false)
    bare.push(...(await speeds(machine)))
    await watch(machine, true)
    watched.push(...(await speeds(machine)))
  }
  return { bare: median(bare), watched: median(watched) }
}

async function speeds(machine: BuiltinMachine): Promise<number[]> {
  // The first value is still of the turn before.
  await delay(1_500)
  const taken: number[] = []
  for (let second = 0; second < WARP_TURN_SECONDS; second++) {
    await delay(1_000)
    taken.push(machine.status.speed ?? Number.NaN)
  }
  return taken
}

async function splitsWarp(): Promise<Row> {
  const machine = await start(null)
  try {
    await machine.programs.run({ name: 'splits.prg', path: 'splits.prg', bytes: splits }, AbortSignal.timeout(10_000))
    await machine.speed.setWarp(true, AbortSignal.timeout(5_000))
    await watch(machine, false)
    const value = median(await speeds(machine))
    return {
      name: 'warp with splits in every line and eight sprites',
      value,
      unit: 'x',
      target: 'at least 6x',
      met: value >= 6,
    }
  } finally {
    await machine.disconnect()
  }
}

/** Percent of one core that this process with the machine's worker uses. */
async function processorShare(): Promise<number> {
  await delay(1_500)
  const started = performance.now()
  const before = process.cpuUsage()
  await delay(REAL_TIME)
  const { user, system } = process.cpuUsage(before)
  return ((user + system) / 1000 / (performance.now() - started)) * 100
}

/** Emulated frames, counted by a program in the machine, against the clock on the wall. */
async function exactness(): Promise<Row> {
  const machine = await start(null)
  try {
    await machine.programs.run(
      { name: 'count.prg', path: 'count.prg', bytes: countFrames },
      AbortSignal.timeout(10_000),
    )
    await delay(2_000)
    const first = await frames(machine)
    await delay(REAL_TIME)
    const last = await frames(machine)
    const rate = ((last.count - first.count) & 0xffff) / ((last.at - first.at) / 1000)
    return {
      name: 'frames a second at 1.0x',
      value: rate,
      unit: '/s',
      bare: PAL_FRAME_RATE,
      note: `bare: a real PAL C64; ratio ${(rate / PAL_FRAME_RATE).toFixed(4)}`,
    }
  } finally {
    await machine.disconnect()
  }
}

async function frames(machine: BuiltinMachine): Promise<{ count: number; at: number }> {
  const [low = 0, high = 0] = await machine.readMemory(
    { space: 'ram', address: 0xc000, length: 2 },
    AbortSignal.timeout(5_000),
  )
  return { count: low + 256 * high, at: performance.now() }
}

/** Our CPU against that of 6502.ts, in short turns, so that a noisy machine disturbs both alike. */
function coreSpeed(): Row {
  const ours = ourCore()
  const foreign = foreignCore()
  const speeds = { ours: [] as number[], foreign: [] as number[] }
  for (let turn = 0; turn < CORE_TURNS; turn++) {
    speeds.foreign.push(cyclesPerMicrosecond(foreign))
    speeds.ours.push(cyclesPerMicrosecond(ours))
  }
  const value = median(speeds.ours)
  const bare = median(speeds.foreign)
  return {
    name: 'the CPU alone, on a bus with RAM only',
    value,
    unit: 'MHz',
    bare,
    note: `bare: that of 6502.ts; ratio ${(value / bare).toFixed(2)}`,
  }
}

function cyclesPerMicrosecond({ bus, run }: RunningCore): number {
  const before = bus.clock
  const started = performance.now()
  run(CORE_TURN_CYCLES)
  return (bus.clock - before) / 1000 / (performance.now() - started)
}

async function viceWarp(ours: number): Promise<Row> {
  const value = await viceWarpFactor()
  return {
    name: 'warp of x64sc with the demo, without sound',
    value: value ?? Number.NaN,
    unit: 'x',
    bare: ours,
    target: 'at most 1.67 times the built-in C64’s',
    met: value === undefined || ours >= 0.6 * value,
    note: value === undefined ? 'x64sc is not installed' : 'bare: the built-in C64, nobody watching',
  }
}
