/** Switching workspaces in the real window, with the four live views of the machine open. */
import type { Page } from 'playwright'
import { launchApp, untilLive } from '../support/launchApp'
import { median, percentile, type Row } from './row'

/** Wide enough for the four views side by side. */
const SIZE = '1800x1000'
const TURNS = 20

export default async function workspaces(): Promise<Row[]> {
  const { page, close } = await launchApp({ args: ['--size', SIZE] })
  try {
    await untilLive(page)
    const first = [...(await switches(page, ['Devices', 'Projects', 'Machine'], 1))]
    const times = await switches(page, ['Devices', 'Machine', 'Projects', 'Machine'], TURNS)
    const bare = await switches(page, ['Machine'], TURNS)
    const p95 = percentile(times, 0.95)
    return [
      {
        name: 'switching workspaces, to the paint after it, median',
        value: median(times),
        unit: 'ms',
        bare: median(bare),
        note: `${times.length} times; bare is a click on the workspace that is shown; opened first ${Math.max(...first).toFixed(0)} ms`,
      },
      {
        name: 'the same, p95',
        value: p95,
        unit: 'ms',
        bare: percentile(bare, 0.95),
        target: 'under 50 ms',
        met: p95 < 50,
      },
    ]
  } finally {
    await close()
  }
}

/** From each click on the activity bar to the end of the first paint that shows its workspace, ms. */
const switches = (page: Page, names: readonly string[], turns: number): Promise<number[]> =>
  page.evaluate(
    async ([names, turns]) => {
      const paint = () =>
        new Promise<void>((done) =>
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel()
            port1.onmessage = () => done()
            port2.postMessage(null)
          }),
        )
      const times: number[] = []
      for (let turn = 0; turn < turns; turn++) {
        for (const name of names) {
          const button = document.querySelector<HTMLElement>(`.activity-bar [aria-label^="${name}"]`)
          if (!button) throw new Error(`There is no workspace ${name}.`)
          const started = performance.now()
          button.click()
          do await paint()
          while (!button.hasAttribute('aria-current'))
          times.push(performance.now() - started)
          await new Promise((done) => setTimeout(done, 100))
        }
      }
      return times
    },
    [names, turns] as const,
  )
