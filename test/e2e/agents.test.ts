/** The agents view with a person before it: set up, allowed, tried, followed, searched, stopped; by keyboard and for axe. */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentLike, fakeAgent, isAlive } from '../support/agentBench'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { answerQuestions, axeProblems, stopC64 } from './support'

/** Its scrollbar appears before it is told of its own last step to the end: the room becomes 4 px smaller. */
async function shrinkWhileScrolling(scroller: Element): Promise<void> {
  if (!(scroller instanceof HTMLElement)) throw new Error('no element to scroll')
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  scroller.style.maxHeight = '376px'
  for (let frame = 0; frame < 3; frame++) await nextFrame()
  scroller.style.maxHeight = '372px'
  scroller.dispatchEvent(new Event('scroll'))
  await nextFrame()
}

describe.skipIf(lacks('electron', 'xvfb')).each(['light', 'dark'])('the agents view in the %s theme', (theme) => {
  let folder: string
  let running: RunningApp
  let page: Page

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bridgedeck-agents-view-'))
    // The stand-ins for agents are run by the Node that runs the tests.
    const environment = { PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` }
    running = await launchApp({
      dataFolder: join(folder, 'data'),
      args: ['--size=1280x800', '--view=agents', `--theme=${theme}`],
      environment,
    })
    page = running.page
    await untilLive(page)
    await stopC64(page)
  })
  afterAll(async () => {
    await running.close()
    await rm(folder, { recursive: true, force: true })
  })

  const view = () => page.locator('[data-panel="agents"]')
  const details = () => view().getByRole('region', { name: 'Details' })
  const runs = () => view().getByRole('listbox', { name: 'Runs of agents' }).getByRole('option')
  const form = () => view().getByRole('form')
  const log = () => details().getByRole('group', { name: 'Log, output' })
  const follow = () => details().getByRole('checkbox', { name: /Follow/ })

  /** As after its form, which asks too. */
  async function setUp(name: string, fake: object): Promise<void> {
    await answerQuestions(running, 1)
    const agent = agentLike(fake, { name })
    const result = await page.evaluate((saved) => window.bridgedeck.agents.save(saved), agent)
    expect(result.ok).toBe(true)
  }

  it('says at first what an agent is', async () => {
    await view().getByText('No agent is set up').waitFor()
    expect(await axeProblems(page)).toEqual([])
  })

  it('sets one up by its form, once a native dialog has named the exact command and the person agreed', async () => {
    await view().getByRole('button', { name: 'Set up an agent' }).click()
    await form().getByLabel('Kind').selectOption('custom')
    await form().getByLabel('Name').fill('helper')
    await form().getByLabel('Command', { exact: true }).fill(fakeAgent)
    await form()
      .getByLabel('Arguments')
      .fill(`--fake\n${JSON.stringify({ answer: 'ready' })}`)
    await form().getByLabel('Variables').fill('HELPER_KEY')
    expect(await axeProblems(page)).toEqual([])
    const refused = await answerQuestions(running, 0)
    await form().getByRole('button', { name: 'Allow and save…' }).click()
    await expect.poll(async () => (await refused()).length).toBe(1)
    const [asked] = await refused()
    expect(await form().getByRole('alert').count()).toBe(0)
    expect(asked?.message).toContain('“helper”')
    expect(asked?.detail).toContain(`${fakeAgent} --fake '{"answer":"ready"}'`)
    expect(asked?.detail).toContain('HELPER_KEY')
    await answerQuestions(running, 1)
    await form().getByRole('button', { name: 'Allow and save…' }).click()
    await form().getByText('Found:').waitFor()
    await view()
      .getByRole('listbox', { name: 'Agents that are set up' })
      .getByRole('option', { name: /helper/ })
      .waitFor()
  })

  it('tries it, and shows its run with its log', async () => {
    await form().getByRole('button', { name: 'Try it' }).click()
    await details().getByText('done', { exact: true }).waitFor()
    await log().getByText('ready', { exact: true }).waitFor()
    await expect.poll(() => details().getByText('not reported', { exact: true }).count()).toBe(1)
    await details().getByRole('radio', { name: 'Errors' }).click()
    await details().getByText('Nothing was printed as errors yet.').waitFor()
    await details().getByRole('radio', { name: 'Prompt' }).click()
    await details()
      .getByRole('group', { name: 'Log, prompt' })
      .getByText(/Answer with the one word: ready/)
      .waitFor()
    expect(await axeProblems(page)).toEqual([])
  })

  it('says why one that was tried has failed', async () => {
    await setUp('wordy', { answer: 'I need a login first' })
    await page.evaluate(() => window.bridgedeck.agents.try({ name: 'wordy' }))
    await runs().filter({ hasText: 'wordy' }).click()
    await details().getByText('failed', { exact: true }).waitFor()
    await details().getByText('It was asked to answer “ready”, and answered “I need a login first”.').waitFor()
  })

  it('folds messages and tool calls, but not what failed and the last one, and finds lines in them', async () => {
    const part = (content: object) => ({ type: 'assistant', message: { content: [content] } })
    const result = (tool_use_id: string, is_error: boolean, content: string) => ({
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id, is_error, content }] },
    })
    const events = [
      part({ type: 'text', text: 'I read the plan first.' }),
      part({ type: 'tool_use', id: 'a', name: 'Read', input: { file_path: 'plan.md' } }),
      result('a', false, 'Phase 1: tape loader'),
      part({ type: 'tool_use', id: 'b', name: 'Bash', input: { command: 'npm test' } }),
      result('b', true, '2 tests fail'),
    ]
    const agent = agentLike({ as: 'claude', events, answer: 'ready' }, { name: 'stepper', preset: 'claude' })
    await answerQuestions(running, 1)
    await page.evaluate((saved) => window.bridgedeck.agents.save(saved), agent)
    await page.evaluate(() => window.bridgedeck.agents.try({ name: 'stepper' }))
    await runs().filter({ hasText: 'stepper' }).click()
    await details().getByText('done', { exact: true }).waitFor()
    const step = (name: string) => log().getByRole('button', { name })
    const isOpen = (name: string) => step(name).getAttribute('aria-expanded')
    await expect.poll(() => isOpen('Finished')).toBe('true')
    expect([await isOpen('Read: plan.md'), await isOpen('Bash: npm test')]).toEqual(['false', 'true'])
    // A line's time is kept in a file of its own, and may come after the line.
    await expect.poll(() => step('Bash: npm test').textContent()).toMatch(/^\d\d:\d\d:\d\dfailedBash: npm test$/)
    expect(await log().getByText('2 tests fail').count()).toBe(1)
    expect(await log().getByText('tape loader').count()).toBe(0)
    expect(await axeProblems(page)).toEqual([])
    await details().getByRole('searchbox', { name: 'Search the log' }).fill('tape loader')
    await page.keyboard.press('Enter')
    await log().locator('[aria-current=location]').getByText('tape loader').waitFor()
    expect(await isOpen('Read: plan.md')).toBe('true')
    await step('Read: plan.md').focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => isOpen('Read: plan.md')).toBe('false')
    await details().getByRole('button', { name: 'First error' }).click()
    await log().locator('[aria-current=location]').getByText('npm test').waitFor()
    await details().getByRole('checkbox', { name: 'Fold steps' }).uncheck()
    await expect.poll(() => log().getByRole('button').count()).toBe(0)
    await log().getByText('tape loader').waitFor()
  })

  it('follows one that runs, finds lines in what it printed, and stops it with all of its processes', async () => {
    const file = join(folder, 'pids')
    await setUp('worker', { lines: 30_000, rate: 2_000, wait: 600_000, stubborn: true, child: 'escaped', file })
    const result = await page.evaluate(() => window.bridgedeck.agents.try({ name: 'worker' }))
    expect(result.ok).toBe(true)
    const row = runs().filter({ hasText: 'worker' })
    await row.getByText('running', { exact: true }).waitFor()
    await row.click()
    // It scrolls by at two thousand lines a second: any line beyond the first two thousand will do.
    await log()
      .getByText(/^line (?:[2-9]\d{3}|\d{5}) x/)
      .first()
      .waitFor()
    const search = details().getByRole('searchbox', { name: 'Search the log' })
    await log().focus()
    await page.keyboard.press('/')
    await page.keyboard.type('line 123 ')
    await page.keyboard.press('Enter')
    const found = log().locator('[aria-current=location]')
    await found.waitFor()
    await expect.poll(() => found.textContent()).toMatch(/124line 123 x/)
    await expect.poll(() => follow().isChecked()).toBe(false)
    await search.fill('line 9(')
    await details().getByRole('checkbox', { name: 'Regular expression' }).check()
    await search.press('Enter')
    await details()
      .getByText(/is no regular expression/)
      .waitFor()
    expect(await axeProblems(page)).toEqual([])
    await log().focus()
    await page.keyboard.press('Home')
    await log()
      .getByText(/^line 0 x/)
      .waitFor()
    await page.keyboard.press('End')
    await expect.poll(() => follow().isChecked()).toBe(true)
    await log().evaluate(shrinkWhileScrolling)
    expect(await follow().isChecked()).toBe(true)
    const pids = readFileSync(file, 'utf8').trim().split('\n').map(Number)
    expect(pids.filter(isAlive)).toHaveLength(2)
    await page.keyboard.press('s')
    await row.getByText('stopped', { exact: true }).waitFor({ timeout: 60_000 })
    expect(pids.filter(isAlive)).toEqual([])
  })

  it('shows hostile output as text', async () => {
    await setUp('hostile', { hostile: true, answer: 'ready' })
    await page.evaluate(() => window.bridgedeck.agents.try({ name: 'hostile' }))
    const row = runs().filter({ hasText: 'hostile' })
    await row.getByText('done', { exact: true }).waitFor()
    await row.click()
    await log().getByText('<script>alert(1)</script>').waitFor()
    expect(await view().locator('img, script').count()).toBe(0)
  })
})
