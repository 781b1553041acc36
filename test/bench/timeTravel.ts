/** Going back in the built-in C64's own time: how long it takes, and what ten minutes of it hold. */
import { readFileSync } from 'node:fs'
import { TimeTravel } from '../../src-main/machine/builtin/past/timeTravel'
import { demo, readRoms } from '../support/ownRoms'
import { memoryInUse } from '../support/memoryInUse'
import { timedC64 } from '../support/timedC64'
import { percentile, type Row } from './row'

const MINUTE = 60 * 50
const STEPS = 100
const MARKER = 0xcf00

export default async function timeTravel(): Promise<Row[]> {
  const before = usedMegabytes()
  const roms = readRoms()
  const { c64, time, run } = timedC64(roms)
  time.input({ kind: 'program', file: new Uint8Array(readFileSync(demo)) })
  run(9 * MINUTE)
  // $CF00: STA $CF00; RTS in a program that is called once, a minute before the end.
  time.input({
    kind: 'memory',
    space: 'ram',
    address: MARKER + 1,
    bytes: Uint8Array.of(0x8d, 0x00, 0xcf, 0x4c, 0x01, 0xcf),
  })
  const { cpu } = c64
  const there = cpu.pc
  time.input({ kind: 'register', name: 'PC', value: MARKER + 1 })
  c64.step(1)
  time.ran()
  time.input({ kind: 'register', name: 'PC', value: there })
  run(MINUTE)
  const held = usedMegabytes() - before

  const steps: number[] = []
  for (let step = 0; step < STEPS; step++) {
    time.goTo(time.span.end - step * 123_457)
    steps.push(timed(() => time.back('instruction', 1)))
  }
  const drags: number[] = []
  for (let drag = 0; drag < STEPS; drag++) {
    const at = time.span.start + ((time.span.end - time.span.start) * ((drag * 37) % STEPS)) / STEPS
    drags.push(timed(() => time.goTo(at)))
  }
  time.goTo(time.span.end)
  const back = timed(() => time.toWrite(MARKER))
  time.goTo(time.span.end)
  const file = time.toFile(600)
  const started = performance.now()
  await TimeTravel.fromFile(file, roms, new AbortController().signal)
  const replay = performance.now() - started
  return [
    row('step back an instruction, p95', percentile(steps, 0.95), 'ms', 30),
    row('go to any moment of ten minutes, p95', percentile(drags, 0.95), 'ms', 50),
    row('back to a write of a minute ago', back, 'ms', 2_000),
    row('what ten minutes of the demo hold', held, 'MB', 200),
    // On a computer at rest; on a busy one it may take ten times as long.
    row('replay ten minutes from a file', replay, 'ms', 60_000),
    row('the file of ten minutes', file.length / 1024, 'KiB', 1_024),
  ]
}

const row = (name: string, value: number, unit: string, limit: number): Row => ({
  name,
  value,
  unit,
  target: `under ${limit} ${unit}`,
  met: value < limit,
})

function timed(action: () => void): number {
  const started = performance.now()
  action()
  return performance.now() - started
}

const usedMegabytes = (): number => memoryInUse() / 2 ** 20
