/** A tuning run in the window with agents: chosen beside the button, asked for what cannot be generated, and tried before they are believed. */
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { initTuning } from '../../src-main/loops/tuning/initTuning'
import { openDatabase } from '../../src-main/storage/database'
import { SettingsStore } from '../../src-main/storage/settings'
import { agentLike } from '../support/agentBench'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { answerQuestions, stopC64 } from './support'

const call = 'const prompt = `Sum up ${JSON.stringify(state)}`'

describe.skipIf(lacks('electron', 'xvfb'))('a tuning run with agents in the window', () => {
  let top: string
  let running: RunningApp
  let page: Page

  beforeAll(async () => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'bridgedeck-tuning-')))
    const put = (file: string, text: string) => {
      mkdirSync(dirname(join(top, file)), { recursive: true })
      writeFileSync(join(top, file), text)
    }
    put('project/skill/SKILL.md', '# Notes\n')
    put('project/skill/phases/1.md', `# One\n\n\`\`\`js\n${call}\n\`\`\`\n`)
    const { signal } = new AbortController()
    await initTuning({
      folder: join(top, 'project'),
      skill: undefined,
      problem: 'It grows',
      focus: [],
      maxIterations: undefined,
      signal,
    })
    mkdirSync(join(top, 'data'), { mode: 0o700 })
    const database = openDatabase(join(top, 'data/bridgedeck.sqlite'))
    const command = resolve('test/peers/agents/standIn.mjs')
    const agent = agentLike({}, { name: 'helper', preset: 'claude', command, args: ['--kind', 'careless'] })
    new SettingsStore(database).change({ agents: [agent] })
    database.close()
    running = await launchApp({
      dataFolder: join(top, 'data'),
      args: ['--size=1280x800', '--view=projects', join(top, 'project')],
    })
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
  const run = () => controls().getByRole('button', { name: /^(Run|Resume)$/ })
  const inbox = () => view().getByRole('listbox', { name: 'Needs you' })

  it('names the roles, none of which has an agent until one is chosen', async () => {
    const runs = view().getByRole('listbox', { name: 'Projects and runs' })
    await runs.getByRole('option').filter({ hasText: 'Skill tuning' }).first().click()
    const asked = await answerQuestions(running, 1)
    await controls().getByRole('button', { name: 'Trust the folder…' }).click()
    await controls().getByRole('button', { name: 'Trust the folder…' }).waitFor({ state: 'detached' })
    expect(await asked()).toMatchObject([{ message: 'Trust this folder?' }])
    await controls().getByText('Optional: with none, no agent is asked.').waitFor()
    for (const role of ['fixer', 'analyst']) {
      const choice = controls().getByLabel(role)
      expect(await choice.inputValue()).toBe('')
      await choice.selectOption('helper')
      await expect.poll(() => choice.inputValue()).toBe('helper')
    }
  })

  it('shows what the analyst found, and a fix only once it applies', async () => {
    await expect.poll(() => run().getAttribute('aria-disabled')).toBeNull()
    await run().click()
    await controls().getByText('Choose the fixes to apply.').first().waitFor()
    const fix = view().locator('details').filter({ hasText: 'FIX-1' }).first()
    await fix.getByText('+const prompt = `Sum up state.json`').waitFor()
    await fix.getByText('medium risk').waitFor()
    await fix.getByText('Scan the skill again: CTX-1 is no longer found.').waitFor()
    await view().locator('summary').filter({ hasText: 'LLM-1' }).first().click()
    const evidence = view().getByRole('region', { name: 'Evidence of LLM-1' })
    await evidence.locator('[aria-current=location]').filter({ hasText: '# Notes' }).waitFor()
    await view().locator('summary').filter({ hasText: 'gemini-analysis-root_cause.md' }).first().click()
    await view().getByText('The skill writes before it plans.').first().waitFor()
    await view().getByRole('radio', { name: 'Activity' }).click()
    const log = view().getByRole('list', { name: 'Its log' })
    await log.getByText('The fixer’s answer cannot be used').first().waitFor()
  })

  it('is completed once the fix is chosen, applied and verified', async () => {
    const need = inbox().getByRole('option').filter({ hasText: 'Choose the fixes to apply' })
    await need.click()
    const send = view().getByRole('region', { name: 'Answer', exact: true }).locator('[type=submit]')
    await send.waitFor()
    await inbox().focus()
    await page.keyboard.press('1')
    await send.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await need.waitFor({ state: 'detached' })
    await run().click()
    await controls().getByText('The run is completed.').first().waitFor()
  })
})
