/** What a person does in the window, from the first look to a lost machine, on the built-in C64 and the stand-in for VICE's monitor. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { decode } from 'fast-png'
import type { Page } from 'playwright'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { screenToText } from '@shared/c64/screenCodes'
import type { MachineState } from '@shared/contract/machine'
import { untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { SharedApp } from '../support/sharedApp'
import {
  answerFileDialogs,
  axeProblems,
  bridgeProcess,
  chooseMenuItem,
  collectPolicyViolations,
  pressNative,
  settle,
  watchForText,
  rememberedState,
} from './support'

const shared = new SharedApp()
afterAll(() => shared.close())

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-views-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

const size = '--size=1280x800'

async function openLive(...args: string[]): Promise<RunningApp> {
  const running = await shared.open(size, ...args)
  await untilLive(running.page)
  return running
}

const panel = (page: Page, name: string) => page.locator(`[data-panel="${name}"]`)
const stateWords = (page: Page) => panel(page, 'status-bar').locator('.state-words')

async function state(page: Page, machine = 'builtin'): Promise<MachineState> {
  const result = await page.evaluate(() => window.bridgedeck.machine.list({}))
  if (!result.ok) throw new Error(result.error.message)
  const found = result.data.machines.find((candidate) => candidate.machine === machine)
  if (!found) throw new Error(`there is no machine ${machine}`)
  return found
}

async function read(page: Page, address: number, length: number): Promise<Uint8Array> {
  const bytes = await page.evaluate(
    async ([address, length]) => {
      const result = await window.bridgedeck.memory.read({ machine: 'builtin', space: 'ram', address, length })
      return result.ok ? [...result.data.bytes] : []
    },
    [address, length] as const,
  )
  return Uint8Array.from(bytes)
}

const screenText = async (page: Page) => screenToText(await read(page, 0x0400, 1000), 'upper').join('\n')

/** From the demo program to the prompt of the ROM. */
async function bootToPrompt(running: RunningApp): Promise<void> {
  await chooseMenuItem(running, 'machine.powerCycle')
  await expect.poll(() => screenText(running.page), { timeout: 60_000 }).toMatch(/READY/)
}

describe.skipIf(lacks('electron', 'xvfb'))('the views', () => {
  it.each(['light', 'dark'])(
    'have nothing for axe to find and keep the content security policy, in the %s theme',
    async (theme) => {
      const running = await openLive(`--theme=${theme}`)
      const { page } = running
      const policyViolations = await collectPolicyViolations(page)
      await page.reload()
      await untilLive(page)
      const expectNoProblems = async (place: string) => {
        await settle(page)
        expect(await axeProblems(page), place).toEqual([])
      }
      for (const view of [
        'screen',
        'memory',
        'code',
        'sprites',
        'registers',
        'device',
        'projects',
        'settings',
      ] as const) {
        await chooseMenuItem(running, `view.${view}`)
        await panel(page, view).waitFor()
        await expectNoProblems(view)
      }
      await chooseMenuItem(running, 'view.help')
      await panel(page, 'help').waitFor()
      await expectNoProblems('help')
      await chooseMenuItem(running, 'machine.choose')
      await page.getByRole('dialog', { name: 'Connect' }).waitFor()
      await expectNoProblems('connect dialog')
      await page.keyboard.press('Escape')
      await chooseMenuItem(running, 'view.palette')
      await page.getByRole('dialog', { name: 'Command palette' }).waitFor()
      await expectNoProblems('command palette')
      await page.keyboard.press('Escape')
      await chooseMenuItem(running, 'view.machine')
      await chooseMenuItem(running, 'machine.disconnect')
      await page.locator('.state-panel', { hasText: 'Built-in C64 is not connected.' }).waitFor()
      await expectNoProblems('not connected')
      expect(await policyViolations()).toEqual([])
      expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe(theme)
    },
  )

  it('are reached by F6 and Shift+F6, all of them and the bars around them, even from the C64’s keyboard', async () => {
    const running = await openLive()
    const { page } = running
    const focused = () =>
      page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-panel]')?.dataset['panel'] ?? null)
    await expect.poll(focused).toBe('screen')
    const walk: (string | null)[] = []
    const step = async (...modifiers: 'shift'[]): Promise<string | null> => {
      const before = await focused()
      await pressNative(running, 'F6', ...modifiers)
      // The key goes through the menu in Electron's main process.
      await expect.poll(focused).not.toBe(before)
      return focused()
    }
    while (walk.length < 5) walk.push(await step())
    expect(new Set(walk)).toEqual(new Set(['activity-bar', 'machine-bar', 'screen', 'memory', 'status-bar']))
    expect(walk.at(-1)).toBe('screen')
    expect(await step('shift')).toBe(walk.at(-2))
  })

  it('type what the keyboard and a pasted text say into the C64', async () => {
    const running = await openLive()
    const { page } = running
    await bootToPrompt(running)
    await chooseMenuItem(running, 'view.screen')
    await page.getByText('Keys go to the C64').waitFor()
    await page.evaluate(() => window.bridgedeck.window.copyText({ text: 'rem pasted text' }))
    // With no pause anywhere: each key must last until the C64 has seen it, and the text must not overtake them.
    await page.keyboard.type('?"aah')
    await page.keyboard.press('Enter')
    await chooseMenuItem(running, 'edit.pasteToMachine')
    await expect
      .poll(() => screenText(page), { timeout: 60_000 })
      .toMatch(/^\?"AAH *\nAAH *\n(.*\n)?READY\. *\nREM PASTED TEXT *$/m)
  })

  it('type what Ctrl+V pastes, and let the arrow keys move the joystick once that is switched on', async () => {
    const running = await openLive()
    const { page } = running
    await bootToPrompt(running)
    await chooseMenuItem(running, 'view.screen')
    await page.getByText('Keys go to the C64').waitFor()
    await page.evaluate(() => window.bridgedeck.window.copyText({ text: 'rem by ctrl+v' }))
    await page.keyboard.press('Control+v')
    await expect.poll(() => screenText(page), { timeout: 60_000 }).toContain('REM BY CTRL+V')
    await chooseMenuItem(running, 'joystick.toggle')
    await page.getByText('Joystick keys on, port 2').waitFor()
    // Port 2 is on CIA 1's port A; its lines are low while the stick is pushed.
    const up = async () => {
      const result = await page.evaluate(() =>
        window.bridgedeck.memory.read({ machine: 'builtin', space: 'io', address: 0xdc00, length: 1 }),
      )
      return result.ok && ((result.data.bytes[0] ?? 0) & 0x01) === 0
    }
    await page.keyboard.down('ArrowUp')
    await expect.poll(up).toBe(true)
    await page.keyboard.up('ArrowUp')
    await expect.poll(up).toBe(false)
  })

  it('leave the keyboard with the C64 when a button is clicked', async () => {
    const running = await openLive()
    const { page } = running
    await chooseMenuItem(running, 'view.screen')
    await page.getByText('Keys go to the C64').waitFor()
    const focusedRole = () => page.evaluate(() => document.activeElement?.getAttribute('role'))
    for (const name of ['Reset', 'Type the clipboard']) {
      await page.getByRole('button', { name, exact: true }).click()
      await expect.poll(focusedRole).toBe('application')
    }
    await pressNative(running, 'F6')
    await expect.poll(focusedRole).not.toBe('application')
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('BUTTON')
  })

  it('pause, step by one instruction and go on', async () => {
    const running = await openLive()
    const { page } = running
    await pressNative(running, 'F8')
    await expect.poll(() => stateWords(page).textContent()).toBe('Paused')
    const pc = async () => {
      const result = await page.evaluate(() => window.bridgedeck.memory.registers({ machine: 'builtin' }))
      return result.ok ? result.data.registers.find(({ name }) => name === 'PC')?.value : undefined
    }
    const before = await pc()
    await chooseMenuItem(running, 'machine.step')
    await expect.poll(pc).not.toBe(before)
    await page.getByRole('toolbar', { name: 'Run and step' }).getByRole('button', { name: 'Resume' }).click()
    await expect.poll(() => stateWords(page).textContent()).toBe('Live')
  })

  it('run a program that was chosen, and again when it is rebuilt', async () => {
    const running = await openLive()
    const { page } = running
    const path = join(folder, 'game.prg')
    // To $C000, which nothing else touches: what is loaded there can be read.
    const program = (value: number) => Uint8Array.of(0x00, 0xc0, value, 0x4c, 0x01, 0xc0)
    await writeFile(path, program(1))
    await answerFileDialogs(running, path)
    await page.getByRole('button', { name: 'Load and run a program' }).click()
    await expect.poll(async () => (await read(page, 0xc000, 1))[0], { timeout: 60_000 }).toBe(1)
    await page.locator('.program-name', { hasText: 'game.prg' }).waitFor()
    await writeFile(path, program(2))
    await expect.poll(async () => (await read(page, 0xc000, 1))[0], { timeout: 60_000 }).toBe(2)
    await page.getByText(/^rerun at \d\d:\d\d:\d\d$/).waitFor()
    await writeFile(path, Uint8Array.of(0x00))
    const problem = page.getByText('game.prg: The program is cut short')
    await problem.waitFor()
    await writeFile(path, program(3))
    await problem.waitFor({ state: 'detached' })
    await expect.poll(async () => (await read(page, 0xc000, 1))[0]).toBe(3)
    await page.getByRole('button', { name: 'Stop rerunning it when rebuilt' }).click()
    await expect.poll(async () => (await state(page)).program?.watched).toBe(false)
  })

  it('save the picture as a PNG of the C64’s own pixels', async () => {
    const running = await openLive()
    const path = join(folder, 'shot.png')
    await answerFileDialogs(running, path)
    await chooseMenuItem(running, 'picture.save')
    await running.page.getByText('shot.png saved.').first().waitFor()
    expect(decode(await readFile(path))).toMatchObject({ width: 384, height: 272 })
  })

  it('stand after a restart as they were left, in the workspace in use, and as at first after a reset', async () => {
    const first = await openLive()
    await chooseMenuItem(first, 'view.registers')
    await panel(first.page, 'registers').waitFor()
    await first.page.getByLabel('Palette').selectOption('colodore')
    expect(await panel(first.page, 'settings').count()).toBe(0)
    await chooseMenuItem(first, 'view.settings')
    await panel(first.page, 'settings').waitFor()
    await panel(first.page, 'registers').waitFor({ state: 'hidden' })
    await expect.poll(() => rememberedState(first.page)).toMatch(/"current":"settings".*colodore/s)

    const second = await shared.startAgain(size)
    await untilLive(second.page)
    await panel(second.page, 'settings').waitFor()
    expect(await panel(second.page, 'screen').count()).toBe(0)
    await chooseMenuItem(second, 'view.machine')
    await panel(second.page, 'registers').waitFor()
    await expect.poll(() => second.page.getByLabel('Palette').inputValue()).toBe('colodore')
    await chooseMenuItem(second, 'view.resetLayout')
    await panel(second.page, 'registers').waitFor({ state: 'hidden' })
    await panel(second.page, 'memory').waitFor()
  })

  it('have an index on the page of help, settings and device, which leads to a section', async () => {
    const running = await openLive()
    const { page } = running
    for (const [view, title] of [
      ['help', 'What each machine cannot do'],
      ['settings', 'Joystick'],
      ['device', 'Configuration'],
    ] as const) {
      await chooseMenuItem(running, `view.${view}`)
      const index = panel(page, view).getByRole('navigation', { name: 'On this page' })
      await index.getByRole('link', { name: title }).press('Enter')
      const heading = panel(page, view).getByRole('heading', { name: title })
      await expect.poll(() => heading.evaluate((element) => element === document.activeElement)).toBe(true)
      expect(await index.getByRole('link').count()).toBe(
        await panel(page, view).getByRole('heading', { level: 2 }).count(),
      )
    }
  })

  it('lead from page to page of the manual in Help by the keyboard, and back', async () => {
    const running = await openLive()
    const { page } = running
    await chooseMenuItem(running, 'view.help')
    const help = panel(page, 'help')
    const hasKeys = (name: string) =>
      help.getByRole('heading', { name, exact: true }).evaluate((heading) => heading === document.activeElement)
    await help.getByRole('button', { name: 'I write programs' }).press('Enter')
    await expect.poll(() => hasKeys('Start: I write programs')).toBe(true)
    const picture = help.getByRole('img', { name: /^The Debug arrangement/ })
    await expect
      .poll(() => picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth))
      .toBeGreaterThan(0)
    await help.getByRole('button', { name: 'Labels', exact: true }).press('Enter')
    await expect.poll(() => hasKeys('Labels')).toBe(true)
    expect(await axeProblems(page, '[data-panel="help"]')).toEqual([])
    await chooseMenuItem(running, 'view.goBack')
    await expect.poll(() => hasKeys('Start: I write programs')).toBe(true)
    await help.getByRole('button', { name: 'All pages' }).press('Enter')
    await help.getByRole('navigation', { name: 'Pages of the manual' }).waitFor()
  })

  it('keep settings over a killed bridge, say what happened and go on by themselves', async () => {
    const running = await openLive()
    const { page } = running
    await chooseMenuItem(running, 'view.settings')
    await page.getByLabel('By place').check()
    const rate = page.getByLabel('samples per second')
    await rate.fill('25')
    // A choice that the bridge has not answered yet is taken back when it dies.
    await expect
      .poll(() => page.evaluate(() => window.bridgedeck.settings.get({})))
      .toMatchObject({ ok: true, data: { keyMapping: 'positional' } })
    const untilReported = await watchForText(page, 'it is being started again')
    process.kill(bridgeProcess(running), 'SIGKILL')
    await untilReported()
    await expect.poll(() => stateWords(page).textContent(), { timeout: 60_000 }).toBe('Live')
    await expect.poll(() => rate.inputValue()).toBe('25')
    await expect.poll(() => page.getByLabel('By place').isChecked()).toBe(true)
  })

  it('go to an address from the command palette', async () => {
    const running = await openLive()
    const { page } = running
    await chooseMenuItem(running, 'view.palette')
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor()
    await page.keyboard.type('goto $d020')
    await page.keyboard.press('Enter')
    await panel(page, 'memory')
      .locator('.memory-status')
      .getByText(/^\$D020/)
      .waitFor()
  })

  it('refuse a machine name that is none, and say how machines are named', async () => {
    const running = await openLive()
    const { page } = running
    await chooseMenuItem(running, 'machine.choose')
    await page.getByRole('dialog', { name: 'Connect' }).getByLabel('Address or name').fill('commodore 64')
    await page.keyboard.press('Enter')
    await page.getByText('is not a machine name').waitFor()
    expect(await page.getByRole('dialog', { name: 'Connect' }).getByLabel('Address or name').inputValue()).toBe(
      'commodore 64',
    )
  })
})

describe.skipIf(lacks('electron', 'xvfb'))('a machine that does not answer', () => {
  let peer: ChildProcess | undefined
  afterEach(() => void peer?.kill())

  /** The stand-in for VICE's monitor on this port, or on one of its own choice. */
  async function startPeer(port?: number): Promise<number> {
    const args = [
      resolve('test/peers/viceMonitor.ts'),
      '--options',
      '{"version":"3.10"}',
      ...(port === undefined ? [] : ['--port', String(port)]),
    ]
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    peer = child
    return new Promise((done, reject) => {
      child.on('exit', () => reject(new Error('the stand-in monitor ended')))
      createInterface({ input: child.stdout }).on('line', (line) => {
        const found = /"port":(\d+)/.exec(line)
        if (found) done(Number(found[1]))
      })
    })
  }

  it('is said to be lost with the reason, keeps its last picture, and comes back by itself', async () => {
    const port = await startPeer()
    const running = await shared.open(size, `--machine=vice:${port}`)
    const { page } = running
    await untilLive(page, `vice:${port}`)
    await expect.poll(() => stateWords(page).textContent()).toBe('Live')
    await page.locator('.screen-canvas').waitFor()
    peer?.kill('SIGKILL')
    await page.locator('.state-panel').waitFor()
    await page.getByText('Last picture').waitFor()
    await startPeer(port)
    await expect.poll(() => stateWords(page).textContent(), { timeout: 60_000 }).toBe('Live')
    await page.getByText('Last picture').waitFor({ state: 'detached' })
  })
  it('is said to have failed with the reason, and is tried again until the person stops it', async () => {
    const running = await shared.open(size, `--machine=vice:${await closedPort()}`)
    const { page } = running
    await expect.poll(() => stateWords(page).textContent()).toMatch(/Could not connect|Trying again…/)
    // At the foot of the window, and in the view that has no picture because of it.
    for (const place of [page.locator('.state-panel'), page.locator('[data-panel="screen"]')]) {
      await place.getByText(/VICE at .* could not be connected\./).waitFor()
      await place.getByText(/Next try at \d\d:\d\d:\d\d\. \d+ attempts failed\./).waitFor()
    }
    await page.locator('.state-panel').getByRole('button', { name: 'Stop trying' }).click()
    await expect.poll(() => stateWords(page).textContent()).toBe('Not connected')
    // What the state panel tells is no message besides.
    expect(await page.locator('.toast').count()).toBe(0)
  })

  it('leaves the running one in front until it is live, and its error is shown once', async () => {
    const running = await openLive()
    const { page } = running
    const port = await closedPort()
    await chooseMenuItem(running, 'machine.choose')
    await page.getByRole('dialog', { name: 'Connect' }).getByLabel('Address or name').fill(`vice:${port}`)
    await page.keyboard.press('Enter')
    await page.locator('.machine-trouble', { hasText: 'No VICE to attach to' }).waitFor()
    await page.locator('.problem', { hasText: /^Start VICE with/ }).waitFor()
    expect(await stateWords(page).textContent()).toBe('Live')
    expect(await page.getByText('No VICE to attach to').count()).toBe(1)
    await page.getByRole('button', { name: 'Stop trying VICE' }).waitFor()
    await startPeer(port)
    await untilLive(page, `vice:${port}`)
  })
})

/** A port of this computer on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return z.object({ port: z.number() }).parse(address).port
}
