/** From a folder to the first step of an agent, by what the window offers on the way, with an agent found on the PATH. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { answerQuestions, axeProblems, chooseMenuItem, stopC64 } from './support'

describe.skipIf(lacks('electron', 'xvfb'))('the first agent of a project', () => {
  let folder: string
  let project: string
  let running: RunningApp
  let page: Page

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bridgedeck-first-'))
    project = join(folder, 'tape-tool')
    mkdirSync(project)
    const programs = join(folder, 'bin')
    mkdirSync(programs)
    const script = `#!/bin/sh\n[ "$1" = --version ] && echo "2.1.0 (Claude Code)" && exit\n[ -e "${folder}/mute" ] && exit\nexec "${process.execPath}" "${resolve('test/peers/agents/metashellAgent.mjs')}" "$@"\n`
    writeFileSync(join(programs, 'claude'), script)
    chmodSync(join(programs, 'claude'), 0o700)
    writeFileSync(join(folder, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.org\n')
    running = await launchApp({
      dataFolder: join(folder, 'data'),
      args: ['--size=1280x800', '--view=projects', project],
      environment: { HOME: folder, PATH: [programs, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter) },
    })
    page = running.page
    await untilLive(page)
    await stopC64(page)
  })
  afterAll(async () => {
    await running.close()
    await rm(folder, { recursive: true, force: true })
  })

  const view = () => page.locator('[data-panel="projects"]')
  const controls = () => view().getByRole('region', { name: 'Run it' })
  const dialog = () => page.getByRole('dialog', { name: 'Set up an agent' })
  const button = (name: string) => controls().getByRole('button', { name, exact: true })

  it('begins in an empty folder with a form for its run', async () => {
    await view().getByRole('option').filter({ hasText: 'tape-tool' }).click()
    await view().getByRole('button', { name: 'New ncrew run…' }).click()
    await page.getByRole('dialog', { name: 'New ncrew run in tape-tool' }).waitFor()
    await page.keyboard.press('Escape')
    await chooseMenuItem(running, 'run.new')
    const form = page.getByRole('dialog', { name: 'New Meta-Shell run in tape-tool' })
    expect(await form.getByLabel('Name').inputValue()).toBe('tape-tool')
    await form.getByRole('button', { name: 'Create' }).click()
    await form.getByText('Describe what to build.').waitFor()
    await form.getByLabel('What to build').fill('A tool that reads tapes')
    expect(await axeProblems(page)).toEqual([])
    await page.keyboard.press('Control+Enter')
    await controls().waitFor()
    expect(readFileSync(join(project, '.meta/context.md'), 'utf8')).toContain('Phase 1: A tool that reads tapes')
  })

  it('asks for trust by one dialog', async () => {
    await expect.poll(() => button('Run one step').getAttribute('aria-disabled')).toBe('true')
    const asked = await answerQuestions(running, 1)
    await button('Trust the folder…').click()
    await button('Trust the folder…').waitFor({ state: 'detached' })
    expect((await asked()).map(({ message }) => message)).toEqual(['Trust this folder?'])
  })

  it('sets up git where there is none, once the person agreed', async () => {
    await answerQuestions(running, 0)
    await button('Set up git…').click()
    expect(existsSync(join(project, '.git'))).toBe(false)
    const asked = await answerQuestions(running, 1)
    await button('Set up git…').click()
    await button('Set up git…').waitFor({ state: 'detached' })
    const [question] = await asked()
    expect(question?.detail).toContain(project)
    expect(existsSync(join(project, '.git'))).toBe(true)
  })

  it('finds an agent on the PATH, and says when a run cannot work with what it answers', async () => {
    writeFileSync(join(folder, 'mute'), '')
    await button('Set up an agent…').click()
    await dialog()
      .getByRole('radio', { name: /Claude Code 2\.1\.0.*bin\/claude/ })
      .waitFor()
    await dialog().getByText('claude -p --output-format stream-json').waitFor()
    expect(await axeProblems(page)).toEqual([])
    const asked = await answerQuestions(running, 1)
    await expect
      .poll(() =>
        dialog()
          .getByRole('radio')
          .first()
          .evaluate((radio) => radio.matches(':focus')),
      )
      .toBe(true)
    await page.keyboard.press('Enter')
    await dialog().getByText('It printed no answer.').waitFor()
    await dialog().getByText('It wrote no file').waitFor()
    const [question] = await asked()
    expect(question?.detail).toContain('claude -p --output-format stream-json')
    await expect
      .poll(() => dialog().getByRole('button', { name: 'Show its log' }).getAttribute('aria-disabled'))
      .toBeNull()
    expect(await axeProblems(page)).toEqual([])
  })

  it('passes its test when it answers as the run needs, and runs one step', async () => {
    await rm(join(folder, 'mute'))
    await dialog().getByRole('button', { name: 'Test again' }).click()
    await dialog().getByText('claude passed its test').waitFor()
    await expect
      .poll(() => dialog().getByRole('button', { name: 'Run one step' }).getAttribute('aria-disabled'))
      .toBeNull()
    await dialog().getByRole('button', { name: 'Run one step' }).click()
    await controls().getByText('Stopped after 1 turn').first().waitFor()
    const session = JSON.parse(readFileSync(join(project, '.meta/session.json'), 'utf8')) as { status: string }
    expect(session.status).toBe('planning')
  })

  it('is paused after that step, with no warning', async () => {
    await view().locator('.projects-title').getByText('paused', { exact: true }).waitFor()
    await controls().getByText('Paused', { exact: true }).waitFor()
    expect(await controls().locator('.warn-text').count()).toBe(0)
  })

  it('is watched beside the machine that it programs', async () => {
    const show = () => button('Show the machine')
    expect(await show().getAttribute('aria-pressed')).toBe('false')
    await show().click()
    const workspace = () => page.locator('[data-workspace="projects"]')
    await workspace()
      .getByRole('application', { name: /^Screen of/ })
      .waitFor()
    await workspace().locator('[data-panel="registers"]').waitFor()
    expect(await show().getAttribute('aria-pressed')).toBe('true')
    expect(await axeProblems(page)).toEqual([])
    await chooseMenuItem(running, 'view.machine')
    await page.locator('[data-workspace="machine"][data-current="true"]').waitFor()
    await chooseMenuItem(running, 'view.projects')
    await workspace()
      .getByRole('application', { name: /^Screen of/ })
      .waitFor()
    await show().click()
    await workspace().getByRole('application').waitFor({ state: 'detached' })
  })

  it('leads from the hint about an agent that gave no answer to its log', async () => {
    const hold = join(project, '.hold')
    writeFileSync(hold, 'Executor')
    await button('Resume').click()
    await controls().getByText('Executing Task 01').first().waitFor({ timeout: 60_000 })
    writeFileSync(join(folder, 'mute'), '')
    await rm(hold)
    await controls().getByRole('button', { name: 'See the agent’s log.' }).click({ timeout: 60_000 })
    const agents = page.locator('[data-workspace="agents"][data-current="true"]')
    await agents.getByRole('option', { selected: true }).filter({ hasText: 'tape-tool: ' }).waitFor()
  })
})
