/** An agent’s program gets the machines from the window: chosen, shown, agreed to and written, by keyboard alone. */
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { answerQuestions, axeProblems, chooseMenuItem, stopC64 } from './support'

describe.skipIf(lacks('electron', 'xvfb'))('connecting an agent in the window', () => {
  let folder: string
  let running: RunningApp
  let page: Page

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bridgedeck-connect-'))
    await mkdir(join(folder, '.codex'))
    writeFileSync(file(), '# mine\nmodel = "o3"\n')
    running = await launchApp({
      dataFolder: join(folder, 'data'),
      args: ['--size=1280x800'],
      environment: { HOME: folder, CODEX_HOME: '', CLAUDE_CONFIG_DIR: '' },
    })
    page = running.page
    await untilLive(page)
    await stopC64(page)
  })
  afterAll(async () => {
    await running.close()
    await rm(folder, { recursive: true, force: true })
  })

  const file = () => join(folder, '.codex', 'config.toml')
  const form = () => page.getByRole('form', { name: 'Connect an agent' })
  const program = () => form().getByRole('combobox', { name: 'Program' })
  const change = () => form().getByRole('region', { name: 'What would be written' })

  it('shows what would change in the file of the chosen program', async () => {
    await chooseMenuItem(running, 'agent.connect')
    await change().getByText('~/.claude.json').waitFor()
    await expect.poll(() => program().evaluate((field) => field === document.activeElement)).toBe(true)
    await page.keyboard.type('Codex')
    await change().getByText('~/.codex/config.toml').waitFor()
    await expect.poll(() => change().innerText()).not.toContain('--allow')
    await form()
      .getByRole('checkbox', { name: /^Change/i })
      .check()
    await change().getByText('"--allow", "change"').waitFor()
    await program().focus()
    expect(await axeProblems(page)).toEqual([])
  })

  it('writes nothing that is not agreed to', async () => {
    const asked = await answerQuestions(running, 0)
    await page.keyboard.press('Control+Enter')
    await expect.poll(async () => (await asked()).length).toBe(1)
    const [question] = await asked()
    expect(question?.detail).toMatch(/config\.toml.*mcp --allow change$/s)
    expect(readFileSync(file(), 'utf8')).toBe('# mine\nmodel = "o3"\n')
  })

  it('writes it once it is agreed to, and removes it again', async () => {
    await answerQuestions(running, 1)
    await page.keyboard.press('Control+Enter')
    await form().getByText('is already so').waitFor()
    expect(readFileSync(file(), 'utf8')).toMatch(/^# mine\nmodel = "o3"\n\n\[mcp_servers\.bridgedeck\]\ncommand = "\//)
    await form().getByRole('radio', { name: 'Remove' }).press('Space')
    await change().waitFor()
    await form().getByRole('combobox', { name: 'Program' }).press('Control+Enter')
    await form().getByText('is already so').waitFor()
    expect(readFileSync(file(), 'utf8')).toBe('# mine\nmodel = "o3"\n')
  })
})
