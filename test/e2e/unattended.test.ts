/** A run that is left alone: the options of its start, and checks that the person approves, in the window. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
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
import { axeProblems, stopC64 } from './support'

const agent = agentSchema.parse({
  name: 'fake',
  preset: 'custom',
  command: process.execPath,
  model: null,
  environment: [],
  args: [resolve('test/peers/agents/metashellAgent.mjs'), '--tasks', '2'],
  timeLimit: 600,
  maxTurns: null,
  maxCost: null,
})

describe.skipIf(lacks('electron', 'xvfb'))('a run that is left alone', () => {
  let data: string
  let repository: TestRepository
  let running: RunningApp
  let page: Page

  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'bridgedeck-alone-'))
    repository = new TestRepository()
    repository.commit('Begin', {
      '.meta/context.md': '# Project: Tape tool\n\n## Current Phase Focus\n\nPhase 1: Reading\n',
      '.gitignore': '.meta/session.json*\n.meta/artifacts\n.check\nchecked.txt\n',
    })
    repository.put('.check', 'echo checked >checked.txt')
    const database = openDatabase(join(data, 'bridgedeck.sqlite'))
    const store = new ProjectStore(database)
    store.trust(repository.root, identifyFolder(repository.root).identity, Date.now())
    new SettingsStore(database).change({ agents: [agent] })
    database.close()
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
  const choose = () => view().getByRole('option').filter({ hasText: 'Tape tool' }).first().click()
  const options = () => controls().locator('details.run-options')
  const summary = () => options().locator('summary')

  it('takes its limits from the options of its start, which are kept', async () => {
    await choose()
    await summary().focus()
    await page.keyboard.press('Enter')
    const turns = options().getByLabel('turns at most')
    await turns.fill('1000000000000')
    await options().getByText('turns at most: 1 to 1000000').waitFor()
    await turns.fill('2')
    await turns.press('Enter')
    await summary().getByText('2 turns at most').waitFor()
    await options().getByLabel('Ask nobody').click()
    await summary().getByText('2 turns at most, asks nobody').waitFor()
    expect(await axeProblems(page)).toEqual([])
    await page.reload()
    await choose()
    await summary().getByText('2 turns at most, asks nobody').waitFor()
    await button('Run').click()
    await controls().getByText('Stopped after 2 turns, as requested.').first().waitFor({ timeout: 60_000 })
  })

  it('asks before it checks the work, with the exact command', async () => {
    await summary().click()
    await options().getByLabel('Ask nobody').click()
    await options().getByLabel('turns at most').fill('')
    await options().getByLabel('turns at most').press('Enter')
    await expect.poll(() => summary().textContent()).toBe('Options')
    const inbox = view().getByRole('listbox', { name: 'Needs you' })
    await inbox.getByRole('option').filter({ hasText: 'to check the work' }).click()
    const form = view().getByRole('form', { name: 'Run these commands to check tasks' })
    await form.getByText('01: echo checked >checked.txt').waitFor()
    expect(existsSync(join(repository.root, 'checked.txt'))).toBe(false)
    await form.getByRole('button', { name: 'Run these commands to check tasks' }).click()
    await inbox.getByRole('option').filter({ hasText: 'to check the work' }).waitFor({ state: 'detached' })
  })

  it('runs the approved check, and shows its result beside what the agent says', async () => {
    await choose()
    await button('Resume').click()
    await controls()
      .getByText(/Project complete: /)
      .first()
      .waitFor({ timeout: 60_000 })
    expect(existsSync(join(repository.root, 'checked.txt'))).toBe(true)
    await view().getByRole('radio', { name: 'Plan' }).click()
    await view()
      .locator('.plan-row')
      .filter({ hasText: 'Part 02' })
      .getByText('agent says passed, host: passed')
      .waitFor()
    expect(await axeProblems(page)).toEqual([])
  })
})
