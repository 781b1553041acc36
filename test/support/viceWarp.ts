/** How fast x64sc is in warp. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { clockRates } from '@shared/c64/registers'
import { demo, viceRomOptions } from './ownRoms'

/** Two runs, so that what start and end take does not count. */
const SHORT_RUN_CYCLES = 20_000_000
const LONG_RUN_CYCLES = 120_000_000
const DEADLINE_MS = 300_000

/** Times real speed, with the demo and without sound; undefined where there is no x64sc. Needs a display. */
export async function viceWarpFactor(): Promise<number | undefined> {
  const short = await runFor(SHORT_RUN_CYCLES)
  const long = await runFor(LONG_RUN_CYCLES)
  if (short === undefined || long === undefined) return undefined
  return (LONG_RUN_CYCLES - SHORT_RUN_CYCLES) / clockRates.pal / ((long - short) / 1000)
}

/** Milliseconds until x64sc ended after so many cycles. */
async function runFor(cycles: number): Promise<number | undefined> {
  const options = ['-warp', '+sound', '-autostartprgmode', '1', '-autostart', demo, '-limitcycles', String(cycles)]
  const started = performance.now()
  const child = spawn('x64sc', [...viceRomOptions(), ...options], { stdio: 'ignore', timeout: DEADLINE_MS })
  const missing = once(child, 'error').then(() => undefined)
  const ended = once(child, 'exit').then(() => performance.now() - started)
  return Promise.race([missing, ended])
}
