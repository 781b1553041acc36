/** Recording the built-in C64 in the window, and going back to a moment of it. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decode, decodeApng } from 'fast-png'
import type { Page } from 'playwright'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { SharedApp } from '../support/sharedApp'
import { answerFileDialogs, answerQuestions, axeProblems, chooseMenuItem, sampleEachFrame } from './support'

const shared = new SharedApp()
afterAll(() => shared.close())

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-timeline-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function openLive(...args: string[]): Promise<RunningApp> {
  const running = await shared.open('--size=1280x800', ...args)
  await untilLive(running.page)
  return running
}

const poke = (page: Page, address: number, value: number) =>
  page.evaluate(
    ([address, value]) =>
      window.bridgedeck.memory.write({ machine: 'builtin', space: 'cpu', address, bytes: Uint8Array.of(value) }),
    [address, value] as const,
  )

async function recordedFrames(page: Page): Promise<number> {
  const result = await page.evaluate(() => window.bridgedeck.recorder.list({}))
  return result.ok ? (result.data.recordings[0]?.frames ?? 0) : 0
}

/** What $C000 has changed to while it was recorded. */
async function recordedValues(page: Page): Promise<number[]> {
  return page.evaluate(async () => {
    const list = await window.bridgedeck.recorder.list({})
    const recording = list.ok ? list.data.recordings[0]?.recording : undefined
    if (recording === undefined) return []
    const found = await window.bridgedeck.recorder.changes({
      recording,
      space: 'cpu',
      address: 0xc000,
      order: 'first',
      limit: 100,
    })
    if (!found.ok) throw new Error(found.error.message)
    return found.data.changes.map(({ value }) => value)
  })
}

/** $C000 becomes 1, 2 and 3 while it is recorded; the machine stands still, so that nothing else happens. */
async function recordThree(running: RunningApp): Promise<void> {
  const { page } = running
  await page.evaluate(() => window.bridgedeck.machine.pause({ machine: 'builtin' }))
  await poke(page, 0xc000, 0)
  await chooseMenuItem(running, 'recorder.toggle')
  await page.getByRole('button', { name: 'Stop recording' }).first().waitFor()
  await expect.poll(() => recordedFrames(page)).toBeGreaterThan(0)
  for (const value of [1, 2, 3]) {
    await poke(page, 0xc000, value)
    await expect.poll(() => recordedValues(page)).toEqual([1, 2, 3].slice(0, value))
  }
  await chooseMenuItem(running, 'recorder.toggle')
  await page.getByRole('button', { name: 'Record', exact: true }).first().waitFor()
  await chooseMenuItem(running, 'memory.goto')
  await page.getByRole('textbox', { name: 'Go to address' }).fill('$c000')
  await page.keyboard.press('Enter')
  await chooseMenuItem(running, 'view.timeline')
  await page.getByRole('slider', { name: 'Moment of the recording' }).focus()
}

const bar = (page: Page) => page.locator('.banner.recorded')
const workspace = (page: Page) => page.locator('[data-workspace="timeline"][data-current="true"]')
const firstByteOfRow = async (page: Page, address: string) =>
  (
    await workspace(page)
      .locator('.hex-row', { has: page.locator('.hex-address', { hasText: address }) })
      .locator('.hex-bytes')
      .textContent()
  )
    ?.trim()
    .slice(0, 2)
/** The parts of the machine bar that do not show all of their text. */
const cutTexts = (page: Page) =>
  page.locator('.machine-bar .banner *').evaluateAll((parts) =>
    parts
      .filter((part) => part instanceof HTMLElement && !part.matches('.hidden-visually'))
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map(({ textContent }) => textContent),
  )
const byte = (page: Page) => page.getByRole('group', { name: 'Changes of a byte' })

/** Cancels the next export from within the page: a test outside of it would be too late for a fast one. */
const cancelAsSoonAsShown = (page: Page): Promise<{ text: string; exportIsOff: boolean }> =>
  page.evaluate(
    () =>
      new Promise((done) => {
        const observer = new MutationObserver(() => {
          const group = document.querySelector('[aria-label="Current export"]')
          const cancel = group?.querySelector('button')
          if (!cancel) return
          observer.disconnect()
          const buttons = [...document.querySelectorAll('[aria-label^="Export"] button')]
          const exportIsOff = buttons.every((button) => button.getAttribute('aria-disabled') === 'true')
          done({ text: group?.textContent ?? '', exportIsOff })
          cancel.click()
        })
        observer.observe(document.body, { childList: true, subtree: true })
      }),
  )

describe.skipIf(lacks('electron', 'xvfb'))('the timeline', () => {
  it('records once, and stops, when Record is asked for twice before it is known to record', async () => {
    const running = await openLive()
    const { page } = running
    await Promise.all([chooseMenuItem(running, 'recorder.toggle'), chooseMenuItem(running, 'recorder.toggle')])
    await page.getByText(/^0001_recording: /).waitFor()
    await page.getByRole('button', { name: 'Record', exact: true }).first().waitFor()
    const tasks = await page.evaluate(() => window.bridgedeck.tasks.list({ after: null }))
    expect(tasks.ok && tasks.data.tasks.map(({ id, status }) => `${id} ${status}`)).toEqual(['0001_recording stopped'])
  })

  it('shows a recorded moment in all views, goes from change to change, and back to live', async () => {
    const running = await openLive()
    const { page } = running
    await recordThree(running)
    await page.keyboard.press('Home')
    await bar(page).waitFor()
    await expect.poll(() => byte(page).textContent()).toContain('$00')
    for (const value of ['$01', '$02', '$03']) {
      await page.keyboard.press('.')
      await expect.poll(() => byte(page).textContent()).toContain(value)
    }
    await page.getByRole('slider', { name: 'Moment of the recording' }).focus()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => byte(page).textContent()).toContain('$02')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => byte(page).textContent()).toContain('$03')
    await page.keyboard.press(',')
    await expect.poll(() => byte(page).textContent()).toContain('$02')
    await expect.poll(() => firstByteOfRow(page, 'C000')).toBe('02')
    const status = workspace(page).locator('.memory-status')
    await expect.poll(() => status.textContent()).toContain('changed at this moment: $01 → $02')
    expect(await cutTexts(page)).toEqual([])
    await chooseMenuItem(running, 'memory.goto')
    await workspace(page).getByRole('textbox', { name: 'Go to address' }).fill('$0400')
    await page.keyboard.press('Enter')
    await expect.poll(() => byte(page).textContent()).toContain('$0400')
    const changed = page.getByRole('group', { name: 'Bytes that changed' })
    await changed.getByText('$0400 did not change').waitFor()
    await chooseMenuItem(running, 'recorder.nextChange')
    const offer = { name: 'Show a change of $C000' }
    await page.locator('.toast').getByRole('button', offer).waitFor()
    await changed.getByRole('button', offer).click()
    await expect.poll(() => byte(page).textContent()).toMatch(/\$C000.*\$01/)
    expect(await page.locator('.toast').getByRole('button', offer).count()).toBe(0)
    await workspace(page).getByRole('slider', { name: 'Moment of the recording' }).focus()
    await page.keyboard.press('Escape')
    await bar(page).waitFor({ state: 'detached' })
    await page.keyboard.press('Home')
    await bar(page).waitFor()
    await page.getByRole('status', { name: 'State: Recording shown' }).waitFor()
    await page.getByRole('button', { name: 'Back to live' }).click()
    await bar(page).waitFor({ state: 'detached' })
    expect(await page.getByRole('status', { name: 'State: Recording shown' }).count()).toBe(0)
  })

  it('samples for a recording that is begun while nothing is sampled, says so, and stops with it', async () => {
    const running = await openLive()
    const { page } = running
    await page.evaluate(() => window.bridgedeck.machine.setSampling({ machine: 'builtin', mode: 'off', rate: 50 }))
    await page.getByRole('button', { name: 'sampling off' }).waitFor()
    await chooseMenuItem(running, 'recorder.toggle')
    await page.getByText(/Sampling is on.*recorded/).waitFor()
    await page.getByRole('button', { name: 'Stop recording' }).first().waitFor()
    await expect.poll(() => recordedFrames(page)).toBeGreaterThan(5)
    await chooseMenuItem(running, 'recorder.toggle')
    await page.getByRole('button', { name: 'Record', exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'sampling off' }).waitFor()
    await page.getByRole('button', { name: 'Show in Timeline' }).click()
    await page.getByRole('slider', { name: 'Moment of the recording' }).waitFor()
  })

  it('records as a task of its own, which it is deleted with', async () => {
    const running = await openLive()
    const { page } = running
    await recordThree(running)
    await page.keyboard.press('Home')
    await bar(page)
      .filter({ hasText: 'All views show this moment of 0001_recording. Built-in C64 goes on behind it' })
      .waitFor()
    await page.keyboard.press('Escape')
    await page
      .getByRole('combobox', { name: 'Recording' })
      .locator('option', { hasText: '0001_recording – Built-in C64' })
      .waitFor({ state: 'attached' })
    await chooseMenuItem(running, 'view.tasks')
    await page.getByRole('option').filter({ hasText: '0001_recording' }).filter({ hasText: 'recorded' }).click()
    await page.getByText(/^recorded .*, \d+ frames$/).waitFor()
    await page.locator('[data-panel="tasks"]').getByRole('button', { name: 'Show in Timeline' }).click()
    await page.getByRole('slider', { name: 'Moment of the recording' }).waitFor()
    await expect
      .poll(() => readdir(join(shared.home, '.c64bridge/tasks/background/0001_recording')))
      .toEqual(expect.arrayContaining(['log.txt', 'recording.sqlite', 'task.json']))
    await answerQuestions(running, 1)
    await page.getByRole('button', { name: 'Delete the recording and its task…' }).click()
    await page.getByText('Nothing is recorded').waitFor()
    await expect.poll(() => readdir(join(shared.home, '.c64bridge/tasks/background'))).toEqual([])
  })

  it('lets nothing of a recorded moment be changed', async () => {
    const running = await openLive()
    const { page } = running
    await recordThree(running)
    await page.keyboard.press('Home')
    await bar(page).waitFor()
    await chooseMenuItem(running, 'view.memory')
    await page.locator('[data-panel="memory"]').getByRole('grid').focus()
    await page.keyboard.type('55')
    await page.getByText(/recorded moment.*cannot be changed/).waitFor()
    const read = await page.evaluate(() =>
      window.bridgedeck.memory.read({ machine: 'builtin', space: 'ram', address: 0xc000, length: 1 }),
    )
    expect(read.ok && [...read.data.bytes]).toEqual([3])
  })

  it('shows how far a long export is, and leaves nothing of one that is cancelled', async () => {
    const running = await openLive()
    const { page } = running
    await sampleEachFrame(page)
    await chooseMenuItem(running, 'recorder.toggle')
    await expect.poll(() => recordedFrames(page), { timeout: 60_000 }).toBeGreaterThan(400)
    await chooseMenuItem(running, 'recorder.toggle')
    await page.getByRole('button', { name: 'Record', exact: true }).first().waitFor()
    await chooseMenuItem(running, 'view.timeline')
    const path = join(folder, 'long.png')
    await answerFileDialogs(running, path)
    const underWay = cancelAsSoonAsShown(page)
    await page.getByRole('button', { name: 'Animated PNG' }).click()
    expect(await underWay).toMatchObject({ text: expect.stringContaining('%') as string, exportIsOff: true })
    await page.getByRole('group', { name: 'Current export' }).waitFor({ state: 'detached' })
    await expect.poll(async () => (await readdir(folder)).filter((name) => name.startsWith('long'))).toEqual([])
    expect(await page.locator('.toast', { hasText: 'long.png' }).count()).toBe(0)
  })

  it('exports what is marked', async () => {
    const running = await openLive()
    const { page } = running
    await recordThree(running)
    await page.keyboard.press('Home')
    await page.keyboard.press('.')
    await expect.poll(() => byte(page).textContent()).toContain('$01')
    await page.keyboard.press('[')
    await page.keyboard.press('.')
    await expect.poll(() => byte(page).textContent()).toContain('$02')
    await page.keyboard.press(']')
    const save = async (button: string, name: string): Promise<Buffer> => {
      await answerFileDialogs(running, join(folder, name))
      await page.getByRole('button', { name: button, exact: true }).click()
      await page.getByText(`${name} saved.`).waitFor()
      return readFile(join(folder, name))
    }
    const rows = (await save('CSV of $C000…', 'byte.csv')).toString().trimEnd().split('\n').slice(1)
    expect(rows.map((row) => row.split(',').slice(4).join(' '))).toEqual(['0xC000 0x01', '0xC000 0x02'])
    expect(decode(await save('PNG…', 'screen.png'))).toMatchObject({ width: 384, height: 272 })
    expect(decodeApng(await save('Animated PNG…', 'screens.png')).frames.length).toBeGreaterThan(0)
    expect((await save('Memory (CPU)…', 'memory.bin'))[0xc000]).toBe(2)
  })

  it.each(['light', 'dark'])('has nothing for axe to find, in the %s theme', async (theme) => {
    const running = await openLive(`--theme=${theme}`)
    const { page } = running
    await recordThree(running)
    await page.keyboard.press('Home')
    await bar(page).waitFor()
    expect(await axeProblems(page)).toEqual([])
  })
})
