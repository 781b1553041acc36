/** What came of the time away: a page of Projects, opened by its command or by coming back, and saved as Markdown and HTML. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { answerFileDialogs, axeProblems, chooseMenuItem, stopC64 } from './support'

const HOUR_MS = 3_600_000

describe.skipIf(lacks('electron', 'xvfb'))('what happened since you left', () => {
  let folder: string
  let running: RunningApp
  let page: Page

  const open = async () => {
    running = await launchApp({ dataFolder: join(folder, 'data'), args: ['--size=1280x800', '--view=projects'] })
    page = running.page
    await untilLive(page)
    await stopC64(page)
  }
  const report = () => page.getByRole('region', { name: 'Since you left' })
  const items = () => report().getByRole('list', { name: 'Failures and questions' }).getByRole('listitem')

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bridgedeck-report-'))
    await open()
  })
  afterAll(async () => {
    await running.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('has failures and questions first, each of which opens what it is about and is seen then', async () => {
    await chooseMenuItem(running, 'project.sample')
    await page.locator('[data-panel="projects"]').getByRole('option').first().waitFor()
    await chooseMenuItem(running, 'report.show')
    await items().first().waitFor()
    expect(await report().innerText()).toMatch(/0 turns, \$0\.00, .*No agent had a turn\./s)
    expect(await axeProblems(page)).toEqual([])
    const question = items().filter({ has: page.getByRole('button', { name: 'Open question' }) })
    await question.first().getByText('new', { exact: true }).waitFor()
    await question.first().getByRole('button', { name: 'Open question' }).press('Enter')
    await page.getByRole('article', { name: 'Chosen need' }).waitFor()
    expect(await report().count()).toBe(0)
    await chooseMenuItem(running, 'report.show')
    await question.first().getByText('seen', { exact: true }).waitFor()
    await report().getByRole('button', { name: 'Mark all as seen' }).click()
    await report().getByText('All seen.').waitFor()
    await report().getByRole('region', { name: 'Report' }).press('Escape')
    await report().waitFor({ state: 'detached' })
  })

  it('is copied, and saved as Markdown and as a page of HTML', async () => {
    await chooseMenuItem(running, 'report.show')
    await items().first().waitFor()
    await report().getByRole('button', { name: 'Copy as Markdown' }).click()
    await expect
      .poll(() => running.app.evaluate(({ clipboard }) => clipboard.readText()))
      .toMatch(/^# Report from .*\n\n0 turns/)
    const save = async (button: string, name: string) => {
      const file = join(folder, name)
      await answerFileDialogs(running, file)
      await report().getByRole('button', { name: button }).click()
      await page
        .locator('.toast', { hasText: `${name} saved.` })
        .getByText(file)
        .waitFor()
      return readFile(file, 'utf8')
    }
    expect(await save('Save Markdown…', 'night.md')).toMatch(/^# Report from .*\n\n0 turns[^]*\n## Needs you\n/)
    const html = await save('Save HTML…', 'night.html')
    expect(html).toMatch(/^<!doctype html>[^]*<h2>Needs you<\/h2>/)
    expect(html).not.toMatch(/<script/)
  })

  it('is the start of Projects after an absence in which something happened, and not otherwise', async () => {
    const back = async (left: number) => {
      await running.close()
      const file = join(folder, 'data', 'window.json')
      const kept = JSON.parse(await readFile(file, 'utf8')) as { viewState: string }
      const state = JSON.parse(kept.viewState) as Record<string, unknown>
      await writeFile(
        file,
        JSON.stringify({ ...kept, viewState: JSON.stringify({ ...state, 'report.present': left }) }),
      )
      await open()
      await page.getByRole('region', { name: 'Inbox' }).or(report()).first().waitFor()
    }
    await back(Date.now() - 5 * HOUR_MS)
    await report().waitFor()
    await items().first().waitFor()
    await back(Date.now() - 60_000)
    expect(await report().count()).toBe(0)
  })
})
