/** A run started, paused and stopped in the window, with an agent that is a process of its own. */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentSchema } from '@shared/contract/agents'
import { identifyFolder } from '../../src-main/projects/trust'
import { openDatabase } from '../../src-main/storage/database'
import { ProjectStore } from '../../src-main/storage/projects'
import { SettingsStore } from '../../src-main/storage/settings'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { TestRepository } from '../support/repository'
import { axeProblems, chooseMenuItem, stopC64 } from './support'

const agent = agentSchema.parse({
  name: 'fake',
  preset: 'custom',
  command: process.execPath,
  model: null,
  args: [resolve('test/peers/agents/metashellAgent.mjs'), '--wait', '200', '--tasks', '2'],
  environment: [],
  timeLimit: 600,
  maxTurns: null,
  maxCost: null,
})

describe.skipIf(lacks('electron', 'xvfb'))('a run in the window', () => {
  let data: string
  let repository: TestRepository
  let running: RunningApp
  let page: Page

  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'bridgedeck-run-'))
    repository = new TestRepository()
    repository.commit('Begin', {
      '.meta/context.md': '# Project: Tape tool\n\n## Current Phase Focus\n\nPhase 1: Reading\n',
      '.gitignore': '.meta/session.json*\n.meta/artifacts\n',
    })
    running = await launchApp({ dataFolder: data, args: ['--size=1280x800', '--view=projects', repository.root] })
    page = running.page
    await untilLive(page)
    await stopC64(page)
  })
  afterAll(async () => {
    await running.close()
    repository.remove()
    await rm(data, { recursive: true, force: true })
  })

  const view = () => page.locator('[data-panel="projects"]')
  const controls = () => view().getByRole('region', { name: 'Run it' })
  const button = (name: string) => controls().getByRole('button', { name, exact: true })
  const choose = () => view().getByRole('option').filter({ hasText: 'Meta-Shell' }).first().click()
  const session = () =>
    JSON.parse(readFileSync(join(repository.root, '.meta/session.json'), 'utf8')) as { status: string }

  it('says first what is missing: an agent, and trust', async () => {
    await choose()
    await controls().getByText('No agent is set up.').waitFor()
    await controls().getByText('is restricted: Bridgedeck runs nothing there').waitFor()
    await expect.poll(() => button('Run').getAttribute('aria-disabled')).toBe('true')
  })

  it('can be started as soon as both are there, and says what it is at', async () => {
    const database = openDatabase(join(data, 'bridgedeck.sqlite'))
    new ProjectStore(database).trust(repository.root, identifyFolder(repository.root).identity, Date.now())
    new SettingsStore(database).change({ agents: [agent] })
    database.close()
    await running.close()
    running = await launchApp({ dataFolder: data, args: ['--size=1280x800', '--view=projects'] })
    page = running.page
    await untilLive(page)
    await stopC64(page)
    await choose()
    await controls().getByText('planner').waitFor()
    repository.put('.hold', 'Planner')
    await button('Run').click()
    await controls().getByText('Planning phase 1').first().waitFor()
    repository.put('.hold', 'Executor')
    await view().locator('.loop-badge').first().waitFor()
    await view()
      .getByText(/^run by Bridgedeck: fake as \S+, at work for \d+ s/)
      .waitFor()
    await controls().getByText('Executing Task 01: Part 01').first().waitFor()
    expect(await axeProblems(page)).toEqual([])
  })

  it('is stopped in the middle of a task, and goes on to its end', async () => {
    await button('Stop').click()
    await controls()
      .getByText(/Stopped.*No process is left/)
      .first()
      .waitFor()
    expect(session().status).toBe('executing')
    await rm(join(repository.root, '.hold'))
    await view().locator('.projects-title').getByText('stopped', { exact: true }).waitFor()
    expect(await controls().getByText('not by Bridgedeck').count()).toBe(0)
    await button('Resume').click()
    await controls()
      .getByText(/Project complete: /)
      .first()
      .waitFor({ timeout: 60_000 })
    expect(session().status).toBe('halted')
  })

  it('has each turn among what happened, with its log and the commits made meanwhile', async () => {
    await view().getByRole('radio', { name: 'Activity' }).click()
    // Those before the file came into being that gives the run away, too.
    await expect.poll(() => view().locator('details.turn').count()).toBe(6)
    const turn = view().locator('details.turn').filter({ hasText: 'executor 02' }).first()
    await turn.getByText('executor').click()
    await turn.getByRole('group', { name: 'Log, output' }).getByText('02').first().waitFor()
    await turn.locator('details.commit').first().waitFor()
    expect(await axeProblems(page)).toEqual([])
  })

  it('tells how long each task took, though no file does, in the list, the card and the timeline', async () => {
    await view().getByRole('radio', { name: 'Plan' }).click()
    await view()
      .locator('.plan-row')
      .filter({ hasText: 'Part 02' })
      .getByText(/\d+ m?s measured/)
      .waitFor()
    await view().getByRole('radio', { name: 'Board' }).click()
    await view().getByText('Part 02').first().click()
    await view()
      .getByText(/took \d+ m?s, measured by Bridgedeck/)
      .waitFor()
    await view().getByRole('radio', { name: 'Timeline' }).click()
    await view()
      .getByRole('listitem')
      .filter({ hasText: 'executor 02' })
      .getByText('measured by Bridgedeck')
      .first()
      .waitFor()
  })

  it('names its runs in the Agents view by folder, role and task', async () => {
    await chooseMenuItem(running, 'view.agents')
    const runs = page.getByRole('listbox', { name: 'Runs of agents' })
    await runs
      .getByRole('option')
      .filter({ hasText: `${basename(repository.root)}: executor 02` })
      .first()
      .click()
    await page.getByRole('radio', { name: /^Output [1-9]/ }).waitFor()
  })
})
