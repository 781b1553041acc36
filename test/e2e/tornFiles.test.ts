/** Runs whose files change under the window's eyes: rows that grow, and a state file that is torn and put back. */
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { answerFileDialogs, stopC64 } from './support'

const SESSION = '.meta/session.json'

describe.skipIf(lacks('electron', 'xvfb'))('a run whose files change', () => {
  let folder: string
  let project: string
  let running: RunningApp
  let page: Page

  const put = async (file: string, text: string) => {
    const path = join(project, file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(`${path}.tmp`, text)
    await rename(`${path}.tmp`, path)
  }
  const sessionText = (dependency: readonly string[]) =>
    JSON.stringify(
      {
        sessionId: 'x',
        status: 'executing',
        currentPhase: 1,
        gapCount: 0,
        plan: {
          currentTaskIdx: 0,
          tasks: ['01', '02', '03', '04'].map((id) => ({
            id,
            title: `Part ${id}`,
            status: 'pending',
            dependencies: id === '01' ? [] : dependency,
          })),
        },
        variables: {},
      },
      null,
      2,
    )
  const view = () => page.locator('[data-panel="projects"]')
  const planRows = () => view().locator('.plan-row')
  const needs = () => view().getByRole('listbox', { name: 'Needs you' }).getByRole('option')

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bridgedeck-torn-'))
    project = join(folder, 'project')
    await put('.meta/context.md', '# Project: Tapes\n')
    await put(SESSION, sessionText([]))
    running = await launchApp({ dataFolder: join(folder, 'data'), args: ['--size=1280x800', '--view=projects'] })
    page = running.page
    await untilLive(page)
    await stopC64(page)
    await answerFileDialogs(running, project)
    await view().getByRole('button', { name: 'Open a folder…' }).click()
    await view().getByRole('option').filter({ hasText: 'Tapes' }).click()
    await view().getByRole('radio', { name: 'Plan' }).click()
  })
  afterAll(async () => {
    await running.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('shows rows that get a second line without printing over the next one', async () => {
    await planRows().filter({ hasText: 'Part 04' }).waitFor()
    await put(SESSION, sessionText(['01']))
    await planRows().filter({ hasText: 'Part 04' }).filter({ hasText: 'blocked:' }).waitFor()
    await expect
      .poll(async () => {
        const boxes = await planRows().evaluateAll((rows) =>
          rows.map((row) => {
            const { top, bottom } = row.getBoundingClientRect()
            return { top, bottom }
          }),
        )
        return boxes.every(({ top }, at) => at === 0 || top >= (boxes[at - 1]?.bottom ?? 0) - 0.5)
      })
      .toBe(true)
  })

  it('needs the person while its state file is torn, who restores it by keyboard', async () => {
    const good = await readFile(join(project, SESSION), 'utf8')
    await put(SESSION, good.slice(0, 60))
    const need = needs().filter({ hasText: 'session.json cannot be read' })
    await need.waitFor()
    await need.click()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('region', { name: 'What would be written' }).waitFor()
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => readFile(join(project, SESSION), 'utf8')).toBe(good)
    await expect.poll(() => need.count()).toBe(0)
  })
})
