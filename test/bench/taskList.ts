/** The list of ten thousand tasks, scrolled in the real window: how long each picture takes, beside the same window standing still. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { launchApp, untilLive } from '../support/launchApp'
import { fillHome } from '../support/taskHome'
import { percentile, type Row } from './row'

const TASKS = 10_000
const DURATION = 5_000
/** Of each picture, CSS px: through four thousand rows in the whole time. */
const STEP = 300

export default async function taskList(): Promise<Row[]> {
  const home = await mkdtemp(join(tmpdir(), 'bridgedeck-bench-'))
  fillHome(home, TASKS)
  const { app, page, close } = await launchApp({
    args: ['--size', '1280x800'],
    environment: { C64_TASK_STATE_FILE: join(home, 'tasks.json') },
  })
  try {
    await untilLive(page)
    await page.getByRole('button', { name: 'Pause' }).first().click()
    await app.evaluate(({ Menu }) => {
      const choose = Menu.getApplicationMenu()?.getMenuItemById('view.tasks')?.click as (() => void) | undefined
      choose?.()
    })
    await page.getByText(`${TASKS} tasks`).waitFor()
    const still = await pictures(page, 0)
    const scrolled = await pictures(page, STEP)
    const value = percentile(scrolled, 0.95)
    const bare = percentile(still, 0.95)
    const mean = scrolled.reduce((sum, time) => sum + time, 0) / scrolled.length
    return [
      {
        name: `pictures while ${TASKS} tasks are scrolled`,
        value: 1000 / mean,
        unit: '/s',
        bare: (1000 * still.length) / still.reduce((sum, time) => sum + time, 0),
        target: '60/s',
        met: mean < 17.5,
        note: 'bare: the window standing still',
      },
      { name: 'the same, p95 of a picture', value, unit: 'ms', bare },
    ]
  } finally {
    await close()
    await rm(home, { recursive: true, force: true })
  }
}

/** Times from picture to picture, ms. */
const pictures = (page: Page, step: number): Promise<number[]> =>
  page.evaluate(
    ([step, duration]) =>
      new Promise<number[]>((done) => {
        const list = document.querySelector('.tasks-list [role=listbox]')
        const times: number[] = []
        const start = performance.now()
        let last = start
        const next = (now: number) => {
          times.push(now - last)
          last = now
          list?.scrollBy(0, step)
          if (now - start < duration) requestAnimationFrame(next)
          else done(times.slice(2))
        }
        requestAnimationFrame(next)
      }),
    [step, DURATION] as const,
  )
