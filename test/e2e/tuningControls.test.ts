/** The sample project's tuning run driven to its end in the window, without an agent. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { identifyFolder } from '../../src-main/projects/trust'
import { openDatabase } from '../../src-main/storage/database'
import { ProjectStore } from '../../src-main/storage/projects'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { stopC64 } from './support'

const STATE = '.workflow/.scratchpad/skill-tuning-20261118090000/state.json'

describe.skipIf(lacks('electron', 'xvfb'))('the tuning run of the sample project in the window', () => {
  let top: string
  let sample: string
  let running: RunningApp
  let page: Page

  beforeAll(async () => {
    top = await realpath(await mkdtemp(join(tmpdir(), 'bridgedeck-tuning-')))
    sample = join(top, 'sample')
    cpSync(resolve('resources/sample-project'), sample, { recursive: true })
    const first = await launchApp({ dataFolder: join(top, 'data'), args: [sample] })
    await untilLive(first.page)
    await first.close()
    const database = openDatabase(join(top, 'data/bridgedeck.sqlite'))
    new ProjectStore(database).trust(sample, identifyFolder(sample).identity, Date.now())
    database.close()
    running = await launchApp({ dataFolder: join(top, 'data'), args: ['--size=1280x800', '--view=projects', sample] })
    page = running.page
    await untilLive(page)
    await stopC64(page)
  })
  afterAll(async () => {
    await running.close()
    await rm(top, { recursive: true, force: true })
  })

  const view = () => page.locator('[data-panel="projects"]')
  const controls = () => view().getByRole('region', { name: 'Run it' })
  const resume = () => controls().getByRole('button', { name: /^(Run|Resume)$/ })
  const state = () => readFileSync(join(sample, STATE), 'utf8')
  const write = (from: string, to: string) => writeFileSync(join(sample, STATE), state().replace(from, to))

  it('needs no agent, waits for the choice and for a verdict, and goes on to its end', async () => {
    await view()
      .getByRole('listbox', { name: 'Projects and runs' })
      .getByRole('option')
      .filter({ hasText: 'Skill tuning' })
      .first()
      .click()
    await expect.poll(() => resume().getAttribute('aria-disabled')).not.toBe('true')
    await resume().click()
    await controls().getByText('Choose the fixes to apply.').first().waitFor()
    write('"pending_fixes": []', '"pending_fixes": ["FIX-1", "FIX-2"]')
    await resume().click()
    await controls().getByText('Give your verdict, or roll it back.').first().waitFor()
    write('"verification_result": "pending"', '"verification_result": "fail"')
    await resume().click()
    await controls().getByText('The run is completed.').first().waitFor()
    expect(JSON.parse(state())).toMatchObject({ status: 'completed', current_action: null, quality_gate: 'pass' })
  })

  it('shows an issue with the lines of the skill around its evidence', async () => {
    await view().locator('summary').filter({ hasText: 'CTX-2' }).first().click()
    const evidence = view().getByRole('region', { name: 'Evidence of CTX-2' })
    await evidence.locator('[aria-current=location]').filter({ hasText: 'Hand all of it on in the prompt.' }).waitFor()
  })
})
