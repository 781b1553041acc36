/** What a person expects of a desktop program: menu, window state, single instance, dialogs, files, screenshot, quitting. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { strFromU8, unzipSync } from 'fflate'
import { decode } from 'fast-png'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { electronRuntime } from '../../scripts/lib/electron.mjs'
import { appEnvironment, projectFolder, untilLive, type LaunchOptions, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { SharedApp } from '../support/sharedApp'
import {
  answerFileDialogs,
  answerQuestions,
  chooseMenuItem,
  launchWithEchoBridge,
  readLog,
  untilBridge,
} from './support'

const shared = new SharedApp()

const machinesSchema = z.object({ machines: z.array(z.object({ machine: z.string() })) })

let folder: string
const launched: RunningApp[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-shell-'))
})
afterEach(async () => {
  // Its C64 takes no processor time from a start that comes next.
  await shared.close()
  for (const running of launched.splice(0)) await running.close()
  await rm(folder, { recursive: true, force: true })
})

async function open(): Promise<RunningApp> {
  const running = await shared.open('--size=1280x800')
  await untilBridge(running.page, 'ready')
  return running
}

/** Starts an app of the test's own, over the small bridge. */
async function launch(options: LaunchOptions = {}): Promise<RunningApp> {
  const running = await launchWithEchoBridge({ dataFolder: folder, ...options })
  launched.push(running)
  await untilBridge(running.page, 'ready')
  return running
}

async function close(running: RunningApp): Promise<void> {
  launched.splice(launched.indexOf(running), 1)
  await running.close()
}

describe.skipIf(lacks('electron', 'xvfb'))('the shell', () => {
  it('says that it is a stand-in, and writes a log that names no home folder', async () => {
    // Its own start: what a start logs.
    const running = await launch({ environment: { HOME: folder } })
    const { standIn } = await electronRuntime()
    const info = await running.page.evaluate(() => window.bridgedeck.window.info({}))
    expect(info).toMatchObject({ ok: true, data: { app: { standIn }, bridge: { state: 'ready' } } })
    expect(readLog(folder, 'main.log').includes('stand-in')).toBe(standIn)
    await expect.poll(() => readLog(folder, 'bridge-output.log')).toContain('the echo bridge is up')
    expect(readLog(folder, 'main.log')).not.toContain(folder)
  })

  it('tells the page which menu item was chosen, also by its accelerator', async () => {
    const running = await open()
    const { app, page } = running
    await page.evaluate(() => {
      window.collected = []
      window.bridgedeck.onEvent('window.action', ({ action }) => window.collected.push(action))
    })
    await chooseMenuItem(running, 'view.memory')
    const accelerators = await app.evaluate(
      ({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('machine.pause')?.accelerator,
    )
    expect(accelerators).toBe('F8')
    const press = () =>
      app.evaluate(({ BrowserWindow }) => {
        for (const type of ['keyDown', 'keyUp'] as const)
          BrowserWindow.getAllWindows()[0]?.webContents.sendInputEvent({ type, keyCode: 'F8' })
      })
    // A window takes no keys before it is painted for the first time.
    await expect
      .poll(async () => {
        await press()
        return [...new Set(await page.evaluate(() => window.collected))]
      })
      .toEqual(['view.memory', 'machine.pause'])
  })

  it('keeps the window’s place, theme and layout for the next start', async () => {
    // Its own starts: a window of a given size, as the shared one is, keeps no place.
    const first = await launch()
    const bounds = { x: 40, y: 50, width: 900, height: 640 }
    await first.app.evaluate(({ BrowserWindow }, wanted) => BrowserWindow.getAllWindows()[0]?.setBounds(wanted), bounds)
    await first.page.evaluate(() => window.bridgedeck.window.remember({ theme: 'dark', viewState: '{"kept":true}' }))
    const set = await first.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())
    await close(first)
    expect(JSON.parse(await readFile(join(folder, 'window.json'), 'utf8'))).toMatchObject({
      theme: 'dark',
      bounds: { width: 900 },
    })

    const second = await launch()
    const found = await second.app.evaluate(({ BrowserWindow, nativeTheme }) => ({
      bounds: BrowserWindow.getAllWindows()[0]?.getBounds(),
      dark: nativeTheme.shouldUseDarkColors,
      background: BrowserWindow.getAllWindows()[0]?.getBackgroundColor(),
    }))
    expect(found.bounds).toMatchObject({ width: set?.width, height: set?.height })
    expect(found).toMatchObject({ dark: true, background: '#101217' })
  })

  it('starts with its defaults over a broken window.json, and keeps that aside', async () => {
    // Its own start: the file is read by a start only.
    await writeFile(join(folder, 'window.json'), '{"theme": "da')
    const { page } = await launch()
    const info = await page.evaluate(() => window.bridgedeck.window.info({}))
    expect(info).toMatchObject({ ok: true, data: { window: { theme: 'system' } } })
    expect((await readdir(folder)).some((name) => name.startsWith('window.json.corrupt-'))).toBe(true)
  })

  it('runs once: a second start hands over its program or machine and ends', async () => {
    // Its own start: the lock is in the data folder that an app started with.
    const running = await launch()
    const { page } = running
    await page.evaluate(() => {
      window.collected = []
      window.bridgedeck.onEvent('window.filesDropped', ({ files }) => window.collected.push(...files))
      window.bridgedeck.onEvent('window.openMachine', (payload) => window.collected.push(payload))
    })
    const refusing = await answerQuestions(running, 0)
    expect((await startElectron(['--', 'vice:evil.example:6502'])).code).toBe(0)
    await expect.poll(refusing).toMatchObject([{ message: 'Connect to vice:evil.example:6502?' }])
    const agreeing = await answerQuestions(running, 1)
    expect((await startElectron(['--', join(folder, 'demo.prg')])).code).toBe(0)
    expect((await startElectron(['--', 'vice:6502'])).code).toBe(0)
    await expect.poll(agreeing).toHaveLength(1)
    await expect.poll(() => page.evaluate(() => window.collected)).toHaveLength(2)
    const [dropped, machine] = await page.evaluate(() => window.collected)
    expect(dropped).toMatchObject({ name: 'demo.prg', grant: expect.any(String) as string })
    expect(JSON.stringify(dropped)).not.toContain(folder)
    expect(machine).toEqual({ machine: 'vice:6502' })
  })

  it('says why it cannot start where its data folder cannot be made', async () => {
    const { code, errors } = await startElectron([], { BRIDGEDECK_DATA: '/dev/null/data' })
    expect(code).toBe(1)
    expect(errors).toContain('The folder /dev/null/data')
    expect(errors).not.toContain('Uncaught')
  })

  it('leaves the data of a newer Bridgedeck alone, and says so', async () => {
    const newer = join(folder, 'newer')
    await mkdir(newer)
    await writeFile(join(newer, 'version.json'), '{"version":999}')
    const { code, errors } = await startElectron(['--', `--screenshot=${join(folder, 'never.png')}`], {
      BRIDGEDECK_DATA: newer,
    })
    expect(code).toBe(1)
    expect(errors).toContain('newer Bridgedeck')
    expect(await readdir(newer)).toEqual(['version.json'])
    expect(await readFile(join(newer, 'version.json'), 'utf8')).toBe('{"version":999}')
  })

  it('takes a dropped file’s path past the page', async () => {
    const { page } = await open()
    const file = join(folder, 'demo.prg')
    await writeFile(file, 'x')
    await page.evaluate(() => {
      window.collected = []
      window.bridgedeck.onEvent('window.filesDropped', ({ files }) => window.collected.push(...files))
    })
    const session = await page.context().newCDPSession(page)
    const data = { items: [], files: [file], dragOperationsMask: 1 }
    // A drag over a window that is not painted yet is neither delivered nor answered, so it is not waited for.
    const drop = () => {
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
        session.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data }).catch(() => undefined)
      }
      return page.evaluate(() => window.collected)
    }
    await expect
      .poll(drop, { timeout: 60_000, interval: 1_000 })
      .toContainEqual({ name: 'demo.prg', grant: expect.any(String) as string, folder: false })
    expect(JSON.stringify(await page.evaluate(() => window.collected))).not.toContain(folder)
  })

  it('saves a picture where the person says, and nothing when they cancel', async () => {
    const running = await open()
    const save = () =>
      running.page.evaluate(() =>
        window.bridgedeck.window.savePicture({
          name: 'screen.png',
          png: new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1]),
        }),
      )
    await answerFileDialogs(running, undefined)
    expect(await save()).toEqual({ ok: true, data: { saved: null } })
    const path = join(folder, 'mine.png')
    await answerFileDialogs(running, path)
    expect(await save()).toMatchObject({ ok: true, data: { saved: { name: 'mine.png', path } } })
    expect([...(await readFile(path)).subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47])
    expect(
      await running.page.evaluate(() =>
        window.bridgedeck.window.savePicture({ name: 'x.png', png: new Uint8Array(9) }),
      ),
    ).toMatchObject({
      ok: false,
      error: { code: 'INVALID' },
    })
    await answerFileDialogs(running, join(path, 'in-a-file.png'))
    const refused = await save()
    expect(refused.ok ? '' : refused.error.message).toContain('in-a-file.png could not be written')
  })

  it('goes on to the bridge with the file that the person chose', async () => {
    const running = await open()
    const { page } = running
    const file = join(folder, 'demo.prg')
    await untilLive(page)
    // At $C000, a jump to itself.
    await writeFile(file, Uint8Array.of(0x00, 0xc0, 0x4c, 0x00, 0xc0))
    await answerFileDialogs(running, file)
    const choose = () => page.evaluate(() => window.bridgedeck.program.choose({}))
    const chosen = await choose()
    expect(chosen).toMatchObject({ ok: true, data: { file: { name: 'demo.prg' } } })
    const grant = (chosen.ok ? chosen.data.file?.grant : undefined) ?? ''
    const run = await page.evaluate(
      (grant) => window.bridgedeck.program.runGranted({ machine: 'builtin', grant, watch: false }),
      grant,
    )
    expect(run).toEqual({ ok: true, data: { name: 'demo.prg' } })
    const loaded = await page.evaluate(() =>
      window.bridgedeck.memory.read({ machine: 'builtin', space: 'ram', address: 0xc000, length: 3 }),
    )
    expect(loaded.ok && [...loaded.data.bytes]).toEqual([0x4c, 0x00, 0xc0])
    await answerFileDialogs(running, undefined)
    expect(await choose()).toEqual({ ok: true, data: { file: null } })
    // The next dialog starts where this one ended.
    await expect
      .poll(async () => JSON.parse(await readFile(join(shared.dataFolder, 'window.json'), 'utf8')) as unknown)
      .toMatchObject({ folders: { program: folder } })
  })

  it('backs the data up where the person says', async () => {
    const running = await open()
    const path = join(folder, 'backup.tar.gz')
    await answerFileDialogs(running, path)
    await chooseMenuItem(running, 'view.settings')
    await running.page.getByRole('button', { name: 'Back up…' }).click()
    await running.page.getByText('backup.tar.gz saved.').waitFor()
    const archive = gunzipSync(await readFile(path)).toString('latin1')
    expect(archive).toContain('bridgedeck/bridgedeck.sqlite')
    expect(archive).not.toContain('bridgedeck/logs')
  })

  it('saves diagnostics without secrets', async () => {
    const running = await open()
    await running.page.evaluate(() => console.log('X-Password: hunter2'))
    await expect.poll(() => readLog(shared.dataFolder, 'page.log')).toContain('X-Password')
    const path = join(folder, 'diagnostics.zip')
    await answerFileDialogs(running, path)
    expect(await running.page.evaluate(() => window.bridgedeck.window.saveDiagnostics({}))).toMatchObject({
      ok: true,
      data: { saved: { name: 'diagnostics.zip', path } },
    })
    const files = unzipSync(await readFile(path))
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining([
        'versions.json',
        'settings.json',
        'machines.json',
        'bridge.json',
        'logs/main.log',
        'logs/page.log',
      ]),
    )
    const text = Object.values(files)
      .map((bytes) => strFromU8(bytes))
      .join('\n')
    expect(text).toContain('X-Password: [hidden]')
    expect(text).not.toContain('hunter2')
    const { machines } = machinesSchema.parse(JSON.parse(strFromU8(files['machines.json'] ?? new Uint8Array())))
    expect(machines.map(({ machine }) => machine)).toContain('builtin')
  })

  it('copies and pastes text through main', async () => {
    const { page } = await open()
    expect(await page.evaluate(() => window.bridgedeck.window.copyText({ text: 'LOAD"*",8,1' }))).toEqual({
      ok: true,
      data: {},
    })
    expect(await page.evaluate(() => window.bridgedeck.window.readClipboardText({}))).toEqual({
      ok: true,
      data: { text: 'LOAD"*",8,1' },
    })
  })

  it('asks before it quits an emulator, in main', async () => {
    const running = await open()
    const asked = await answerQuestions(running, 0)
    expect(await running.page.evaluate(() => window.bridgedeck.machine.quit({ machine: 'vice' }))).toMatchObject({
      ok: false,
      error: { code: 'CANCELLED' },
    })
    expect(await asked()).toMatchObject([{ message: 'Quit vice?', defaultId: 0, cancelId: 0 }])
  })

  it('offers to load the page again when its process ends', async () => {
    // Its own start: Playwright can do nothing more with the page.
    const running = await launch()
    // Playwright lets no script run in the new page, but its process tells that it is there.
    const page = () =>
      running.app.evaluate(({ BrowserWindow }) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents
        return {
          isLoaded: contents?.isLoading() === false && !contents.isCrashed(),
          process: contents?.getOSProcessId(),
        }
      })
    const before = await page()
    await answerQuestions(running, 0)
    await running.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
    )
    await expect.poll(async () => (await page()).process, { timeout: 60_000 }).not.toBe(before.process)
    await expect.poll(async () => (await page()).isLoaded, { timeout: 60_000 }).toBe(true)
    expect(readLog(folder, 'main.log')).toMatch(/the window’s page ended: (crashed|killed)/)
  })
})

describe.skipIf(lacks('electron', 'xvfb'))('a screenshot', () => {
  it('is a PNG of the window with a live machine, and the app ends', async () => {
    const path = join(folder, 'window.png')
    const { code, errors } = await startElectron([
      '--',
      `--screenshot=${path}`,
      '--size=800x600',
      '--theme=dark',
      '--view=memory',
    ])
    expect({ code, errors }).toMatchObject({ code: 0 })
    const { width, height } = decode(await readFile(path))
    expect({ width, height }).toEqual({ width: 800, height: 600 })
    expect(existsSync(join(folder, 'window.json'))).toBe(false)
  })

  it('that cannot be written ends with one sentence', async () => {
    const { code, errors } = await startElectron(['--', `--screenshot=${join(folder, 'no', 'such', 'folder.png')}`])
    expect(code).toBe(1)
    expect(errors).toMatch(/bridgedeck: .*folder\.png/)
  })

  it('takes no nonsense', async () => {
    for (const args of [['--size=big'], ['--theme=pink'], ['--unheard-of'], ['a', 'b']]) {
      const { code, errors } = await startElectron(['--', ...args])
      expect(code).toBe(2)
      expect(errors).toMatch(/bridgedeck: .+/)
    }
  })
})

describe.skipIf(lacks('electron', 'xvfb'))('the app over the real bridge', () => {
  it('shows the built-in C64 alive', async () => {
    const running = await open()
    await untilLive(running.page)
    const machines = await running.page.evaluate(() => window.bridgedeck.machine.list({}))
    expect(machines.ok && machines.data.machines[0]).toMatchObject({ machine: 'builtin', connection: 'live' })
  })
})

/** Starts the app over the data folder of the test, and waits for its end. */
async function startElectron(args: string[], environment: NodeJS.ProcessEnv = {}) {
  const { executable } = await electronRuntime()
  const child = spawn(executable, ['--no-sandbox', '--log-level=3', projectFolder, ...args], {
    env: { ...appEnvironment(folder), ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, errors }
}
