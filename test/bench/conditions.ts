/** How much of the built-in C64's speed a condition on a hot address takes. */
import { readFileSync } from 'node:fs'
import { C64 } from '../../src-main/machine/builtin/c64'
import { Checkpoints } from '../../src-main/machine/builtin/checkpoints'
import { TimeTravel } from '../../src-main/machine/builtin/past/timeTravel'
import { demo, readRoms } from '../support/ownRoms'
import { median, type Row } from './row'

const WARM_UP_FRAMES = 300
const TURNS = 15
const TURN_FRAMES = 100

/** What the demo reads most, and a condition that never holds. */
const HOT = { start: 0xd012, end: 0xd012, operations: ['load' as const] }
const CONDITION = 'A == $ff and @$d020 & $0f == 3'

export default function conditions(): Promise<Row[]> {
  const roms = readRoms()
  const c64 = new C64(roms, 'pal')
  new TimeTravel(c64, roms).input({ kind: 'program', file: new Uint8Array(readFileSync(demo)) })
  const hot = new Checkpoints()
  hot.set({ ...HOT, stop: true, enabled: true, temporary: false, condition: CONDITION, fromHit: 1, log: null })
  const run = (frames: number, checkpoints?: Checkpoints): number => {
    const started = performance.now()
    for (let frame = 0; frame < frames; frame++) c64.runFrame(checkpoints)
    return frames / (performance.now() - started)
  }
  run(WARM_UP_FRAMES)
  run(WARM_UP_FRAMES, hot)
  const bare: number[] = []
  const watched: number[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    bare.push(run(TURN_FRAMES))
    watched.push(run(TURN_FRAMES, hot))
  }
  const value = (1 - median(watched) / median(bare)) * 100
  const row = { name: 'share of the speed that a condition on a hot address takes', value, unit: '%' }
  return Promise.resolve([{ ...row, target: 'at most 20 %', met: value <= 20 }])
}
