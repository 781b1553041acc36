/** The four runs of the sample project in the window, each driven to its end as the documentation tells a person to. */
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { SampleCopy } from '../support/sampleCopy'
import { answerQuestions, axeProblems, stopC64 } from './support'

describe.skipIf(lacks('electron', 'xvfb'))('a run of the sample project in the window', () => {
  let sample: SampleCopy
  let running: RunningApp
  let page: Page

  beforeAll(async () => {
    sample = new SampleCopy()
    await sample.make()
    const { folder } = sample.calls
    running = await launchApp({
      dataFolder: join(folder, 'data'),
      args: ['--size=1280x800', '--theme=dark', ...sample.windowArgs()],
      environment: { HOME: folder },
    })
    page = running.page
    await untilLive(page)
    await stopC64(page)
  })
  afterAll(async () => {
    await running.close()
    await sample.remove()
  })

  const view = () => page.locator('[data-panel="projects"]')
  const controls = () => view().getByRole('region', { name: 'Run it' })
  const inbox = () => view().getByRole('listbox', { name: 'Needs you' })
  const need = (title: string) => inbox().getByRole('option').filter({ hasText: title })
  const dialog = () => page.getByRole('dialog')

  const choose = (run: string) =>
    view()
      .getByRole('listbox', { name: 'Projects and runs' })
      .getByRole('option')
      .filter({ hasText: run })
      .first()
      .click()

  /** @returns once its loop has ended with this message */
  async function pressRun(run: string, message: string): Promise<void> {
    await choose(run)
    const button = controls().getByRole('button', { name: /^(Run|Resume)$/ })
    await expect.poll(() => button.getAttribute('aria-disabled'), { timeout: 60_000 }).toBeNull()
    await button.click()
    const status = controls().getByRole('status')
    await expect.poll(() => status.textContent(), { timeout: 60_000 }).toContain(message)
  }

  /** In the Inbox by keyboard: the first option, or what there is to agree to; `isShownFirst` what is previewed before it is written. */
  async function answer(title: string, key: '1' | 'Enter', isShownFirst = false): Promise<void> {
    await need(title).click()
    const form = view().getByRole('region', { name: 'Answer', exact: true })
    const send = form.locator('[type=submit]')
    await send.waitFor()
    await inbox().focus()
    await page.keyboard.press(key)
    if (key === '1') {
      await send.and(page.locator(':focus')).waitFor()
      await page.keyboard.press('Enter')
    }
    if (isShownFirst) {
      await dialog().getByRole('button', { name: 'Write' }).waitFor()
      await page.keyboard.press('Control+Enter')
    }
    await need(title).waitFor({ state: 'detached' })
  }

  const untilDone = () => view().locator('.projects-title').getByText('done', { exact: true }).waitFor()

  it('is chosen, and its folder trusted once', async () => {
    await need('How is the speed').waitFor()
    await choose('Sprite editor')
    const asked = await answerQuestions(running, 1)
    await controls().getByRole('button', { name: 'Trust the folder…' }).click()
    await controls().getByRole('button', { name: 'Trust the folder…' }).waitFor({ state: 'detached' })
    expect(await asked()).toMatchObject([{ message: 'Trust this folder?' }])
  })

  it('of Meta-Shell is done after a question and a gate', async () => {
    await answer('How is the speed', '1')
    await pressRun('Sprite editor', 'Phase Complete')
    await answer('Phase complete: start the next one', 'Enter')
    await pressRun('Sprite editor', 'Project complete')
    await untilDone()
    expect(await sample.states('metashell')).toEqual(new Set(['done']))
    expect(await axeProblems(page, '[data-panel="projects"]')).toEqual([])
  })

  it('of ncrew is done after a question and a gate', async () => {
    await answer('What counts as a good recording', '1')
    await pressRun('Tape archive', 'needs approval')
    await answer('Approve phase Architecture', 'Enter', true)
    await pressRun('Tape archive', 'The crew is done')
    await untilDone()
    expect(await sample.states('ncrew')).toEqual(new Set(['done']))
  })

  it('of Maestro is done after a failed phase is tried again, and shown from the archive', async () => {
    await answer('Phase “Music” failed', '1', true)
    await choose('A scroller')
    await controls().getByRole('button', { name: 'Resume' }).click()
    await view().getByText('Maestro, archived').waitFor()
    await view().locator('.projects-title').getByText('A scroller').waitFor()
    await untilDone()
    expect(await sample.states('maestro')).toEqual(new Set(['done']))
  })

  it('of skill tuning is done after the choice of a fix', async () => {
    await answer('Choose the fixes to apply', '1')
    await pressRun('sprite-sheets', 'The run is completed')
    await untilDone()
    expect(await sample.states('tuning')).toEqual(new Set(['done']))
  })

  it('leaves complete files, by each format’s rules, and an empty Inbox', async () => {
    expect(await sample.faults()).toEqual([])
    await expect.poll(() => inbox().getByRole('option').allTextContents(), { timeout: 30_000 }).toEqual([])
    await view().getByText('Nothing in the open projects needs you.').waitFor()
  })
})
