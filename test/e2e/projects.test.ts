/** The projects view with a person before it and an agent that writes: found, followed, traced to its files; by keyboard and for axe. */
import { mkdir, mkdtemp, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Locator, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { answerFileDialogs, answerQuestions, axeProblems, chooseMenuItem, stopC64 } from './support'

const RUN = '.workflow/.scratchpad/skill-tuning-20260210T080003'

describe.skipIf(lacks('electron', 'xvfb'))('the projects view', () => {
  let folder: string
  let project: string
  let state: string
  let running: RunningApp
  let page: Page

  const put = async (file: string, text: string) => {
    const path = join(project, file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(`${path}.tmp`, text)
    await rename(`${path}.tmp`, path)
  }
  const launch = async (...args: string[]) => {
    running = await launchApp({ dataFolder: join(folder, 'data'), args: ['--size=1280x800', ...args] })
    page = running.page
    await untilLive(page)
    await stopC64(page)
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bridgedeck-projects-'))
    project = join(folder, 'release-notes')
    state = await readFile('test/fixtures/spec004/mid-run.json', 'utf8')
    await put(`${RUN}/state.json`, state)
    await launch('--view=projects')
  })
  afterAll(async () => {
    await running.close()
    await rm(folder, { recursive: true, force: true })
  })

  const view = () => page.locator('[data-panel="projects"]')
  const list = () => view().getByRole('listbox', { name: 'Projects and runs' })
  const rows = () => list().getByRole('option')
  const details = () => view().getByRole('region', { name: 'Details' })
  const part = (name: RegExp) => details().getByRole('radio', { name })
  const file = () => view().getByRole('region', { name: /^File / })

  it('offers the sample project at first: a copy of its own, with runs of all formats', async () => {
    await view().getByRole('button', { name: 'Open the sample project' }).click()
    for (const format of ['Meta-Shell', 'ncrew', 'Maestro', 'Skill tuning'])
      await rows().filter({ hasText: format }).first().waitFor()
    await view().getByRole('article', { name: 'Chosen need' }).waitFor()
    await rows().filter({ hasText: 'runs' }).first().click()
    await writeFile(join(folder, 'data', 'sample-project', 'sprite-editor', '.meta', 'config.json'), '{}')
    await details().getByRole('button', { name: 'Close the project' }).click()
    await details().getByText('Last opened').waitFor()
    await answerQuestions(running, 1)
    await details().getByRole('button', { name: 'Remove from list…' }).click()
  })

  it('says at first what to do, and opens the folder that the native dialog gives', async () => {
    await view().getByText('No project is open').waitFor()
    await view().getByText('A crew of experts takes turns at a list of tasks').waitFor()
    expect(await axeProblems(page)).toEqual([])
    await answerFileDialogs(running, project)
    await view().getByRole('button', { name: 'Open a folder…' }).click()
    await rows().filter({ hasText: 'Skill tuning' }).waitFor()
    await details().getByText('Restricted mode').waitFor()
  })

  it('is restricted until a native dialog that names the folder was agreed to, from the menu or its button, and can be again', async () => {
    const asked = await answerQuestions(running, 0)
    await chooseMenuItem(running, 'project.trust')
    await expect.poll(async () => JSON.stringify(await asked())).toMatch(/release-notes.*anything that you can/s)
    await details().getByText('Restricted mode').waitFor()
    expect(await axeProblems(page)).toEqual([])
    await answerQuestions(running, 1)
    await details().getByRole('button', { name: 'Trust…' }).click()
    await details().getByText('Trusted: git and the agents you start').waitFor()
    expect(await axeProblems(page)).toEqual([])
    await details().getByRole('button', { name: 'Restrict again' }).click()
    await details().getByText('Restricted mode').waitFor()
  })

  it('shows a run chosen by keyboard, with the file and line behind each value', async () => {
    await list().focus()
    await page.keyboard.press('End')
    await details().getByText('says running').waitFor()
    await details().getByRole('button', { name: 'state.json:2' }).first().click()
    const marked = file().locator('[aria-current=location]')
    await marked.filter({ hasText: '"status": "running"' }).waitFor()
    await running.app.evaluate(({ shell }) => {
      shell.showItemInFolder = (path) => Object.assign(globalThis, { shownPath: path })
    })
    await file().getByRole('button', { name: 'Show in folder' }).click()
    const shown = () => running.app.evaluate((): unknown => Reflect.get(globalThis, 'shownPath'))
    await expect.poll(shown).toBe(await realpath(join(project, RUN, 'state.json')))
    await file().getByRole('button', { name: 'Copy path' }).click()
    const copied = () => running.app.evaluate(({ clipboard }) => clipboard.readText())
    await expect.poll(copied).toBe(join(project, RUN, 'state.json'))
    await file().getByRole('list', { name: 'Lines' }).focus()
    await page.keyboard.press('Escape')
    await expect.poll(() => file().count()).toBe(0)
  })

  it('has nothing that axe finds fault with in any of its parts', async () => {
    for (const name of [/^Plan/, /^Overview/, /^Activity/, /^Files/]) {
      await part(name).click()
      await expect.poll(() => part(name).getAttribute('aria-checked')).toBe('true')
      expect(await axeProblems(page), String(name)).toEqual([])
    }
    await details().locator('.source').first().click()
    await file().locator('[aria-current=location]').waitFor()
    expect(await axeProblems(page)).toEqual([])
  })

  it('draws the plan as a graph that keys lead through, with why something waits in words', async () => {
    await part(/^Plan/).click()
    await page.keyboard.press('Alt+2')
    const graph = details().getByRole('application', { name: 'The plan as a graph' })
    await graph.and(page.locator('[data-painted]')).waitFor()
    const card = details().getByRole('region', { name: 'Chosen in the plan', exact: true })
    await graph.focus()
    for (const key of ['ArrowRight', 'ArrowRight', '+', '-', '0', 'Enter']) await page.keyboard.press(key)
    await card
      .getByText(/ready|blocked|done|active/)
      .first()
      .waitFor()
    expect(await axeProblems(page)).toEqual([])
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'detached' })
    expect(await graph.evaluate((canvas) => canvas === document.activeElement)).toBe(true)
    for (const key of ['+', '+', '+', '+']) await page.keyboard.press(key)
    await dragAlongMap(graph)
    await page.keyboard.press('Alt+3')
    const rows = details().getByRole('listbox')
    await rows.getByRole('option').first().click()
    const chosen = await rows.getByRole('option', { selected: true }).locator('.data').textContent()
    expect(await axeProblems(page)).toEqual([])
    await page.keyboard.press('Alt+4')
    await details().getByRole('list', { name: 'What happened when' }).waitFor()
    expect(await axeProblems(page)).toEqual([])
    await page.keyboard.press('Alt+1')
    await details()
      .locator('.plan-row[aria-current]')
      .filter({ hasText: chosen ?? '' })
      .waitFor()
  })

  /** On the map in the left lower corner, which shows while the plan is larger than the view. */
  async function dragAlongMap(graph: Locator): Promise<void> {
    const { x, y, height } = (await graph.boundingBox()) ?? { x: 0, y: 0, height: 0 }
    const pictureAt = async (right: number) => {
      await page.mouse.move(x + right, y + height - 16)
      return graph.evaluate(async (canvas) => {
        // A move asks for the next frame, and the one after it comes once that is drawn.
        for (const _ of 'ab') await new Promise((done) => requestAnimationFrame(done))
        return canvas instanceof HTMLCanvasElement ? canvas.toDataURL() : ''
      })
    }
    await pictureAt(16)
    await page.mouse.down()
    const atLeft = await pictureAt(17)
    expect(await pictureAt(64)).not.toBe(atLeft)
    expect(await pictureAt(17)).toBe(atLeft)
    await page.mouse.up()
  }

  it('follows what an agent writes, with what changed in the journal, and shows hostile text as text', async () => {
    await part(/^Activity/).click()
    await put(
      `${RUN}/state.json`,
      state
        .replace('"status": "running"', '"status": "failed"')
        .replace('Context grows too large', '<img src=x onerror=alert(1)>\\u001b[31m'),
    )
    await rows().filter({ hasText: 'failed' }).waitFor()
    await details().getByText('/status', { exact: true }).waitFor()
    await expect
      .poll(() => details().getByRole('region', { name: 'Journal' }).textContent())
      .toContain('/status: "running" → "failed"')
    expect(await view().locator('img').count()).toBe(0)
  })

  it('goes back in time by keyboard, where nothing is as it is now, compares two moments, and comes back', async () => {
    await put(`${RUN}/state.json`, state.replace('"status": "running"', '"status": "failed"'))
    await details().getByText('failed', { exact: true }).first().waitFor()
    const slider = details().getByRole('slider', { name: 'History' })
    await slider.waitFor()
    await details().getByRole('button', { name: 'Compare from here' }).click()
    await slider.focus()
    await page.keyboard.press('Home')
    await details()
      .getByText(/^As it was at \d/)
      .waitFor()
    await details().getByText('says running').first().waitFor()
    const comparison = details().getByRole('region', { name: 'Comparison' })
    await comparison.getByText('/status').waitFor()
    await expect.poll(() => comparison.textContent()).toContain('-  "status": "running"')
    expect(await axeProblems(page)).toEqual([])
    await details().getByRole('button', { name: 'Live' }).click()
    await expect
      .poll(() =>
        details()
          .getByText(/^As it was at \d/)
          .count(),
      )
      .toBe(0)
    await details().getByText('failed', { exact: true }).first().waitFor()
    await details().getByRole('button', { name: 'End comparing' }).click()
  })

  it('finds a text wherever it stands, and goes there', async () => {
    await chooseMenuItem(running, 'project.search')
    const field = view().getByRole('searchbox', { name: 'Search in all open projects' })
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.type('MAX_iterations')
    const found = view().getByRole('listbox', { name: 'Found' }).getByRole('option')
    await found.first().waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('End')
    await file().locator('[aria-current=location]').filter({ hasText: 'max_iterations' }).waitFor()
    expect(await axeProblems(page)).toEqual([])
    await field.focus()
    await page.keyboard.press('Escape')
    await rows().first().waitFor()
  })

  it('keeps the last good version of a file that is cut off, and says so', async () => {
    await put(`${RUN}/state.json`, state.slice(0, 700))
    await details().getByRole('alert').filter({ hasText: 'This is the last valid version' }).waitFor()
    await put(`${RUN}/state.json`, state)
    await details().getByText('says running').waitFor()
    await expect.poll(() => details().getByRole('alert').count()).toBe(0)
  })

  it('has the project open again after a restart, and takes a folder from the command line', async () => {
    const other = join(folder, 'other')
    await mkdir(other)
    await running.close()
    await launch('--view=projects', other)
    await rows().filter({ hasText: 'Skill tuning' }).waitFor()
    await details().getByRole('heading', { name: 'other' }).waitFor()
    await details().getByText('No runs found').waitFor()
  })

  it('closes a project, and takes it off the list once that was confirmed', async () => {
    await details().getByRole('button', { name: 'Close the project' }).click()
    await details().getByText('Last opened').waitFor()
    await answerQuestions(running, 1)
    await details().getByRole('button', { name: 'Remove from list…' }).click()
    await expect.poll(() => rows().filter({ hasText: 'other' }).count()).toBe(0)
  })
})
