/** The report on runs, opened by its shortcut's action and read in the window. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { answerFileDialogs, axeProblems, chooseMenuItem, stopC64 } from './support'

describe.skipIf(lacks('electron', 'xvfb'))('the report on runs', () => {
  let folder: string
  let running: RunningApp
  let page: Page

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bridgedeck-report-'))
    running = await launchApp({ dataFolder: join(folder, 'data'), args: ['--size=1280x800', '--view=projects'] })
    page = running.page
    await untilLive(page)
    await stopC64(page)
  })
  afterAll(async () => {
    await running.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('says what needs the person in all open projects, and is copied as Markdown', async () => {
    await chooseMenuItem(running, 'project.sample')
    await page.locator('[data-panel="projects"]').getByRole('option').first().waitFor()
    await chooseMenuItem(running, 'report.show')
    const dialog = page.getByRole('dialog', { name: 'Report on runs' })
    const text = dialog.getByRole('region', { name: 'Report' })
    await text.getByText('Needs you:').first().waitFor()
    expect(await text.innerText()).toContain('0 turns, $0.00')
    expect(await axeProblems(page)).toEqual([])
    await dialog.getByText('8 hours').click()
    await text.getByText('Needs you:').first().waitFor()
    await dialog.getByRole('button', { name: 'Copy as Markdown' }).click()
    await expect
      .poll(() => running.app.evaluate(({ clipboard }) => clipboard.readText()))
      .toMatch(/^# Report from .*\n\n0 turns/)
    const file = join(folder, 'night.md')
    await answerFileDialogs(running, file)
    await dialog.getByRole('button', { name: 'Save as…' }).click()
    await dialog.waitFor({ state: 'detached' })
    const toast = page.locator('.toast', { hasText: 'night.md saved.' })
    await toast.getByText(file).waitFor()
    expect(await readFile(file, 'utf8')).toMatch(/^# Report from .*\n\n0 turns/)
    await running.app.evaluate(({ shell }) => {
      shell.showItemInFolder = (path) => Object.assign(globalThis, { shownPath: path })
    })
    await toast.getByRole('button', { name: 'Show in folder' }).click()
    await expect.poll(() => running.app.evaluate((): unknown => Reflect.get(globalThis, 'shownPath'))).toBe(file)
  })
})
