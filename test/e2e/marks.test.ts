/** Marks in a recording of the built-in C64: by a watch and by hand, and the way from one to the next, by keyboard. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { SharedApp } from '../support/sharedApp'
import { answerFileDialogs, axeProblems, chooseMenuItem, pressNative, sampleEachFrame } from './support'

const shared = new SharedApp()
afterAll(() => shared.close())

let page: Page
let running: RunningApp
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-marks-'))
  running = await shared.open('--size=1280x800', '--view=registers')
  page = running.page
  await untilLive(page)
  // Two marks of the same frame are one to go to.
  await sampleEachFrame(page)
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

const timeline = () => page.locator('[data-panel="timeline"]')
const watches = () => page.locator('[data-panel="registers"]').getByRole('region', { name: 'Watches' })
const rows = () => timeline().getByRole('listbox', { name: 'Marks of the recording' }).getByRole('option')
const moment = () => timeline().locator('.timeline-times strong').textContent()

const poke = (value: number) =>
  page.evaluate(
    (byte) =>
      window.bridgedeck.memory.write({
        machine: 'builtin',
        space: 'ram',
        address: 0xc000,
        bytes: Uint8Array.of(byte),
      }),
    value,
  )

const recordedFrames = () =>
  page.evaluate(async () => {
    const list = await window.bridgedeck.recorder.list({})
    return list.ok ? (list.data.recordings[0]?.frames ?? 0) : 0
  })

async function marks() {
  const listed = await page.evaluate(async () => {
    const list = await window.bridgedeck.recorder.list({})
    const recording = list.ok ? list.data.recordings[0]?.recording : undefined
    if (recording === undefined) return []
    const found = await window.bridgedeck.recorder.marks({ recording })
    return found.ok ? found.data.marks : []
  })
  return listed.map(({ text, value }) => ({ text, value }))
}

async function frameTime(text: string): Promise<{ mark: number; frame: number }> {
  return page.evaluate(async (wanted) => {
    const list = await window.bridgedeck.recorder.list({})
    const recording = (list.ok ? list.data.recordings[0]?.recording : undefined) ?? ''
    const found = await window.bridgedeck.recorder.marks({ recording })
    const mark = (found.ok ? found.data.marks.find((one) => one.text === wanted)?.time : undefined) ?? -1
    const seen = await window.bridgedeck.recorder.imageAt({ recording, time: mark, spaces: [], picture: false })
    return { mark, frame: seen.ok ? seen.data.time : -2 }
  }, text)
}

describe.skipIf(lacks('electron', 'xvfb'))('marks in the timeline', () => {
  it('are set by a watch in the frame in which it becomes true, and by hand, and are gone through by keyboard', async () => {
    await poke(0)
    await watches().getByRole('textbox', { name: 'Watch' }).fill('@$c000 == 2')
    await page.keyboard.press('Enter')
    await watches().getByLabel('When @$c000 == 2 becomes true').selectOption('mark')
    const idle = watches().getByText('Not recording: nothing is marked.')
    await idle.waitFor()
    await watches().getByLabel('Value of @$c000 == 2').getByText('$00').waitFor()
    await pressNative(running, 'K', 'control', 'alt')
    await page.getByText('No recording is running.').waitFor()

    await chooseMenuItem(running, 'recorder.toggle')
    await idle.waitFor({ state: 'detached' })
    await expect.poll(recordedFrames).toBeGreaterThan(1)
    await poke(2)
    await expect.poll(marks).toEqual([{ text: '@$c000 == 2', value: 1 }])
    const { mark, frame } = await frameTime('@$c000 == 2')
    expect(mark).toBe(frame)
    await pressNative(running, 'K', 'control', 'alt')
    await page.getByText(/^Marked in 0001_recording: Mark/).waitFor()
    await chooseMenuItem(running, 'recorder.toggle')
    const finished = page.locator('.toast').filter({ hasText: '0001_recording: recorded' })
    await finished.getByRole('button', { name: 'Show in Timeline' }).click()
    await expect
      .poll(() => rows().allTextContents())
      .toEqual([expect.stringMatching(/@\$c000 == 2 = \$01$/) as string, expect.stringMatching(/Mark$/) as string])
    await expect.poll(moment).toBe('live')
    await pressNative(running, '.', 'control', 'alt')
    await timeline().getByRole('option', { selected: true }).filter({ hasText: '@$c000 == 2' }).waitFor()
    await pressNative(running, '.', 'control', 'alt')
    await timeline().getByRole('option', { selected: true }).filter({ hasText: /Mark$/ }).waitFor()
    await chooseMenuItem(running, 'recorder.nextMark')
    await page.getByText('No mark after this moment.').waitFor()
    await pressNative(running, ',', 'control', 'alt')
    await timeline().getByRole('option', { selected: true }).filter({ hasText: '@$c000 == 2' }).waitFor()
    await timeline().locator('.timeline-flag').first().hover()
    await page.locator('.tooltip').getByText('@$c000 == 2 = $01').first().waitFor()

    await timeline().getByRole('textbox', { name: 'Mark' }).fill('two, [here]')
    await page.keyboard.press('Enter')
    await rows().filter({ hasText: 'two, [here]' }).waitFor()
    expect(await axeProblems(page, '[data-panel="timeline"]')).toEqual([])
    await answerFileDialogs(running, join(folder, 'marks.csv'))
    await timeline().getByRole('button', { name: 'Marks (CSV)…' }).click()
    await page.getByText('marks.csv saved.').waitFor()
    const lines = (await readFile(join(folder, 'marks.csv'), 'utf8')).trimEnd().split('\n')
    expect(lines.map((line) => line.replace(/^[^"]*/, ''))).toEqual([
      '',
      '"@$c000 == 2",1',
      '"two, [here]",',
      '"Mark",',
    ])

    await timeline().getByRole('listbox', { name: 'Marks of the recording' }).focus()
    const chosen = (text: string | RegExp) =>
      timeline().getByRole('option', { selected: true }).filter({ hasText: text }).waitFor()
    await page.keyboard.press('Home')
    await chosen('@$c000 == 2')
    // Two marks of one frame.
    await page.keyboard.press('ArrowDown')
    await chosen('two, [here]')
    await page.keyboard.press('ArrowDown')
    await chosen(/Mark$/)
    await page.keyboard.press('ArrowUp')
    await chosen('two, [here]')
    await page.keyboard.press('Delete')
    await expect.poll(marks).toEqual([
      { text: '@$c000 == 2', value: 1 },
      { text: 'Mark', value: null },
    ])
  })
})
