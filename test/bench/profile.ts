/** How much of the built-in C64's speed a profile takes, while it is on. */
import { readFileSync } from 'node:fs'
import { C64 } from '../../src-main/machine/builtin/c64'
import { Checkpoints } from '../../src-main/machine/builtin/checkpoints'
import { TimeTravel } from '../../src-main/machine/builtin/past/timeTravel'
import { Profiler } from '../../src-main/machine/builtin/profiler'
import { demo, readRoms } from '../support/ownRoms'
import { median, type Row } from './row'

const WARM_UP_FRAMES = 300
const TURNS = 15
const TURN_FRAMES = 100

export default function profile(): Promise<Row[]> {
  const roms = readRoms()
  const c64 = new C64(roms, 'pal')
  new TimeTravel(c64, roms).input({ kind: 'program', file: new Uint8Array(readFileSync(demo)) })
  const none = new Checkpoints()
  const run = (frames: number, profiler?: Profiler): number => {
    const started = performance.now()
    for (let frame = 0; frame < frames; frame++)
      if (profiler) c64.runFollowed(none, profiler)
      else c64.runFrame()
    return frames / (performance.now() - started)
  }
  const profiler = new Profiler(c64, Infinity)
  run(WARM_UP_FRAMES)
  run(WARM_UP_FRAMES, profiler)
  const bare: number[] = []
  const followed: number[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    bare.push(run(TURN_FRAMES))
    followed.push(run(TURN_FRAMES, profiler))
  }
  const value = (1 - median(followed) / median(bare)) * 100
  return Promise.resolve([{ name: 'share of the speed that a profile takes while it is on', value, unit: '%' }])
}
