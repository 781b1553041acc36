/** The window with the picture alone: on top, without any other right, closed with the app, and back in its place. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { SharedApp } from '../support/sharedApp'
import { bridgeProcess, chooseMenuItem } from './support'

const shared = new SharedApp()
afterAll(() => shared.close())

const args = ['--size=1280x800', '--machine=builtin']
let running: RunningApp

async function show(opened: RunningApp): Promise<void> {
  running = opened
  await untilLive(running.page)
}

beforeEach(async () => show(await shared.open(...args)))

async function float(): Promise<Page> {
  const opened = running.app.waitForEvent('window')
  await chooseMenuItem(running, 'screen.float')
  const floating = await opened
  await expect.poll(() => floating.title()).toBe('Built-in C64')
  return floating
}

/** How many of the picture's pixels are not black. */
const brightPixels = (floating: Page) =>
  floating.evaluate(() => {
    const canvas = document.querySelector('canvas')
    const { data = [] } = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {}
    let bright = 0
    for (let index = 0; index < data.length; index += 4) if ((data[index] ?? 0) > 16) bright++
    return bright
  })

describe.skipIf(lacks('electron', 'xvfb'))('the window on top', () => {
  it('shows the picture of the machine in front, and no more may be asked from it', async () => {
    const floating = await float()
    await expect.poll(() => brightPixels(floating)).toBeGreaterThan(1000)
    const isOnTop = await running.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((window) => window.isAlwaysOnTop()),
    )
    expect(isOnTop.sort()).toEqual([false, true])
    const refused = await floating.evaluate(async () => {
      const nonce = 'a-nonce-of-this-test'
      const answers = [
        await window.bridgedeck.machine.list({}),
        await window.bridgedeck.window.readClipboardText({}),
        await window.bridgedeck.connectPort('frames', nonce),
      ]
      return answers.map((answer) => (answer.ok ? 'ok' : answer.error.code))
    })
    expect(refused).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN'])
    const button = running.page.getByRole('button', { name: 'Window on top' })
    expect(await button.getAttribute('aria-pressed')).toBe('true')
    const closed = floating.waitForEvent('close')
    await button.click()
    await closed
    await expect.poll(() => button.getAttribute('aria-pressed')).toBe('false')
  })

  it('shows the recorded moment that the main window shows, says so, and goes back to live with it', async () => {
    const floating = await float()
    const { page } = running
    const label = floating.locator('#moment')
    expect(await label.isVisible()).toBe(false)
    await chooseMenuItem(running, 'recorder.toggle')
    await page.getByRole('button', { name: 'Stop recording' }).first().waitFor()
    const recorded = async () => {
      const list = await page.evaluate(() => window.bridgedeck.recorder.list({}))
      return list.ok ? (list.data.recordings[0]?.frames ?? 0) : 0
    }
    await expect.poll(recorded).toBeGreaterThan(20)
    await chooseMenuItem(running, 'recorder.toggle')
    await page.getByRole('button', { name: 'Record', exact: true }).first().waitFor()
    await chooseMenuItem(running, 'view.timeline')
    await page.getByRole('slider', { name: 'Moment of the recording' }).press('Home')
    await label.getByText('Recorded').waitFor()
    expect(await floating.title()).toContain('Recorded')
    const picture = () => floating.evaluate(() => document.querySelector('canvas')?.toDataURL())
    await expect.poll(() => brightPixels(floating)).toBeGreaterThan(1000)
    const first = await picture()
    await page.keyboard.press('End')
    await expect.poll(picture).not.toBe(first)
    await page.keyboard.press('Home')
    await expect.poll(picture).toBe(first)
    await page.keyboard.press('Escape')
    await label.waitFor({ state: 'hidden' })
    await expect.poll(picture).not.toBe(first)
    expect(await floating.title()).toBe('Built-in C64')
  })

  it('goes on after the bridge was started again', async () => {
    const floating = await float()
    await expect.poll(() => brightPixels(floating)).toBeGreaterThan(1000)
    process.kill(bridgeProcess(running), 'SIGKILL')
    await floating.evaluate(() => {
      const canvas = document.querySelector('canvas')
      canvas?.getContext('2d')?.clearRect(0, 0, canvas.width, canvas.height)
    })
    await expect.poll(() => brightPixels(floating), { timeout: 60_000 }).toBeGreaterThan(1000)
  })

  it('is closed with the app, and comes back where it was', async () => {
    await float()
    await running.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()
        .find((window) => window.isAlwaysOnTop())
        ?.setBounds({ x: 30, y: 40, width: 500, height: 360 }),
    )
    const stored = async () => readFile(join(shared.dataFolder, 'window.json'), 'utf8').catch(() => '')
    await expect.poll(stored).toMatch(/"floating": \{[^}]*"width": 500/)
    const main = running.app.process()
    const ended = new Promise((resolve) => main.once('exit', resolve))
    await running.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()
        .find((window) => !window.isAlwaysOnTop())
        ?.close(),
    )
    await ended
    await show(await shared.startAgain(...args))
    await float()
    const bounds = await running.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()
        .find((window) => window.isAlwaysOnTop())
        ?.getBounds(),
    )
    expect(bounds).toMatchObject({ width: 500, height: 360 })
  })
})
