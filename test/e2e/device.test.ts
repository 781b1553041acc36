/** What a device does besides being a C64, worked by a person: on a stand-in Ultimate, and said in words where a machine lacks it. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { startTeensyRomPeer } from '../peers/teensyromProcess'
import type { UltimateOptions } from '../peers/ultimateOptions'
import { startUltimate, type UltimatePeer } from '../peers/ultimateProcess'
import { unsupportedByEmulators as why } from '../../src-main/machine/unsupported'
import { untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { SharedApp } from '../support/sharedApp'
import { answerFileDialogs, answerQuestions, axeProblems, chooseMenuItem, collectPolicyViolations } from './support'

const shared = new SharedApp()
let running: RunningApp
let page: Page
let peer: UltimatePeer

afterAll(() => shared.close())

async function open(machine: string, ...args: string[]): Promise<void> {
  running = await shared.open('--size=1280x800', `--machine=${machine}`, '--view=device', ...args)
  page = running.page
  await untilLive(page, machine)
}

const view = () => page.locator('[data-panel="device"]')
const part = (title: string) => view().getByRole('region', { name: title })
const button = (name: string | RegExp) => view().getByRole('button', { name })
const drive = (name: string) => view().locator(`[data-drive="${name}"]`)
const stream = (name: string) => view().locator(`[data-stream="${name}"]`)

describe.skipIf(lacks('electron', 'xvfb'))('the device view, with an Ultimate in front,', () => {
  async function openUltimate(options: Partial<UltimateOptions> = {}, ...args: string[]): Promise<void> {
    peer = await startUltimate(options)
    await open(`ultimate:127.0.0.1:${peer.ports.rest}`, ...args)
  }
  afterEach(() => peer.stop())

  it('starts and stops its streams, counts what comes, and says that video and debug exclude each other', async () => {
    await openUltimate()
    await button('Start the video stream').click()
    await expect.poll(async () => (await peer.state()).streams.video.on).toBe(true)
    await expect.poll(() => stream('video').textContent()).toMatch(/[1-9]\d* packets, \d+ lost/)
    await button('Start the debug stream').click()
    await button('Stop the debug stream').waitFor()
    await button('Start the video stream').waitFor()
    await expect
      .poll(async () => (await peer.state()).streams)
      .toMatchObject({ video: { on: false }, debug: { on: true } })
    await button('Stop the debug stream').click()
    await button('Start the debug stream').waitFor()
    await expect.poll(async () => (await peer.state()).streams.debug.on).toBe(false)
  })

  it('says in the screen view that the video stream is off, and starts it from there', async () => {
    await openUltimate({}, '--view=screen')
    const screen = page.locator('[data-panel="screen"]')
    await screen.getByText('The video stream is off').waitFor()
    await screen.getByRole('button', { name: 'Start the video stream' }).click()
    await screen.locator('canvas').first().waitFor()
    await expect.poll(() => page.locator('[data-panel="status-bar"]').textContent()).toMatch(/frames\s*[1-9]\d*\/s/)
    await chooseMenuItem(running, 'stream.video')
    await screen.getByText(/Last picture \d+ s ago/).waitFor()
    await expect.poll(() => screen.getByRole('button', { name: 'Start the video stream' }).count()).toBe(1)
  })

  it('says where it is tried why a stream does not start', async () => {
    await openUltimate({ wired: false })
    await button('Start the audio stream').click()
    await expect
      .poll(() => stream('audio').getByRole('alert').textContent())
      .toMatch(/cannot send its audio stream: its network cable is not plugged in/)
    expect(await stream('video').getByRole('alert').count()).toBe(0)
  })

  it('lets its sound be heard from the screen’s toolbar, and mutes it', async () => {
    await openUltimate()
    await chooseMenuItem(running, 'view.screen')
    const toolbar = page.locator('[data-panel="screen"] .screen-tools')
    const sound = toolbar.getByRole('button', { name: 'Sound' })
    await expect.poll(() => sound.getAttribute('aria-pressed')).toBe('false')
    // The shortcut that its tooltip shows is the menu's.
    const accelerator = await running.app.evaluate(
      ({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('sound.toggle')?.accelerator,
    )
    expect(accelerator).toBe('CmdOrCtrl+Shift+M')
    await sound.hover()
    await expect
      .poll(() => page.locator('.tooltip').allTextContents())
      .toEqual([expect.stringContaining('Ctrl+Shift+M')])
    await sound.click()
    await expect.poll(async () => (await peer.state()).streams.audio.on).toBe(true)
    await expect.poll(() => sound.getAttribute('aria-pressed')).toBe('true')
    await expect
      .poll(async () => Number(await toolbar.locator('.sound').getAttribute('data-blocks')), { timeout: 60_000 })
      .toBeGreaterThan(0)
    await toolbar.getByRole('slider', { name: 'Volume' }).waitFor()
    await chooseMenuItem(running, 'sound.toggle')
    await expect.poll(() => sound.getAttribute('aria-pressed')).toBe('false')
    // Muted here; the stream goes on.
    expect((await peer.state()).streams.audio.on).toBe(true)
  })

  it('puts a disk into a drive, takes it out, changes what the drive is, and switches it', async () => {
    await openUltimate()
    const disk = join(shared.home, 'work.d64')
    await writeFile(disk, new Uint8Array(174_848))
    await answerFileDialogs(running, disk)
    await answerQuestions(running, 1)
    await part('Drives').getByLabel('Insert images as').selectOption('Write-protected')
    await drive('a').getByRole('button', { name: 'Insert image…' }).click()
    await expect.poll(() => drive('a').textContent()).toContain('work.d64')
    await expect.poll(async () => (await peer.state()).drives.a).toMatchObject({ mode: 'readonly', size: 174_848 })
    await drive('a').getByRole('button', { name: 'Eject' }).click()
    await expect.poll(() => drive('a').textContent()).toContain('empty')
    await drive('b').getByRole('combobox').selectOption('1581')
    await expect.poll(async () => (await peer.state()).drives.b?.type).toBe('1581')
    await drive('b').getByRole('checkbox').click()
    await expect.poll(async () => (await peer.state()).drives.b?.enabled).toBe(true)
    await drive('b').getByRole('button', { name: 'Reset' }).click()
    await expect.poll(async () => (await peer.state()).drives.b?.resets).toBe(1)
  })

  it('offers no disk to what takes none', async () => {
    await openUltimate()
    await drive('printer').waitFor()
    expect(await drive('printer').getByRole('button').count()).toBe(0)
    expect(await drive('printer').getByRole('checkbox').count()).toBe(0)
    await expect.poll(() => drive('softiec').getByRole('button').allTextContents()).toEqual(['Reset'])
  })

  it('asks before it reboots or switches off, and does it only after a yes', async () => {
    await openUltimate()
    await button('Press the menu button').click()
    await expect.poll(async () => (await peer.state()).menuOpen).toBe(true)
    await answerQuestions(running, 0)
    await button('Reboot…').click()
    await expect.poll(() => button('Reboot…').getAttribute('aria-disabled')).toBeNull()
    expect((await peer.state()).reboots).toBe(0)
    await answerQuestions(running, 1)
    await button('Reboot…').click()
    await expect.poll(async () => (await peer.state()).reboots).toBe(1)
    await button('Switch off…').click()
    await expect.poll(async () => (await peer.state()).poweredOff).toBe(true)
  })

  it('sets its configuration, keeps what was refused as a draft, and puts back what the machine has', async () => {
    await openUltimate()
    await button('Drive A Settings').click()
    const bus = part('Configuration').getByLabel('Drive Bus ID')
    await bus.fill('9')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => peer.logOf('rest').some(({ target }) => target?.includes('Drive%20Bus%20ID?value=9')))
      .toBe(true)
    await expect.poll(() => part('Configuration').textContent()).not.toContain('Sending')
    await bus.fill('99')
    await page.keyboard.press('Enter')
    await part('Configuration').getByRole('alert').filter({ hasText: 'from 8 to 11' }).waitFor()
    // A draft outlives the category and the view.
    await button('Clock Settings').click()
    await button('Drive A Settings').click()
    await expect.poll(() => bus.inputValue()).toBe('99')
    await bus.focus()
    await page.keyboard.press('Escape')
    await expect.poll(() => bus.inputValue()).toBe('9')
    await part('Configuration').getByLabel('Extra RAM').selectOption('Enabled')
    await expect
      .poll(() => peer.logOf('rest').some(({ target }) => target?.includes('Extra%20RAM?value=Enabled')))
      .toBe(true)
  })

  it('shows the whole of a file with a long name', async () => {
    await openUltimate()
    const path = `/Usb0/${'a long name '.repeat(12)}.prg`
    await peer.putFile(path, new Uint8Array(100))
    await part('Files on the machine').getByLabel('File').fill(path)
    await page.keyboard.press('Enter')
    await button(/^Run a long name/).waitFor()
    const list = view().locator('.device-files')
    expect(await list.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  })

  it('looks up a file, runs it, and creates an empty disk image', async () => {
    await openUltimate()
    await part('Files on the machine').getByLabel('File').fill('/Usb0/demo.prg')
    await page.keyboard.press('Enter')
    await button('Run demo.prg').click()
    await expect
      .poll(async () => (await peer.state()).runs.map(({ call, name }) => `${call} ${name}`))
      .toEqual(['run_prg /Usb0/demo.prg'])
    await part('Files on the machine').getByLabel('File').fill('/Usb0/none.prg')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => part('Files on the machine').getByRole('alert').textContent())
      .toMatch(/could not .*none\.prg/)
    await part('Files on the machine').getByLabel('New disk image').fill('/Usb0/new.d64')
    await part('Files on the machine').getByLabel('Title').fill('WORK')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await peer.state()).files).toContain('/Usb0/new.d64')
    // The stand-in has no FTP service, which alone lists folders.
    await part('Files on the machine').getByLabel('Folder or file').fill('/Usb0/')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => part('Files on the machine').getByRole('alert').textContent())
      .toContain('its FTP service is off')
  })

  it('says in words what a cartridge cannot do, and offers no button for it', async () => {
    await openUltimate({ product: 'Ultimate II+' })
    await expect.poll(() => part('Streams').textContent()).toContain('Only an Ultimate 64')
    expect(await part('Streams').getByRole('button').count()).toBe(0)
    await expect.poll(() => part('Power').textContent()).toMatch(/Ultimate 64 .*off/)
    expect(await button('Switch off…').count()).toBe(0)
    await chooseMenuItem(running, 'view.screen')
    expect(
      await page.locator('[data-panel="screen"] .screen-tools').getByRole('button', { name: 'Sound' }).count(),
    ).toBe(0)
  })

  it.each(['light', 'dark'])(
    'has nothing for axe to find and keeps the content security policy, in the %s theme',
    async (theme) => {
      await openUltimate({}, `--theme=${theme}`)
      const policyViolations = await collectPolicyViolations(page)
      await button('Drive A Settings').click()
      await part('Configuration').getByLabel('Drive Bus ID').fill('99')
      await page.keyboard.press('Enter')
      await part('Files on the machine').getByLabel('File').fill('/Usb0/demo.prg')
      await page.keyboard.press('Enter')
      await button('Run demo.prg').waitFor()
      await button('Start the audio stream').click()
      await button('Stop the audio stream').waitFor()
      expect(await axeProblems(page)).toEqual([])
      expect(await policyViolations()).toEqual([])
    },
  )
})

describe.skipIf(lacks('electron', 'xvfb'))('the device view, with the built-in C64 in front,', () => {
  it('says of each part why it is not there, and points to the way in once it is disconnected', async () => {
    await open('builtin')
    await expect.poll(() => part('Streams').textContent()).toContain(why.videoStream)
    expect(await part('Drives').textContent()).toContain(why.drives)
    expect(await part('Power').textContent()).toContain(why.reboot)
    expect(await part('Files on the machine').textContent()).toContain(why.files)
    expect(await part('Configuration').textContent()).toContain(why.configuration)
    expect(await view().getByRole('button').count()).toBe(0)
    await chooseMenuItem(running, 'machine.disconnect')
    await view().getByText('Built-in C64 is not connected').waitFor()
    await view().getByRole('button', { name: 'Connect' }).click()
    await part('Streams').waitFor()
  })
})

describe.skipIf(lacks('electron', 'xvfb'))('the device view, with a TeensyROM in front,', () => {
  it('opens its folders, starts a file, and says what it has nothing of', async () => {
    const board = await startTeensyRomPeer()
    try {
      await board.putFile('sd:/games/demo.prg', Uint8Array.of(0x01, 0x08, 0x00, 0x00, 0x00))
      await open(`teensyrom:127.0.0.1:${board.port}`)
      const files = part('Files on the machine')
      await files.getByRole('button', { name: 'List' }).click()
      await files.getByRole('button', { name: 'sd/' }).click()
      await files.getByRole('button', { name: 'games/' }).click()
      await files.getByRole('button', { name: 'Run demo.prg' }).click()
      await expect
        .poll(() => board.log().find(({ command }) => command === 'launch'))
        .toMatchObject({ path: '/games/demo.prg' })
      expect(await files.textContent()).toContain('TeensyROM cannot create disk images.')
      expect(await files.getByLabel('New disk image').count()).toBe(0)
      expect(await part('Streams').textContent()).toContain('does not receive the C64’s picture')
      expect(await part('Power').textContent()).toMatch(/menu after a reset/)
    } finally {
      await board.stop()
    }
  })
})
