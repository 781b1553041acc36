/** The notes of a program in the window: an agent’s findings, which the person reads, follows and edits. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CommandLine } from '../support/commandLine'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { ask, startAgentProcessNamed } from '../support/mcpClient'
import { lacks } from '../support/parts'
import { axeProblems, pressNative } from './support'

describe.skipIf(lacks('electron', 'xvfb'))('the notes of a program', () => {
  let calls: CommandLine
  let running: RunningApp
  let page: Page
  beforeAll(async () => {
    calls = new CommandLine()
    running = await launchApp({
      dataFolder: join(calls.folder, 'data'),
      environment: { HOME: calls.folder, C64_TASK_STATE_FILE: undefined },
      args: ['--size=1280x800', '--view=memory'],
    })
    page = running.page
    await untilLive(page)
  })
  afterAll(async () => {
    await running.close()
    await calls.remove()
  })

  const panel = () => page.locator('[data-panel="memory"]').getByRole('region', { name: 'Search memory' })
  const notes = () => panel().getByRole('listbox', { name: 'Notes' }).getByRole('option')
  const text = () => panel().getByLabel('Note', { exact: true })
  const file = () => readFileSync(join(calls.folder, 'c64-notes.md'), 'utf8')

  it('show what an agent found as it is written, lead to its place, and are edited beside it', async () => {
    await pressNative(running, 'F', 'control')
    await panel().getByRole('radio', { name: 'Notes' }).click()
    await panel().getByText('Open a project’s folder').waitFor()
    const agent = await startAgentProcessNamed('claude', calls, '--allow', 'files')
    await ask(agent, 'memory', { op: 'why', address: '$d020' })
    await ask(agent, 'project', { op: 'note', text: 'Border of the demo.', at: '$d020' })
    await expect
      .poll(() => notes().allTextContents())
      .toEqual([expect.stringMatching(/^\$d020Border of the demo\.claude, .*, call \d+: memory why address: \$d020$/)])

    await notes().first().click()
    await expect.poll(() => page.locator('.memory-status').textContent()).toContain('$D020')
    await text().fill('Border, changed each frame.')
    await ask(agent, 'project', { op: 'note', text: 'Raster interrupt.', at: '$0314' })
    await expect.poll(() => notes().count()).toBe(2)
    await panel().getByRole('button', { name: 'Change' }).click()
    await expect.poll(file).toMatch(/- `\$d020` Border, changed each frame\.\n {2}— (?!claude).*call \d+: memory why/)
    expect(file()).toContain('- `$0314` Raster interrupt.\n  — claude, ')

    await panel().getByRole('button', { name: 'New' }).click()
    await panel().getByLabel('Address, range or label').fill('$c000-$c0ff')
    await text().fill('Mine.')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => notes().count()).toBe(3)
    expect(await axeProblems(page, '[data-panel="memory"]')).toEqual([])
    // The list may show the note before it is the chosen one.
    await panel().getByRole('button', { name: 'Change' }).waitFor()
    await panel().getByRole('button', { name: 'Remove' }).click()
    await expect.poll(() => notes().count()).toBe(2)
    await agent.close()
  })
})
