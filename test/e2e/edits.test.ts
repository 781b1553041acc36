/** A person changes what agents write too: by keyboard, shown before it is written, undone, kept while the files change; and for axe. */
import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventChannel } from '@shared/contract/pageChannels'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { answerFileDialogs, axeProblems, chooseMenuItem, pressNative, stopC64 } from './support'

const QUESTION = 'tape-archive/questions/software-architect-002-levels.md'

describe.skipIf(lacks('electron', 'xvfb'))('editing a run', () => {
  let folder: string
  let project: string
  let before: string
  let running: RunningApp
  let page: Page

  const read = () => readFile(join(project, QUESTION), 'utf8')
  const put = async (text: string) => {
    await writeFile(join(project, '.new'), text)
    await rename(join(project, '.new'), join(project, QUESTION))
  }
  const launch = async () => {
    running = await launchApp({ dataFolder: join(folder, 'data'), args: ['--size=1280x800', '--view=projects'] })
    page = running.page
    await untilLive(page)
    await stopC64(page)
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bridgedeck-edits-'))
    project = join(folder, 'sample')
    await cp('resources/sample-project', project, { recursive: true })
    before = await read()
    await launch()
    await answerFileDialogs(running, project)
    await chooseMenuItem(running, 'project.open')
    await inbox().getByRole('option').first().waitFor()
  })
  afterAll(async () => {
    await running.close()
    await rm(folder, { recursive: true, force: true })
  })

  const view = () => page.locator('[data-panel="projects"]')
  const inbox = () => view().getByRole('listbox', { name: 'Needs you' })
  const answer = () => view().getByRole('region', { name: 'Answer', exact: true })
  const dialog = () => page.getByRole('dialog')
  const toasts = () => page.getByRole('log', { name: 'Messages' })
  const menuTitle = (id: string) =>
    running.app.evaluate(({ Menu }, wanted) => Menu.getApplicationMenu()?.getMenuItemById(wanted)?.label, id)
  const chosenNeed = () => inbox().locator('[aria-selected=true]')

  /** With the arrow keys, from wherever the list is. Others may still come in above it. */
  async function toQuestion(title = 'What counts as a good recording', down = 'ArrowDown'): Promise<void> {
    await inbox().getByRole('option').filter({ hasText: title }).waitFor()
    await inbox().focus()
    // One that comes in above the first takes its place, and the chosen one stays chosen.
    const toFirst = async () => {
      await page.keyboard.press('Home')
      return chosenNeed().getAttribute('aria-posinset')
    }
    await expect.poll(toFirst).toBe('1')
    while (!(await chosenNeed().textContent())?.includes(title)) {
      const before = await chosenNeed().getAttribute('id')
      await page.keyboard.press(down)
      await expect.poll(() => chosenNeed().getAttribute('id')).not.toBe(before)
    }
  }

  it('answers a question by keyboard alone, and shows what is written before it is', async () => {
    await toQuestion()
    const need = view().getByRole('article', { name: 'Chosen need' })
    await need.getByText('Is the mark about how a tape sounds, or about whether it loads?').waitFor()
    await need.getByRole('region', { name: 'In its file' }).locator('[aria-current=location]').waitFor()
    await page.keyboard.press('Enter')
    await answer().getByLabel('Decision').and(page.locator(':focus')).waitFor()
    expect(await axeProblems(page)).toEqual([])
    await page.keyboard.press('Alt+2')
    await expect
      .poll(() => answer().getByLabel('Decision').inputValue())
      .toBe('Option B: Whether it loads: each tape is loaded once in an emulator')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('Option C')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Both, as two marks')
    await answer().getByRole('button', { name: 'Preview change' }).press('Enter')
    const diff = dialog().getByRole('region', { name: 'What would be written' })
    await diff.getByText('**Decision:** Option C').waitFor()
    expect(await diff.textContent()).toContain('+status: resolved')
    expect(await axeProblems(page)).toEqual([])
    expect(await read()).toBe(before)
    await page.keyboard.press('Control+Enter')
    await expect
      .poll(read)
      .toBe(
        before
          .replace('status: pending', 'status: resolved')
          .replace('**Decision:** ___', '**Decision:** Option C')
          .replace('**Reason:** ___', '**Reason:** Both, as two marks'),
      )
    await expect.poll(() => dialog().count()).toBe(0)
    await toasts().getByText('Answered “What counts as').waitFor()
    expect(await toasts().getByText(QUESTION).count()).toBe(1)
  })

  it('leaves a run that was answered ready, with one reason and the next step, and undo beside what was written', async () => {
    const runs = view().getByRole('listbox', { name: 'Projects and runs' })
    await runs.getByRole('option').filter({ hasText: 'Tape archive' }).click()
    const details = view().getByRole('region', { name: 'Details' })
    await details.getByText('ready to be resumed').waitFor()
    await details.getByText('Every question is answered.').first().waitFor()
    const text = (await details.textContent()) ?? ''
    expect(
      ['waits for a decision', 'waiting', 'needs an answer', 'a pending question'].filter((word) =>
        text.includes(word),
      ),
    ).toEqual([])
    const recent = details.getByRole('region', { name: 'Recent activity' })
    await recent.getByText('by bridgedeck').first().waitFor()
    await recent.getByRole('button', { name: 'Undo' }).waitFor()
    expect(await axeProblems(page)).toEqual([])
    await inbox().focus()
    await page.keyboard.press('Home')
  })

  it('goes on to the next need, in the list', async () => {
    await expect.poll(() => inbox().getByRole('option').filter({ hasText: 'What counts as' }).count()).toBe(0)
    await inbox().and(page.locator(':focus')).waitFor()
    expect(await chosenNeed().count()).toBe(1)
  })

  it('goes to the need that a notification is about', async () => {
    const title = 'Phase “Music” failed'
    const about = await page.evaluate(async (wanted) => {
      const api = window.bridgedeck.projects
      const listed = await api.list({})
      const project = listed.ok ? (listed.data.projects[0]?.project ?? 0) : 0
      const found = await api.runs({ project, after: null })
      const run = found.ok
        ? found.data.runs.find(({ needs }) => needs.some((need) => need.title === wanted))
        : undefined
      const source = run?.needs.find((need) => need.title === wanted)?.source
      return { kind: 'need', project, run: run?.key, source }
    }, title)
    await toQuestion('Choose the fixes to apply')
    await page.getByRole('searchbox').focus()
    await running.app.evaluate(
      ({ BrowserWindow }, [channel, payload]) =>
        BrowserWindow.getAllWindows().forEach(({ webContents }) =>
          webContents.send(channel, { event: 'window.showPlace', payload }),
        ),
      [eventChannel, about] as const,
    )
    await expect.poll(() => chosenNeed().textContent()).toContain(title)
    await inbox().and(page.locator(':focus')).waitFor()
  })

  it('undoes it from its message, to the byte', async () => {
    const runs = view().getByRole('listbox', { name: 'Projects and runs' }).getByRole('option')
    const titles = () => runs.locator('.run-row > :first-child').allTextContents()
    const order = await titles()
    await toasts().getByRole('button', { name: 'Undo answer to “What counts as a good recording' }).click()
    await expect.poll(read).toBe(before)
    await toasts().getByText('Undid: Answered').waitFor()
    expect(await titles()).toEqual(order)
  })

  it('answers a question of another format with two keys, and undoes it', async () => {
    const file = join(project, 'sprite-editor/.meta/session.json')
    const unanswered = await readFile(file, 'utf8')
    await toQuestion('How is the speed of an animation told', 'j')
    expect(await chosenNeed().textContent()).toContain('unblocks 3 tasks')
    await page.keyboard.press('2')
    await answer().getByRole('button', { name: 'Answer' }).and(page.locator(':focus')).waitFor()
    expect(await answer().getByLabel('Answer', { exact: true }).inputValue()).toBe('Raster frames a picture')
    await page.keyboard.press('Escape')
    await inbox().and(page.locator(':focus')).waitFor()
    expect(await readFile(file, 'utf8')).toBe(unanswered)
    await page.keyboard.press('1')
    await answer().getByRole('button', { name: 'Answer' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => readFile(file, 'utf8')).toContain('"user_input": "Frames a second"')
    await inbox().and(page.locator(':focus')).waitFor()
    await toasts()
      .getByRole('button', { name: /^Undo answer to “How is the speed/ })
      .click()
    await expect.poll(() => readFile(file, 'utf8')).toBe(unanswered)
  })

  it('sends the option of a number, however soon Enter comes after it', async () => {
    const file = join(project, 'sprite-editor/.meta/session.json')
    const unanswered = await readFile(file, 'utf8')
    await toQuestion('How is the speed of an animation told')
    await page.evaluate(() => {
      document.addEventListener('focusin', function pressAtOnce({ target }) {
        if (!(target instanceof HTMLButtonElement) || target.type !== 'submit') return
        document.removeEventListener('focusin', pressAtOnce)
        target.click()
      })
    })
    await page.keyboard.press('2')
    await expect.poll(() => readFile(file, 'utf8')).toContain('"user_input": "Raster frames a picture"')
    await toasts()
      .getByRole('button', { name: /^Undo answer to “How is the speed/ })
      .click()
    await expect.poll(() => readFile(file, 'utf8')).toBe(unanswered)
  })

  it('undoes the latest edit from the menu, whatever is chosen', async () => {
    const file = join(project, 'sprite-editor/.meta/session.json')
    const unanswered = await readFile(file, 'utf8')
    await toQuestion('How is the speed of an animation told')
    await page.keyboard.press('1')
    await answer().getByRole('button', { name: 'Answer' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => readFile(file, 'utf8')).toContain('"user_input": "Frames a second"')
    await toQuestion()
    await expect.poll(() => menuTitle('project.undo')).toMatch(/^Undo answer to “How is the speed/)
    await chooseMenuItem(running, 'project.undo')
    await expect.poll(() => readFile(file, 'utf8')).toBe(unanswered)
    await toasts().getByText('Undid: Answered “How is the speed').waitFor()
    expect(
      await toasts()
        .getByRole('button', { name: /^Undo answer to/ })
        .count(),
    ).toBe(0)
    await expect.poll(() => menuTitle('project.undo')).toBe('Undo the latest edit of a run')
    await chooseMenuItem(running, 'project.undo')
    await toasts().getByText('No edit to undo').waitFor()
  })

  it('redoes from the menu what was undone, which can be undone again', async () => {
    const file = join(project, 'sprite-editor/.meta/session.json')
    const unanswered = await readFile(file, 'utf8')
    await expect.poll(() => menuTitle('project.redo')).toMatch(/^Redo answer to “How is the speed/)
    await chooseMenuItem(running, 'project.redo')
    await expect.poll(() => readFile(file, 'utf8')).toContain('"user_input": "Frames a second"')
    await expect.poll(() => menuTitle('project.undo')).toMatch(/^Undo answer to “How is the speed/)
    await chooseMenuItem(running, 'project.undo')
    await expect.poll(() => readFile(file, 'utf8')).toBe(unanswered)
  })

  it('keeps a draft when the form is left, the page is loaded anew and the app is started again', async () => {
    await toQuestion()
    await page.keyboard.press('Enter')
    await answer().getByLabel('Decision').fill('A draft')
    await page.keyboard.press('Escape')
    await inbox().and(page.locator(':focus')).waitFor()
    await page.reload()
    await inbox().getByRole('option').first().waitFor()
    await running.close()
    await launch()
    await inbox().getByRole('option').first().waitFor()
    await toQuestion()
    await page.keyboard.press('Enter')
    await answer().getByText('Draft kept from').waitFor()
    await expect.poll(() => answer().getByLabel('Decision').inputValue()).toBe('A draft')
    expect(await axeProblems(page)).toEqual([])
  })

  it('keeps a draft when the page is loaded anew right after a key', async () => {
    await answer().getByLabel('Decision').fill('A longer draft')
    await page.reload()
    await toQuestion()
    await expect.poll(() => answer().getByLabel('Decision').inputValue()).toBe('A longer draft')
    await answer().getByLabel('Decision').fill('A draft')
  })

  it('shows in the form what changes on disk: untouched fields follow, touched ones stay and are marked', async () => {
    await put(
      before
        .replace('**Decision:** ___', '**Decision:** Option B')
        .replace('**Reason:** ___', '**Reason:** The agent’s own'),
    )
    await expect.poll(() => answer().getByLabel('Reason').inputValue()).toBe('The agent’s own')
    expect(await answer().getByLabel('Decision').inputValue()).toBe('A draft')
    await answer().getByText('On disk it is now: Option B').waitFor()
  })

  it('shows both versions when others changed the same, and writes over theirs only when told to', async () => {
    await answer().getByRole('button', { name: 'Preview change' }).press('Enter')
    await dialog()
      .getByRole('button', { name: /^Write/ })
      .waitFor()
    const theirs = before.replace('**Decision:** ___', '**Decision:** Option A')
    await put(theirs)
    await page.keyboard.press('Control+Enter')
    await dialog().getByText('Changed in the meantime: nothing was written').waitFor()
    expect(await dialog().getByRole('region', { name: 'What you agreed on' }).textContent()).toContain('A draft')
    expect(await dialog().getByRole('region', { name: 'What it would change now' }).textContent()).toContain('Option A')
    expect(await axeProblems(page)).toEqual([])
    expect(await read()).toBe(theirs)
    await page.keyboard.press('Control+Enter')
    await expect.poll(read).toContain('**Decision:** A draft')
  })

  it('says when an agent’s later write drops it, and offers to write it again', async () => {
    await expect
      .poll(
        async () => {
          await put(`${before}\n${Math.random()}\n`)
          return toasts()
            .getByText(/was overwritten at/)
            .count()
        },
        { timeout: 60_000, interval: 500 },
      )
      .toBeGreaterThan(0)
    await toasts().getByRole('button', { name: 'Write again…' }).click()
    await dialog().getByRole('region', { name: 'What would be written' }).getByText('**Decision:** A draft').waitFor()
    await page.keyboard.press('Control+Enter')
    await expect.poll(read).toContain('**Decision:** A draft')
  })

  it('offers all that can be done with a run under one shortcut, and lists what was written', async () => {
    const runs = view().getByRole('listbox', { name: 'Projects and runs' })
    await runs.getByRole('option').filter({ hasText: 'Tape archive' }).click()
    await runs.and(page.locator(':focus')).waitFor()
    await pressNative(running, 'A', 'control', 'alt')
    await dialog().getByRole('listbox', { name: 'What to do' }).getByRole('option').first().waitFor()
    await dialog().getByRole('heading', { name: 'Tape archive' }).waitFor()
    expect(await axeProblems(page)).toEqual([])
    await page.keyboard.press('Escape')
    await runs.and(page.locator(':focus')).waitFor()
    await view().getByRole('radio', { name: 'Activity' }).click()
    await view().getByRole('button', { name: 'Undo' }).first().waitFor()
    expect(await axeProblems(page)).toEqual([])
  })

  it('shows what moves as moved, with the lines that change alone', async () => {
    const runs = view().getByRole('listbox', { name: 'Projects and runs' })
    await runs.getByRole('option').filter({ hasText: 'A scroller over colour bars' }).click()
    await runs.and(page.locator(':focus')).waitFor()
    await pressNative(running, 'A', 'control', 'alt')
    await dialog().getByRole('option').filter({ hasText: 'Archive the session' }).click()
    await page.keyboard.press('Enter')
    const shown = dialog().getByRole('region', { name: 'What would be written' })
    await shown.getByText('active-session.md → .gemini/state/archive/').waitFor()
    expect(await shown.locator('tr.added').count()).toBe(2)
    expect(await axeProblems(page)).toEqual([])
    await page.keyboard.press('Escape')
  })

  it('offers the answer that a run waits for among what it needs first', async () => {
    const runs = view().getByRole('listbox', { name: 'Projects and runs' })
    await runs.getByRole('option').filter({ hasText: 'Sprite editor' }).click()
    const needed = view().getByRole('list', { name: 'Before it can run' })
    await needed.getByText('How is the speed of an animation told').waitFor()
    expect(await axeProblems(page)).toEqual([])
    await needed.getByRole('button', { name: 'Answer…' }).click()
    await dialog().getByLabel('Answer', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
  })
})
