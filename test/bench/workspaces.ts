/** Switching workspaces in the real window, with the four live views of the machine open. */
import type { Page } from 'playwright'
import { launchApp, untilLive } from '../support/launchApp'
import { addUntilPainted } from '../support/untilPainted'
import { median, percentile, type Row } from './row'

/** Wide enough for the four views side by side. */
const SIZE = '1800x1000'
const TURNS = 20

export default async function workspaces(): Promise<Row[]> {
  const { page, close } = await launchApp({ args: ['--size', SIZE] })
  try {
    await untilLive(page)
    await addUntilPainted(page)
    const first = await switches(page, ['Devices', 'Projects', 'Machine'], 1)
    const switched = await switches(page, ['Devices', 'Machine', 'Projects', 'Machine'], TURNS)
    const bare = (await switches(page, ['Machine'], TURNS)).map(({ time }) => time)
    const times = switched.map(({ time }) => time)
    const p95 = percentile(times, 0.95)
    return [
      {
        name: 'switching workspaces, to the paint after it, median',
        value: median(times),
        unit: 'ms',
        bare: median(bare),
        note: `${times.length} times; bare is a click on the workspace that is shown; opened first ${Math.max(...first.map(({ time }) => time)).toFixed(0)} ms`,
      },
      {
        name: 'the same, p95',
        value: p95,
        unit: 'ms',
        bare: percentile(bare, 0.95),
        target: 'under 50 ms',
        met: p95 < 50,
        note: slowestOfPairs(switched),
      },
    ]
  } finally {
    await close()
  }
}

interface Switch {
  /** Such as `Devices > Machine`. */
  readonly pair: string
  /** ms */
  readonly time: number
}

/** Of each pair of workspaces its p95, ms, the slowest first. */
function slowestOfPairs(switched: readonly Switch[]): string {
  const timesOf = (wanted: string) => switched.filter(({ pair }) => pair === wanted).map(({ time }) => time)
  return [...new Set(switched.map(({ pair }) => pair))]
    .map((pair) => ({ pair, p95: percentile(timesOf(pair), 0.95) }))
    .sort((a, b) => b.p95 - a.p95)
    .map(({ pair, p95 }) => `${pair} ${p95.toFixed(0)}`)
    .join(', ')
}

/** From each click on the activity bar to the end of the first paint that shows its workspace, ms. */
const switches = (page: Page, names: readonly string[], turns: number): Promise<Switch[]> =>
  page.evaluate(
    async ([names, turns]) => {
      const switched: { pair: string; time: number }[] = []
      let from = document.querySelector('.activity-bar [aria-current]')?.getAttribute('aria-label') ?? ''
      for (let turn = 0; turn < turns; turn++) {
        for (const name of names) {
          const button = document.querySelector<HTMLElement>(`.activity-bar [aria-label^="${name}"]`)
          if (!button) throw new Error(`There is no workspace ${name}.`)
          const started = performance.now()
          button.click()
          do await window.untilPainted()
          while (!button.hasAttribute('aria-current'))
          switched.push({ pair: `${from} > ${name}`, time: performance.now() - started })
          from = name
          await new Promise((done) => setTimeout(done, 100))
        }
      }
      return switched
    },
    [names, turns] as const,
  )
