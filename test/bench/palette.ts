/** The command palette over ten thousand tasks in the real window: from each typed letter to the paint of its results. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { launchApp, untilLive } from '../support/launchApp'
import { fillHome } from '../support/taskHome'
import { median, percentile, type Row } from './row'

const TASKS = 10_000
/** Each letter is measured: with many results, few and none. */
const TYPED = ['read', '0042', 'task 77', 'reset', 'vic.border', 'settings', 'zzz']

export default async function palette(): Promise<Row[]> {
  const home = await mkdtemp(join(tmpdir(), 'bridgedeck-bench-'))
  fillHome(home, TASKS)
  const { app, page, close } = await launchApp({
    args: ['--size', '1280x800'],
    environment: { C64_TASK_STATE_FILE: join(home, 'tasks.json') },
  })
  const choose = (id: string) =>
    app.evaluate(({ Menu }, id) => {
      const click = Menu.getApplicationMenu()?.getMenuItemById(id)?.click as (() => void) | undefined
      click?.()
    }, id)
  try {
    await untilLive(page)
    await choose('view.tasks')
    await page.getByText(`${TASKS} tasks`).waitFor()
    await choose('view.palette')
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor()
    const times = await letters(page, TYPED)
    const bare = await letters(page, TYPED, false)
    const p95 = percentile(times, 0.95)
    return [
      {
        name: `results over ${TASKS} tasks, to the paint after each letter, median`,
        value: median(times),
        unit: 'ms',
        bare: median(bare),
        note: `${times.length} letters; bare is a paint with nothing typed`,
      },
      {
        name: 'the same, p95',
        value: p95,
        unit: 'ms',
        bare: percentile(bare, 0.95),
        target: 'under 30 ms',
        met: p95 < 30,
      },
    ]
  } finally {
    await close()
    await rm(home, { recursive: true, force: true })
  }
}

/** From each letter of the texts to the end of the paint after it, ms. */
const letters = (page: Page, texts: readonly string[], areTyped = true): Promise<number[]> =>
  page.evaluate(
    async ([texts, areTyped]) => {
      const input = document.querySelector<HTMLInputElement>('.palette input')
      if (!input) throw new Error('The palette is not open.')
      const type = (value: string) => {
        // Past React's own property, as a key does.
        Reflect.set(HTMLInputElement.prototype, 'value', value, input)
        input.dispatchEvent(new Event('input', { bubbles: true }))
      }
      const paint = () =>
        new Promise<void>((done) =>
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel()
            port1.onmessage = () => done()
            port2.postMessage(null)
          }),
        )
      const times: number[] = []
      for (const text of texts) {
        for (let length = 0; length <= text.length; length++) {
          await paint()
          const started = performance.now()
          if (areTyped) type(text.slice(0, length))
          await paint()
          if (length > 0) times.push(performance.now() - started)
        }
      }
      return times
    },
    [texts, areTyped] as const,
  )
