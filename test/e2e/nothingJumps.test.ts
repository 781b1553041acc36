/** Where buttons stand while banners come and go, words change and the keyboard moves: no click may hit another button. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import {
  answerFileDialogs,
  answerQuestions,
  bridgeProcess,
  chooseMenuItem,
  openForEach,
  pressNative,
  settle,
  watchForText,
} from './support'

let running: RunningApp
let page: Page

openForEach(['--size=1280x800'], (launched) => {
  running = launched
  page = launched.page
})

/**
 * Of every button, field and picture that can be seen: its name and where it stands, CSS px. Not of what lies over the views,
 * nor of the sprites, whose sizes are the running program's, nor of the notes, which end the machine bar and grow in number.
 */
const places = (): Promise<Record<string, string>> =>
  page.evaluate(() => {
    const found = [...document.querySelectorAll<HTMLElement>('button, input, select, canvas, [role=grid]')]
    const shown = found.filter(
      (element) => element.checkVisibility() && !element.closest('.problems, .toasts, .sprites-view, .notes'),
    )
    const seen = new Map<string, number>()
    return Object.fromEntries(
      shown.map((element) => {
        const { left, top, width, height } = element.getBoundingClientRect()
        const panel = element.closest<HTMLElement>('[data-panel]')?.dataset['panel'] ?? ''
        const kind = `${panel} ${element.tagName} ${element.closest('label')?.textContent ?? ''}`
        const count = (seen.get(kind) ?? 0) + 1
        seen.set(kind, count)
        return [`${kind} ${count}`, [left, top, width, height].map(Math.round).join(' ')]
      }),
    )
  })

/** Once panels and canvases have followed a change of the window's size. */
async function placesAtRest(): Promise<Record<string, string>> {
  let before = ''
  for (;;) {
    await settle(page)
    const now = await places()
    if (JSON.stringify(now) === before) return now
    before = JSON.stringify(now)
  }
}

/** What moved by itself from now on, or since the page began, as Chromium counts it. */
async function collectShifts(since: 'now' | 'begin' = 'now'): Promise<() => Promise<string[]>> {
  const observed = await page.evaluateHandle((buffered) => {
    interface LayoutShift extends PerformanceEntry {
      readonly sources: readonly { readonly node?: Node }[]
    }
    const moved: string[] = []
    const collect = (entries: PerformanceEntryList) => {
      for (const { sources } of entries as LayoutShift[])
        moved.push(...sources.map(({ node }) => (node instanceof Element ? node.className : (node?.textContent ?? ''))))
    }
    const observer = new PerformanceObserver((list) => collect(list.getEntries()))
    observer.observe({ type: 'layout-shift', buffered })
    return {
      moved: () => {
        collect(observer.takeRecords())
        return moved
      },
    }
  }, since === 'begin')
  return async () => {
    await settle(page)
    return observed.evaluate(({ moved }) => moved())
  }
}

const stateIs = (word: string) => page.locator('[data-panel="status-bar"] .state-words', { hasText: word }).waitFor()

/** Buttons, fields and pictures over which a strip lies, or which lie over it. */
const covered = (): Promise<string[]> =>
  page.evaluate(() => {
    const others = [...document.querySelectorAll<HTMLElement>('button, input, select, canvas, [role=grid]')].filter(
      (element) => element.checkVisibility() && !element.closest('.strips'),
    )
    const strips = [...document.querySelectorAll<HTMLElement>('.strip')].filter((strip) => strip.checkVisibility())
    return strips.flatMap((strip) => {
      const { left, right, top, bottom } = strip.getBoundingClientRect()
      if (right - left < 40) return ['a strip without room']
      return others
        .map((element) => ({ element, box: element.getBoundingClientRect() }))
        .filter(({ box }) => box.left < right && box.right > left && box.top < bottom && box.bottom > top)
        .map(({ element }) => element.ariaLabel ?? element.tagName)
    })
  })

/** What it says of a recording or of figures comes and goes among its other buttons. */
const withoutStatusBar = (all: Record<string, string>) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith('status-bar')))

/** Those of before that stand elsewhere now, or are gone. */
async function moved(before: Record<string, string>): Promise<string[]> {
  await settle(page)
  const now = await places()
  return Object.entries(before).flatMap(([name, place]) =>
    now[name] === place ? [] : [`${name}: ${place} -> ${now[name] ?? 'gone'}`],
  )
}

describe.skipIf(lacks('electron', 'xvfb'))('nothing moves a button', () => {
  it('while the machine pauses, steps on and back, warps and runs again', async () => {
    const before = await placesAtRest()
    expect(Object.keys(before).length).toBeGreaterThan(20)
    await chooseMenuItem(running, 'machine.pause')
    await stateIs('Paused')
    expect(await moved(before)).toEqual([])
    for (const action of ['machine.step', 'machine.stepBack', 'machine.stepBackOver', 'machine.toNow'] as const) {
      await chooseMenuItem(running, action)
      expect(await moved(before)).toEqual([])
    }
    await page.locator('.time-slider').evaluate((slider) => {
      const [moment, span] = slider.querySelectorAll('span')
      if (moment) moment.textContent = '999 cycles back'
      if (span) span.textContent = 'of 999 cycles'
    })
    expect(await moved(before)).toEqual([])
    await chooseMenuItem(running, 'machine.pause')
    await chooseMenuItem(running, 'machine.warp')
    await stateIs('Live, warp')
    expect(await moved(before)).toEqual([])
  })

  it('while Registers shows the code of a paused machine', async () => {
    await chooseMenuItem(running, 'view.registers')
    const registers = page.locator('[data-panel=registers]')
    await registers.locator('.cpu-flags').waitFor()
    const parts = () =>
      registers.locator('.cpu-register, .cpu-flags, h2, form').evaluateAll((all) =>
        all.map((part) => {
          const { x, y, width } = part.getBoundingClientRect()
          return [x, y, width].join(' ')
        }),
      )
    const before = await parts()
    expect(before.length).toBeGreaterThan(10)
    await chooseMenuItem(running, 'machine.pause')
    await registers.getByRole('list', { name: 'Code at the PC' }).waitFor()
    expect(await parts()).toEqual(before)
  })

  it('while banners come and go, and are hidden', async () => {
    const before = await placesAtRest()
    await page.evaluate(() => window.bridgedeck.machine.setSampling({ machine: 'builtin', mode: 'off', rate: 50 }))
    const strip = page.locator('.strip', { hasText: 'Nothing is sampled' })
    await strip.waitFor()
    expect(await moved(before)).toEqual([])
    await strip.getByRole('button', { name: 'Hide' }).click()
    await strip.waitFor({ state: 'detached' })
    expect(await moved(before)).toEqual([])
    const untilReported = await watchForText(page, 'it is being started again')
    process.kill(bridgeProcess(running), 'SIGKILL')
    await untilReported()
    await untilLive(page)
    await expect.poll(() => moved(withoutStatusBar(before))).toEqual([])
  })

  it('and what goes wrong has room of its own: it covers nothing, and is read in full when asked', async () => {
    await chooseMenuItem(running, 'machine.disconnect')
    const strip = page.locator('.strip', { hasText: 'is not connected' })
    await strip.waitFor()
    for (const width of [1920, 1280, 800]) {
      await running.app.evaluate(
        ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size, 800),
        width,
      )
      await expect.poll(() => page.evaluate(() => innerWidth)).toBe(width)
      expect(await covered()).toEqual([])
    }
    const before = await placesAtRest()
    await page.getByRole('button', { name: 'Show the whole text' }).click()
    expect(await moved(before)).toEqual([])
    await strip.getByRole('button', { name: 'Another machine…' }).click({ trial: true })
    await page.getByRole('button', { name: 'Show one line' }).click()
    expect(await covered()).toEqual([])
  })

  it('and what comes takes no click that was on its way to something else', async () => {
    await chooseMenuItem(running, 'machine.disconnect')
    const strip = page.locator('.strip', { hasText: 'is not connected' })
    await strip.waitFor()
    const clicks = await strip.evaluate((element) => {
      // As at the moment in which it came, which is over on a slow computer.
      element.style.animation = 'none'
      element.getBoundingClientRect()
      element.style.animation = ''
      const [coming] = element.getAnimations()
      coming?.pause()
      const atFirst = getComputedStyle(element).pointerEvents
      // Past its end: on it, old Chromium says now the one and now the other.
      if (coming) coming.currentTime = Number(coming.effect?.getComputedTiming().endTime) + 1
      return { atFirst, afterwards: getComputedStyle(element).pointerEvents }
    })
    expect(clicks).toEqual({ atFirst: 'none', afterwards: 'auto' })
  })

  it('while the keyboard goes from panel to panel, into the C64 and out again', async () => {
    const before = await placesAtRest()
    for (let step = 0; step < 6; step++) {
      await pressNative(running, 'F6')
      expect(await moved(before)).toEqual([])
    }
  })

  it('while the machine is recorded', async () => {
    const before = withoutStatusBar(await placesAtRest())
    await chooseMenuItem(running, 'recorder.toggle')
    await page.getByRole('button', { name: 'Stop recording' }).waitFor()
    expect(await moved(before)).toEqual([])
    await chooseMenuItem(running, 'recorder.toggle')
    await page.getByRole('button', { name: 'Record', exact: true }).waitFor()
    expect(await moved(before)).toEqual([])
  })

  it('nor the picture in a narrow window, while the screen takes the keyboard and says what its keys do', async () => {
    await running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(800, 600))
    await page.evaluate(() => document.querySelector<HTMLElement>('[data-panel="machine-bar"]')?.focus())
    await page.getByText('to type into the C64').waitFor()
    await expect.poll(() => page.evaluate(() => innerWidth)).toBe(800)
    const before = await placesAtRest()
    await chooseMenuItem(running, 'view.screen')
    await page.getByText('Keys go to the C64').waitFor()
    await chooseMenuItem(running, 'joystick.toggle')
    await page.getByText('Joystick keys on').waitFor({ state: 'attached' })
    expect(await moved(before)).toEqual([])
  })

  it('nor the picture, which has its size when it is first shown', async () => {
    const shifts = await collectShifts('begin')
    expect(await shifts()).not.toContain('screen-picture')
  })

  it('of Devices while machines and ports are looked for', async () => {
    const shifts = await collectShifts()
    await chooseMenuItem(running, 'view.devices')
    const group = (name: string) => page.locator('[data-panel=connections]').getByRole('region', { name })
    await group('From c64bridge').getByText('.c64bridge.json').waitFor()
    await group('Found on your network')
      .getByText(/No Ultimate answered|found/)
      .waitFor()
    expect(await shifts()).toEqual([])
  })

  it('while messages are read: others come beyond them, and in their place once they are dismissed', async () => {
    const errors = page.locator('.toast.error')
    const placeOfFirst = async () => {
      const { x, y } = (await errors.first().boundingBox()) ?? {}
      return { x, y }
    }
    await answerFileDialogs(running, '/nowhere/missing')
    await chooseMenuItem(running, 'state.load')
    await errors.first().waitFor()
    const before = await placeOfFirst()
    await answerFileDialogs(running, '/nowhere/another')
    await chooseMenuItem(running, 'program.load')
    await errors.nth(1).waitFor()
    expect(await placeOfFirst()).toEqual(before)
    await chooseMenuItem(running, 'view.projects')
    await page.locator('[data-workspace="projects"][data-current="true"]').waitFor()
    expect(await placeOfFirst()).toEqual(before)
    for (const left of [1, 0]) {
      await errors.first().getByRole('button', { name: 'Dismiss' }).click()
      await expect.poll(() => errors.count()).toBe(left)
    }
    await chooseMenuItem(running, 'state.load')
    await errors.first().waitFor()
    expect((await placeOfFirst()).x).toBe(before.x)
  })

  it('of the activity bar and the status bar while workspaces are switched', async () => {
    const bars = async () =>
      Object.fromEntries(Object.entries(await places()).filter(([name]) => /^(activity|status)-bar/.test(name)))
    const before = await bars()
    for (const place of [
      'timeline',
      'tasks',
      'devices',
      'projects',
      'agents',
      'settings',
      'help',
      'machine',
    ] as const) {
      await chooseMenuItem(running, `view.${place}`)
      await page.locator(`[data-workspace="${place}"][data-current="true"]`).waitFor()
      expect(await moved(before)).toEqual([])
    }
  })

  it('of a run while what it needs is seen to, and while its story grows to a second line', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bridgedeck-jumps-'))
    try {
      const write = (phase: string) =>
        writeFileSync(
          join(folder, '.meta/context.md'),
          `# Project: Tapes\n\n## Current Phase Focus\n\nPhase 1: ${phase}\n`,
        )
      mkdirSync(join(folder, '.meta'))
      write('Reading')
      const task = { id: '01-01', title: 'Read', status: 'pending', dependencies: [] }
      const plan = { tasks: [task], currentTaskIdx: 0 }
      const session = { sessionId: 's', status: 'planning', currentPhase: 1, gapCount: 0, plan, variables: {} }
      writeFileSync(join(folder, '.meta/session.json'), JSON.stringify(session))
      await answerFileDialogs(running, folder)
      await chooseMenuItem(running, 'project.open')
      const view = page.locator('[data-panel="projects"]')
      await view.getByRole('option').filter({ hasText: 'Meta-Shell' }).first().click()
      const steps = view.getByRole('list', { name: 'Before it can run' })
      await steps.getByText('is restricted').waitFor()
      const spots = () =>
        view.locator('.run-buttons .button, .start-steps li').evaluateAll((all) =>
          all.map((element) => {
            const { x, y, height } = element.getBoundingClientRect()
            return [x, y, height].join(' ')
          }),
        )
      const before = await spots()
      await answerQuestions(running, 1)
      await steps.getByRole('button', { name: 'Trust the folder…' }).click()
      await steps.getByText('The folder is in no git repository').waitFor()
      expect(await spots()).toEqual(before)
      write('Reading tapes '.repeat(6))
      await view.locator('.run-story', { hasText: 'Reading tapes Reading tapes' }).waitFor()
      expect(await spots()).toEqual(before)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
