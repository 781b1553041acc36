/** What of the built-in C64's speed something takes: both measured in turns, so that what else the computer does falls on both. */
import { readFileSync } from 'node:fs'
import { C64 } from '../../src-main/machine/builtin/c64'
import { TimeTravel } from '../../src-main/machine/builtin/past/timeTravel'
import { demo, readRoms } from '../support/ownRoms'
import { median } from './row'

const WARM_UP_FRAMES = 300
const TURNS = 15
const TURN_FRAMES = 100

/** The demo, started. */
export function demoRunning(): C64 {
  const roms = readRoms()
  const c64 = new C64(roms, 'pal')
  new TimeTravel(c64, roms).input({ kind: 'program', file: new Uint8Array(readFileSync(demo)) })
  return c64
}

/**
 * @param bare runs a frame without it
 * @param loaded runs a frame with it
 * @param warmUp frames before each turn, where the two cannot be warm at the same time
 * @returns per cent
 */
export function shareOfSpeed(bare: () => void, loaded: () => void, warmUp = 0): number {
  const run = (frame: () => void, frames: number): number => {
    for (let count = 0; count < warmUp; count++) frame()
    const started = performance.now()
    for (let count = 0; count < frames; count++) frame()
    return frames / (performance.now() - started)
  }
  run(bare, WARM_UP_FRAMES)
  run(loaded, WARM_UP_FRAMES)
  const speeds = Array.from({ length: TURNS }, () => [run(bare, TURN_FRAMES), run(loaded, TURN_FRAMES)] as const)
  return (1 - median(speeds.map(([, speed]) => speed)) / median(speeds.map(([speed]) => speed))) * 100
}
