/** The machine arranged around its code, on the built-in C64. */
import type { Page } from 'playwright'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { SharedApp } from '../support/sharedApp'
import { axeProblems, chooseMenuItem, openForEach, pressNative } from './support'

let running: RunningApp
let page: Page

const panel = (name: string) => page.locator(`[data-panel="${name}"]`)
const code = () => panel('code').getByRole('list', { name: 'Code at the PC' })
const next = () => code().locator('[aria-current=step]')
const press = (key: string) => pressNative(running, key, 'control')
const resize = (...size: [number, number]) =>
  running.app.evaluate(
    ({ BrowserWindow }, [width, height]) => BrowserWindow.getAllWindows()[0]?.setContentSize(width, height),
    size,
  )

describe.skipIf(lacks('electron', 'xvfb'))('the Debug arrangement', () => {
  openForEach(['--size=1280x800'], (launched) => {
    running = launched
    page = launched.page
  })

  it('shows 26 lines of code and one of registers at 1280x800, by one key, and all views beside', async () => {
    await press('d')
    await panel('code').waitFor()
    await chooseMenuItem(running, 'machine.pause')
    await next().waitFor()
    const { registers, lines } = await panel('code').evaluate((view) => ({
      registers: view.querySelector('.cpu-registers')?.getBoundingClientRect().height,
      lines: (view.querySelector('.code')?.clientHeight ?? 0) / 18,
    }))
    expect(registers).toBeLessThanOrEqual(33)
    expect(lines).toBeGreaterThanOrEqual(26)
    for (const view of ['screen', 'memory', 'registers']) await panel(view).waitFor()
    expect(await panel('registers').getByRole('region').first().getAttribute('aria-label')).toBe('Stack')
    expect(await axeProblems(page)).toEqual([])
  })

  it('moves nothing in a step, and takes a register typed in its line', async () => {
    await press('d')
    await chooseMenuItem(running, 'machine.pause')
    await next().waitFor()
    const places = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('[data-panel], .cpu-registers, .code-room')].map((each) => {
          const { x, y, width, height } = each.getBoundingClientRect()
          return [x, y, width, height].map(Math.round).join()
        }),
      )
    const before = await places()
    const pc = await next().locator('.code-address').textContent()
    await pressNative(running, 'F10')
    await expect.poll(() => next().locator('.code-address').textContent()).not.toBe(pc)
    expect(await places()).toEqual(before)
    await panel('code').getByRole('button', { name: 'Flag N' }).focus()
    await page.keyboard.press('ArrowRight')
    const focused = () => page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent)
    expect(await focused()).toBe('Flag V')
    const accumulator = panel('code').getByLabel('Accumulator')
    await accumulator.fill('5a')
    await accumulator.press('Enter')
    await expect.poll(() => accumulator.inputValue()).toBe('5A')
  })

  it('keeps what is typed when it comes, goes, and when the window grows past a size', async () => {
    const typed = panel('memory').getByLabel('Go to address')
    await typed.fill('$d0')
    await press('d')
    await panel('code').waitFor()
    expect(await typed.inputValue()).toBe('$d0')
    const narrow = await panel('registers').boundingBox()
    await resize(1920, 1000)
    await panel('code').waitFor({ state: 'hidden' })
    expect(await typed.inputValue()).toBe('$d0')
    await press('d')
    await panel('code').waitFor()
    const wide = await panel('registers').boundingBox()
    expect(wide?.height).toBeGreaterThan((narrow?.height ?? 0) + 200)
    await typed.focus()
    await resize(1280, 800)
    await expect.poll(() => panel('registers').boundingBox()).toEqual(narrow)
    expect(await typed.inputValue()).toBe('$d0')
    await expect.poll(() => typed.evaluate((field) => field === document.activeElement)).toBe(true)
  })

  it('switches between source and disassembly by a key, and shows the disassembly of code without source', async () => {
    await press('d')
    await panel('code').getByText('No source lines are loaded').waitFor()
    await pressNative(running, 'd', 'control', 'shift')
    await panel('code').getByText('Pause to see the code').waitFor()
    await pressNative(running, 'd', 'control', 'shift')
    await panel('code').getByText('No source lines are loaded').waitFor()
    await chooseMenuItem(running, 'machine.pause')
    await next().waitFor()
  })
})

describe.skipIf(lacks('electron', 'xvfb'))('the first stop at a checkpoint', () => {
  const shared = new SharedApp({ firstStart: true })
  afterAll(() => shared.close())
  beforeEach(async () => {
    running = await shared.open('--size=1280x800', '--view=machine')
    page = running.page
    await untilLive(page)
  })

  const stop = async () => {
    await page.evaluate(() => {
      const border = { start: 0xd020, end: 0xd020, operations: ['store' as const], temporary: true }
      const always = { stop: true, enabled: true, condition: null, fromHit: 1, log: null, label: null, line: null }
      return window.bridgedeck.machine.setCheckpoint({ machine: 'builtin', checkpoint: { ...border, ...always } })
    })
    await page.locator('[data-panel="status-bar"]').getByText('Paused').waitFor()
  }

  it('leads to it, once: left by hand, the next stop leaves the window as it is', async () => {
    await stop()
    await next().waitFor()
    await page.getByText(/Debug arrangement: Ctrl\+D leaves it/).waitFor()
    await press('d')
    await panel('code').waitFor({ state: 'hidden' })
    await chooseMenuItem(running, 'machine.pause')
    await stop()
    expect(await panel('code').isVisible()).toBe(false)
  })
})
