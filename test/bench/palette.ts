/** The command palette over ten thousand tasks in the real window: from each typed letter to the paint of its results. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { launchApp, untilLive } from '../support/launchApp'
import { addUntilPainted } from '../support/untilPainted'
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
    await addUntilPainted(page)
    await choose('view.tasks')
    await page.getByText(`${TASKS} tasks`).waitFor()
    await choose('view.palette')
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor()
    const typed = await letters(page, TYPED)
    const bare = await letters(page, TYPED, false)
    const p95 = percentile(
      typed.map(({ found }) => found),
      0.95,
    )
    const paints = typed.map(({ painted }) => painted)
    const barePaints = bare.map(({ painted }) => painted)
    return [
      {
        name: `results over ${TASKS} tasks in the document after each letter, p95`,
        value: p95,
        unit: 'ms',
        target: 'under 30 ms',
        met: p95 < 30,
        note: `${typed.length} letters`,
      },
      { name: 'to the paint after it, median', value: median(paints), unit: 'ms', bare: median(barePaints) },
      {
        name: 'the same, p95',
        value: percentile(paints, 0.95),
        unit: 'ms',
        bare: percentile(barePaints, 0.95),
        note: 'bare is a paint with nothing typed',
      },
    ]
  } finally {
    await close()
    await rm(home, { recursive: true, force: true })
  }
}

interface Letter {
  /** From the letter until its results are in the document, ms. */
  readonly found: number
  /** Until the end of the paint after it, ms. */
  readonly painted: number
}

const letters = (page: Page, texts: readonly string[], areTyped = true): Promise<Letter[]> =>
  page.evaluate(
    async ([texts, areTyped]) => {
      const input = document.querySelector<HTMLInputElement>('.palette input')
      if (!input) throw new Error('The palette is not open.')
      const type = (value: string) => {
        // Past React's own property, as a key does.
        Reflect.set(HTMLInputElement.prototype, 'value', value, input)
        input.dispatchEvent(new Event('input', { bubbles: true }))
      }
      const measured: Letter[] = []
      for (const text of texts) {
        for (let length = 0; length <= text.length; length++) {
          await window.untilPainted()
          const started = performance.now()
          if (areTyped) type(text.slice(0, length))
          const found = performance.now() - started
          await window.untilPainted()
          if (length > 0) measured.push({ found, painted: performance.now() - started })
        }
      }
      return measured
    },
    [texts, areTyped] as const,
  )
