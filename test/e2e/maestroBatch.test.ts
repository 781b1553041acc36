/** A batch of Maestro dispatched, resumed and stopped in the window, with a stand-in for Gemini. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentSchema } from '@shared/contract/agents'
import { defaultSettings } from '@shared/contract/settings'
import { newSession, readPhaseLines } from '../../src-main/formats/maestro/session/newSession'
import { noteDecision } from '../../src-main/loops/maestro/hooks/decisionLog'
import { identifyFolder } from '../../src-main/projects/trust'
import { openDatabase } from '../../src-main/storage/database'
import { ProjectStore } from '../../src-main/storage/projects'
import { SettingsStore } from '../../src-main/storage/settings'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { answerQuestions, axeProblems, stopC64 } from './support'

const agent = agentSchema.parse({
  name: 'gemini',
  preset: 'gemini',
  command: resolve('test/peers/agents/gemini.mjs'),
  model: null,
  args: [],
  environment: [],
  timeLimit: 600,
  maxTurns: null,
  maxCost: null,
})

describe.skipIf(lacks('electron', 'xvfb'))('a batch in the window', () => {
  let top: string
  let project: string
  let running: RunningApp
  let page: Page

  beforeAll(async () => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'bridgedeck-batch-')))
    project = join(top, 'project')
    mkdirSync(join(project, '.gemini/parallel/one/prompts'), { recursive: true })
    for (const name of ['architect', 'coder'])
      writeFileSync(join(project, `.gemini/parallel/one/prompts/${name}.md`), `Work as ${name}.`)
    writeFileSync(join(project, '.env'), 'MAESTRO_STAGGER_DELAY=0\n')
    writeFileSync(
      join(project, 'gemini.json'),
      JSON.stringify({ architect: { forever: true }, coder: { forever: true } }),
    )
    mkdirSync(join(top, 'data'))
    const database = openDatabase(join(top, 'data/bridgedeck.sqlite'))
    new ProjectStore(database).trust(project, identifyFolder(project).identity, Date.now())
    new SettingsStore(database).change({ agents: [agent] })
    database.close()
    running = await launchApp({
      dataFolder: join(top, 'data'),
      environment: { HOME: top },
      args: ['--size=1280x800', '--view=projects', project],
    })
    page = running.page
    await untilLive(page)
    await stopC64(page)
    await page.locator('[data-panel="projects"]').getByRole('option').filter({ hasText: 'Maestro' }).first().click()
  })
  afterAll(async () => {
    await running.close()
    rmSync(top, { recursive: true, force: true })
  })

  const batch = () => page.locator('.details-batch').first()
  const button = (name: string) => batch().getByRole('button', { name, exact: true })
  const atWork = () => batch().getByRole('list', { name: 'Agents at work' })
  const result = (name: string) => readFileSync(join(project, '.gemini/parallel/one/results', name), 'utf8')

  it('shows every agent at work, and stops one alone', async () => {
    await button('Dispatch').click()
    await expect.poll(() => atWork().getByRole('listitem').count()).toBe(2)
    expect(await axeProblems(page)).toEqual([])
    await atWork().getByRole('button', { name: 'Stop coder' }).click()
    await expect.poll(() => atWork().count(), { timeout: 30_000 }).toBe(0)
    await expect.poll(() => existsSync(join(project, '.gemini/parallel/one/results/coder.exit'))).toBe(true)
    await expect.poll(() => result('coder.exit')).toBe('130')
  })

  it('is stopped as a whole, and resumed with those that did not end well', async () => {
    await button('Stop').click()
    await batch()
      .getByText(/Stopped.*No process is left/)
      .first()
      .waitFor()
    expect(result('architect.exit')).toBe('130')
    writeFileSync(join(project, 'gemini.json'), '{}')
    await button('Resume').click()
    await batch().getByText('Batch complete: 2 succeeded, 0 failed.').first().waitFor({ timeout: 60_000 })
    expect(JSON.parse(result('summary.json'))).toMatchObject({ batch_status: 'success', total_agents: 2 })
  })

  it('has each turn of its agents among what happened, with its log', async () => {
    const view = page.locator('[data-panel="projects"]')
    await view.getByRole('radio', { name: 'Activity' }).click()
    const turns = view.locator('details.turn')
    // Two that were stopped, and two that ended well.
    await expect.poll(() => turns.count()).toBe(4)
    await turns.filter({ hasText: 'architect' }).first().locator('summary').click()
    await turns.getByRole('group', { name: 'Log, output' }).waitFor()
  })

  it('belongs to a run whose hooks are installed after a look at the change', async () => {
    await page.locator('[data-panel="projects"]').getByRole('radio', { name: 'Overview' }).click()
    const hooks = page.getByRole('region', { name: 'Hooks', exact: true })
    await hooks.getByText('No hook was called in this project yet.').waitFor()
    await noteDecision(join(top, 'data/loops'), {
      time: Date.now(),
      event: 'AfterAgent',
      agent: 'coder',
      answer: 'deny',
      reason: 'Missing Task Report section',
      folder: project,
    })
    await hooks.getByText('sent back').waitFor({ timeout: 30_000 })
    await hooks.getByRole('button', { name: 'Install hooks…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /Preview/ }).click()
    await dialog
      .getByText(/bridgedeck maestro hook after-agent/)
      .first()
      .waitFor()
    await dialog.getByRole('button', { name: /^Write/ }).click()
    await hooks.getByText(/Installed: session-start, before-agent, after-agent, session-end/).waitFor()
    await hooks.scrollIntoViewIfNeeded()
    expect(await axeProblems(page)).toEqual([])
    expect(readFileSync(join(project, '.gemini/settings.json'), 'utf8')).toContain('bridgedeck-session-end')
  })

  it('belongs to a person whose own hooks are installed for all projects, and taken back', async () => {
    const hooks = page.getByRole('region', { name: 'Hooks', exact: true })
    const own = join(top, '.gemini/settings.json')
    await hooks.getByText('Install or remove for all projects…').click()
    await hooks.getByText(/bridgedeck maestro hook after-agent/).waitFor()
    expect(await axeProblems(page)).toEqual([])
    const install = hooks.getByRole('button', { name: 'Install for all projects…' })
    const asked = await answerQuestions(running, 0)
    await install.click()
    await expect.poll(async () => (await asked()).length).toBe(1)
    expect(existsSync(own)).toBe(false)
    await answerQuestions(running, 1)
    await install.click()
    await hooks.getByText(/Yours, for all projects: session-start/).waitFor()
    await hooks.getByText('Each event is answered twice').waitFor()
    expect(readFileSync(own, 'utf8')).toContain('bridgedeck-session-end')
    await expect.poll(() => install.getAttribute('aria-disabled')).toBe('true')
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
    await hooks.getByText(/Yours, for all projects/).waitFor({ state: 'detached' })
    expect(existsSync(own)).toBe(false)
  })

  it('starts with settings whose layer is shown, and asks for the words of a .env that go on command lines', async () => {
    const settings = page.getByRole('region', { name: 'Settings', exact: true })
    const row = (name: string) => settings.getByRole('row').filter({ hasText: name })
    await row('MAESTRO_STAGGER_DELAY').getByText('workspace .env').waitFor()
    expect(await row('MAESTRO_AGENT_TIMEOUT').textContent()).toBe('MAESTRO_AGENT_TIMEOUT10default')
    writeFileSync(join(project, '.env'), 'MAESTRO_STAGGER_DELAY=0\nMAESTRO_DEFAULT_MODEL=one\n')
    const steps = page.getByRole('list', { name: 'Before a batch can run' })
    await steps.getByText('MAESTRO_DEFAULT_MODEL=one').waitFor()
    await expect.poll(() => button('Dispatch').getAttribute('aria-disabled')).toBe('true')
    expect(await axeProblems(page)).toEqual([])
    await steps.getByRole('button', { name: 'Accept' }).click()
    await expect.poll(() => steps.count()).toBe(0)
    await expect.poll(() => button('Dispatch').getAttribute('aria-disabled')).not.toBe('true')
    await button('Dispatch').click()
    const dispatched = () => readFileSync(join(project, 'gemini-calls.jsonl'), 'utf8').split('"-m","one"').length - 1
    await expect.poll(dispatched, { timeout: 60_000 }).toBe(2)
    // The results of the batch before it are moved away by now.
    await expect
      .poll(() => existsSync(join(project, '.gemini/parallel/one/results/summary.json')), { timeout: 60_000 })
      .toBe(true)
  })

  it('takes what the person chooses for it before all layers', async () => {
    await expect.poll(() => button('Dispatch').getAttribute('aria-disabled')).not.toBe('true')
    const options = batch().locator('details.run-options')
    await options.locator('summary').click()
    const minutes = options.getByLabel('minutes an agent may take')
    await minutes.fill('1441')
    await options.getByText('minutes an agent may take: 1 to 1440').waitFor()
    await minutes.fill('20')
    await minutes.press('Enter')
    const model = options.getByLabel('model', { exact: true })
    expect(await model.getAttribute('placeholder')).toBe('one')
    await model.fill('two')
    await model.press('Enter')
    await options.locator('summary').getByText('model two, 20 minutes an agent may take').waitFor()
    const row = page.getByRole('region', { name: 'Settings', exact: true }).getByRole('row')
    await row.filter({ hasText: 'MAESTRO_DEFAULT_MODEL' }).getByText('your choice').waitFor()
    await row.filter({ hasText: 'MAESTRO_AGENT_TIMEOUT' }).getByText('your choice').waitFor()
    expect(await axeProblems(page)).toEqual([])
    await button('Dispatch').click()
    const dispatched = () => readFileSync(join(project, 'gemini-calls.jsonl'), 'utf8').split('"-m","two"').length - 1
    await expect.poll(dispatched, { timeout: 60_000 }).toBe(2)
    await batch().getByText('Batch complete: 2 succeeded, 0 failed.').first().waitFor({ timeout: 60_000 })
    await model.fill('')
    await model.press('Enter')
    await row.filter({ hasText: 'MAESTRO_DEFAULT_MODEL' }).getByText('workspace .env').waitFor()
  })

  it('at a limit waits in the inbox, and goes on by itself once that is raised', async () => {
    const starts = () => readFileSync(join(project, 'gemini-calls.jsonl'), 'utf8').split('"what":"start"').length - 1
    const before = starts()
    await expect.poll(() => button('Dispatch').getAttribute('aria-disabled')).not.toBe('true')
    const limit = (runHours: number | null) =>
      page.evaluate((agentLimits) => window.bridgedeck.settings.set({ agentLimits }), {
        ...defaultSettings.agentLimits,
        runHours,
      })
    await limit(0.000001)
    await button('Dispatch').click()
    const inbox = page.getByRole('listbox', { name: 'Needs you' })
    const need = inbox.getByRole('option').filter({ hasText: 'limit of the project’s batches reached' })
    await need.click()
    const form = page.getByRole('form', { name: 'Raise the limit and continue' })
    await form.getByLabel('New limit (hours)').fill('100')
    expect(await axeProblems(page)).toEqual([])
    await form.getByRole('button', { name: 'Raise the limit and continue' }).click()
    await need.waitFor({ state: 'detached' })
    await page.locator('[data-panel="projects"]').getByRole('option').filter({ hasText: 'Maestro' }).first().click()
    await batch().getByText('Batch complete: 2 succeeded, 0 failed.').first().waitFor({ timeout: 60_000 })
    // Both were run anew, as the dispatch that stopped was to.
    expect(starts()).toBe(before + 2)
    await limit(null)
  })

  it('lies beside a session, whose failed phase is tried once more, and which runs to its archive', async () => {
    writeFileSync(join(project, '.env'), 'MAESTRO_MAX_RETRIES=0\n')
    writeFileSync(join(project, 'gemini.json'), JSON.stringify({ coder: { exit: 1 } }))
    const { id, text } = newSession({
      task: 'Tapes',
      design: null,
      plan: null,
      time: '2026-03-02T10:00:00.000Z',
      taken: [],
      phases: readPhaseLines('Reader: coder\nNotes: technical_writer, after 1'),
    })
    mkdirSync(join(project, '.gemini/state'))
    writeFileSync(join(project, '.gemini/state/active-session.md'), text.replace('mode: null', 'mode: "sequential"'))
    await page.locator('[data-panel="projects"]').getByRole('option').filter({ hasText: 'Tapes' }).first().click()
    const controls = page.getByRole('region', { name: 'Run it' })
    await expect.poll(() => controls.getByRole('combobox').count()).toBe(3)
    const retry = controls.getByRole('button', { name: 'Retry failed', exact: true })
    await expect.poll(() => retry.getAttribute('aria-disabled')).toBe('true')
    await controls.getByRole('button', { name: 'Run', exact: true }).click()
    await controls
      .getByText(/a phase here has no retries/)
      .first()
      .waitFor({ timeout: 60_000 })
    writeFileSync(join(project, 'gemini.json'), '{}')
    await expect.poll(() => retry.getAttribute('aria-disabled')).not.toBe('true')
    await retry.click()
    const archive = join(project, `.gemini/state/archive/${id}.md`)
    await expect.poll(() => existsSync(archive), { timeout: 60_000 }).toBe(true)
    expect(readFileSync(archive, 'utf8').match(/status: "completed"/g)).toHaveLength(3)
  })
})
