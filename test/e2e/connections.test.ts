/** The connection page with a person before it: what it lists, a password, several machines, a self-test; by keyboard and for axe. */
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { UltimateOptions } from '../peers/ultimateOptions'
import { startUltimate, type UltimatePeer } from '../peers/ultimateProcess'
import { projectFolder, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { SharedApp } from '../support/sharedApp'
import { answerFileDialogs, axeProblems, chooseMenuItem, collectPolicyViolations } from './support'

const PASSWORD = 'open-sesame'

const shared = new SharedApp()
afterAll(() => shared.close())

let folder: string
let running: RunningApp
let page: Page
let peer: UltimatePeer | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-connections-'))
})
afterEach(async () => {
  await peer?.stop()
  peer = undefined
  await rm(folder, { recursive: true, force: true })
})

const open = (...args: string[]) => openOver(() => Promise.resolve(), ...args)

const openWithConfig = (config: string, ...args: string[]) =>
  openOver(() => writeFile(join(shared.home, '.c64bridge.json'), config), ...args)

async function openOver(write: () => Promise<void>, ...args: string[]): Promise<void> {
  running = await shared.openOver(write, '--size=1280x800', ...args)
  page = running.page
  await untilLive(page)
  await chooseMenuItem(running, 'view.connections')
  await view().getByRole('region', { name: 'Machines' }).waitFor()
}

async function startPeer(options: Partial<UltimateOptions> = {}): Promise<string> {
  peer = await startUltimate(options)
  return `ultimate:127.0.0.1:${peer.ports.rest}`
}

const view = () => page.locator('[data-panel="connections"]')
const group = (name: string) => view().getByRole('region', { name })
const row = (text: string) => view().locator('.connection-row').filter({ hasText: text })
const prompt = () => page.getByRole('dialog', { name: /^Password for/ })
const button = (name: string) => view().getByRole('button', { name, exact: true })

async function type(machine: string): Promise<void> {
  await view().getByLabel('Address or name').fill(machine)
  await page.keyboard.press('Enter')
}

async function answer(password: string): Promise<void> {
  await prompt()
    .getByLabel(/Network Password/)
    .fill(password)
  await page.keyboard.press('Enter')
}

/** Everything that the app wrote while it ran. */
async function written(): Promise<string> {
  const files = (await readdir(shared.dataFolder, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  )
  return (await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')))).join('\n')
}

describe.skipIf(lacks('electron', 'xvfb'))('the connection page', () => {
  it('lists the machines with their states, and what c64bridge names with the file’s name', async () => {
    await openWithConfig(JSON.stringify({ c64u: { host: 'c64u', networkPassword: PASSWORD }, u2: { host: 'no host' } }))
    await expect.poll(() => row('Built-in C64').first().textContent()).toContain('Live, in front')
    await expect.poll(() => group('From c64bridge').textContent()).toMatch(/ultimate:c64u.*in \.c64bridge\.json/)
    expect(await group('From c64bridge').textContent()).toContain(
      '“Ultimate-II” in .c64bridge.json has no usable address',
    )
    expect(await page.content()).not.toContain(PASSWORD)
  })

  it('says of a name that is none how machines are named', async () => {
    await open()
    await type('c64 on my desk')
    await expect.poll(() => view().getByRole('alert').textContent()).toMatch(/is not a machine name.*ultimate:HOST/)
  })

  it('asks for a password, sends it once, says what is wrong with it, and keeps it nowhere', async () => {
    const machine = await startPeer({ password: PASSWORD })
    await open()
    await type(machine)
    await prompt().waitFor()
    expect(await prompt().textContent()).toContain('requires its network password')
    await answer('wrong-one')
    await expect.poll(() => prompt().textContent()).toContain('rejected the password')
    await expect
      .poll(() =>
        prompt()
          .getByLabel(/Network Password/)
          .inputValue(),
      )
      .toBe('')
    await answer(PASSWORD)
    await prompt().waitFor({ state: 'detached' })
    await expect.poll(() => row(machine).textContent()).toContain('Live, in front')
    // The built-in C64 is still there, behind it.
    await expect.poll(() => row('Built-in C64').first().textContent()).toMatch(/Live$|Live[^,]/)
    const kept = await page.evaluate(() =>
      JSON.stringify([document.documentElement.outerHTML, localStorage, sessionStorage]),
    )
    expect(kept).not.toContain(PASSWORD)
    expect(await written()).not.toMatch(new RegExp(`${PASSWORD}|wrong-one`))
  })

  it('connects again without asking in the same session, until the machine wants another password', async () => {
    const machine = await startPeer({ password: PASSWORD })
    await open()
    await type(machine)
    await prompt().waitFor()
    await answer(PASSWORD)
    await expect.poll(() => row(machine).textContent()).toContain('Live')
    await button('Disconnect').click()
    await expect.poll(() => row(machine).textContent()).toContain('Not connected')
    await type(machine)
    await expect.poll(() => row(machine).textContent()).toContain('Live')
    expect(await prompt().count()).toBe(0)
    await button('Disconnect').click()
    await expect.poll(() => row(machine).textContent()).toContain('Not connected')
    await peer?.change({ password: 'another' })
    await type(machine)
    await prompt().waitFor()
    await page.keyboard.press('Escape')
    await prompt().waitFor({ state: 'detached' })
  })

  it('says that passwords cannot be saved where the system has no keyring', async () => {
    const machine = await startPeer({ password: PASSWORD })
    await open()
    await type(machine)
    await prompt().waitFor()
    const save = prompt().getByRole('checkbox')
    const limit = await page.evaluate(() => window.bridgedeck.connections.secretStore({}))
    const canSave = limit.ok && limit.data.limit === null
    await expect.poll(() => save.isEnabled()).toBe(canSave)
    await expect.poll(async () => ((await prompt().textContent()) ?? '').includes('cannot be saved')).toBe(!canSave)
  })

  it('keeps a machine under a title, renames it, and forgets it', async () => {
    const machine = await startPeer()
    await open()
    await type(machine)
    await expect.poll(() => row(machine).textContent()).toContain('Live')
    await view().getByLabel('Keep it as').fill('The one on the desk')
    await button('Keep').click()
    await expect.poll(() => row(machine).textContent()).toContain('The one on the desk')
    await button('Disconnect').click()
    await expect.poll(() => row(machine).textContent()).not.toContain('Live')
    await view().getByLabel('Kept as').fill('Workshop')
    await button('Rename').click()
    await expect.poll(() => row(machine).textContent()).toContain('Workshop')
    await button('Forget').click()
    await expect.poll(() => row(machine).count()).toBe(0)
  })

  it('has several machines connected, and brings one of them to the front', async () => {
    const machine = await startPeer()
    await open()
    await type(machine)
    await expect.poll(() => row(machine).textContent()).toContain('Live, in front')
    await row('Built-in C64').first().click()
    await button('Bring to the front').click()
    await expect.poll(() => row('Built-in C64').first().textContent()).toContain('Live, in front')
    await expect.poll(() => row(machine).textContent()).toMatch(/Live(?!, in front)/)
  })

  it('shows the steps of a self-test as they come, and stops it when asked', async () => {
    const machine = await startPeer({ product: 'Ultimate II+' })
    await open()
    await type(machine)
    await expect.poll(() => row(machine).textContent()).toContain('Live')
    await row(machine).click()
    await button('Test this machine').click()
    const steps = view().locator('.self-test li')
    await expect.poll(() => steps.count()).toBe(6)
    await button('Test again').waitFor()
    await expect
      .poll(() => steps.allTextContents())
      .toEqual([
        expect.stringMatching(/^Reach the machineok Connected/),
        expect.stringMatching(/^Passwordok /),
        expect.stringMatching(/^Read memoryok 256 bytes in/),
        expect.stringMatching(/^Video streamnot tried .*Ultimate 64/),
        expect.stringMatching(/^Audio streamnot tried/),
        expect.stringMatching(/^Debug streamnot tried/),
      ])
    await peer?.change({ restFault: 'wedged' })
    await button('Test again').click()
    await button('Stop').click()
    await button('Test again').waitFor()
  })

  it('is opened and used by keyboard alone', async () => {
    await open()
    const focused = () => page.evaluate(() => document.activeElement?.id ?? '')
    await expect.poll(focused).toBe('quick-connect')
    await chooseMenuItem(running, 'view.screen')
    await expect.poll(focused).not.toBe('quick-connect')
    const accelerator = await running.app.evaluate(
      ({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('view.devices')?.accelerator,
    )
    expect(accelerator).toBe('CmdOrCtrl+4')
    await chooseMenuItem(running, 'view.devices')
    await expect.poll(focused).toBe('quick-connect')
    await row('Built-in C64').first().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => view().locator('.detail-title').textContent()).toContain('VICE')
  })

  it('explains each kind of hardware', async () => {
    await open()
    const kinds = group('How to connect').getByRole('button')
    await expect.poll(() => kinds.count()).toBe(6)
    for (const [index, word] of [
      'Web Remote Control Service',
      'Enable TCP Listener',
      'Kung Fu Flash',
      'null-modem',
      '-binarymonitor',
      'built-in',
    ].entries()) {
      await kinds.nth(index).click()
      await view().locator('.guide').filter({ hasText: word }).waitFor()
    }
  })

  it('saves the program that a serial C64 needs', async () => {
    await open()
    const path = join(folder, 'stub.prg')
    await answerFileDialogs(running, path)
    await group('How to connect')
      .getByRole('button', { name: /SwiftLink/ })
      .click()
    await button('Save stub.prg…').click()
    await page.getByText('stub.prg saved.').waitFor()
    expect(await readFile(path)).toEqual(readFileSync(join(projectFolder, 'out/resources/c64/stub.prg')))
  })

  it('keeps the reason and the next attempt of a machine that is gone in view, in front or behind, until it is back', async () => {
    const machine = await startPeer()
    const other = await startUltimate()
    try {
      await open()
      await type(machine)
      await expect.poll(() => row(machine).textContent()).toContain('Live, in front')
      await type(`ultimate:127.0.0.1:${other.ports.rest}`)
      await expect.poll(() => row(`127.0.0.1:${other.ports.rest}`).first().textContent()).toContain('Live, in front')
      await peer?.away(600)
      // Behind the other one it says so in its row, and the one in front is untouched.
      await expect.poll(() => row(machine).textContent(), { timeout: 60_000 }).toMatch(/Lost.*Next try|Trying again/s)
      await expect.poll(() => row(`127.0.0.1:${other.ports.rest}`).first().textContent()).toContain('Live, in front')
      await page.getByRole('button', { name: 'Devices, 1 machine is not live' }).waitFor()
      // In front, every view has it above it.
      await row(machine).click()
      await button('Bring to the front').click()
      const bar = page.locator('[data-panel="status-bar"]')
      await expect.poll(() => bar.textContent(), { timeout: 60_000 }).toMatch(/Lost|Trying again/)
      await expect
        .poll(() => page.locator('.state-panel').first().textContent(), { timeout: 60_000 })
        .toMatch(/127\.0\.0\.1.*(Next try|Trying again)/s)
      await peer?.away(0)
      await expect.poll(() => row(machine).textContent(), { timeout: 60_000 }).toContain('Live, in front')
    } finally {
      await other.stop()
    }
  })

  it.each(['light', 'dark'])(
    'has nothing for axe to find and keeps the content security policy, in the %s theme',
    async (theme) => {
      const machine = await startPeer({ password: PASSWORD })
      await openWithConfig('{"c64u": {"host": "c64u"', `--theme=${theme}`)
      const policyViolations = await collectPolicyViolations(page)
      await button('Test this machine').click()
      await button('Test again').waitFor()
      expect(await axeProblems(page), 'a machine').toEqual([])
      await group('How to connect').getByRole('button').first().click()
      expect(await axeProblems(page), 'a guide').toEqual([])
      await type(machine)
      await prompt().waitFor()
      expect(await axeProblems(page), 'the password').toEqual([])
      expect(await policyViolations()).toEqual([])
    },
  )
})
