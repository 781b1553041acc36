import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { bridgeProcess } from './bridgeProcess'
import { launchApp, TOUR_SEEN, type RunningApp } from './launchApp'
import { atWorkerEnd } from './workerEnd'

/** What the page reads from its address. */
const inAddress = ['machine', 'view', 'theme']

export interface SharedAppOptions {
  /** Each test begins with the tour. */
  readonly firstStart?: boolean
}

const folder = join(tmpdir(), `bridgedeck-shared-${randomUUID()}`)
const home = join(folder, 'home')
const dataFolder = join(home, 'data')

/** The window of all files of this worker: each takes over what the one before has left. */
let current: RunningApp | undefined

/**
 * The window that tests share. Each test gets it as a first start shows it: with a new home, a new bridge, and the page loaded
 * again. That takes half of the processor time of a start.
 */
export class SharedApp {
  /** HOME of the app, which is new for each test. */
  readonly home = home
  readonly dataFolder = dataFolder
  readonly #firstStart: boolean

  constructor({ firstStart = false }: SharedAppOptions = {}) {
    this.#firstStart = firstStart
  }

  /** @param args `--size`, which is needed, `--machine`, `--view` and `--theme`; other ones are used up by a start */
  open(...args: readonly string[]): Promise<RunningApp> {
    return this.openOver(() => Promise.resolve(), ...args)
  }

  /** @param write fills the new folder before the bridge starts */
  async openOver(write: () => Promise<void>, ...args: readonly string[]): Promise<RunningApp> {
    const given = new URLSearchParams(args.map((arg) => arg.slice('--'.length)).join('&'))
    const odd = [...given.keys()].find((name) => name !== 'size' && !inAddress.includes(name))
    const [width, height] = given.get('size')?.split('x').map(Number) ?? []
    if (odd !== undefined || width === undefined || height === undefined)
      throw new Error(`A shared window cannot have ${odd ?? 'its own size'}: launch an app of its own.`)
    const viewState = this.#firstStart ? null : TOUR_SEEN
    const start = { size: [width, height], given, viewState, renew: () => renew(write) } as const
    if (current && (await isPutBack(current, start))) return current
    await this.end()
    await renew(write)
    return this.startAgain(...args)
  }

  /** Ends the app, if it has not ended, and starts it over what it has kept. */
  async startAgain(...args: readonly string[]): Promise<RunningApp> {
    await this.end()
    current = await launch(args, this.#firstStart)
    return current
  }

  /** Ends the app. What it has kept is there until the next test. */
  async end(): Promise<void> {
    const running = current
    current = undefined
    await running?.close()
  }

  /** Leaves the window to the next file, with nothing connected and nothing that runs; ends it where it does not answer. */
  async close(): Promise<void> {
    if (current && !(await isLeft(current))) await this.end()
  }
}

async function launch(args: readonly string[], firstStart: boolean): Promise<RunningApp> {
  const environment = { HOME: home, C64_TASK_STATE_FILE: undefined }
  const running = await launchApp({ args, environment, dataFolder, firstStart })
  endWithWorker(running.app.process())
  // What tests replace in Electron's main process.
  await running.app.evaluate(({ dialog }) => {
    Object.assign(globalThis, { dialogs: { ...dialog } })
  })
  return running
}

function endWithWorker(main: ChildProcess): void {
  main.once(
    'exit',
    atWorkerEnd(() => void main.kill('SIGKILL')),
  )
  atWorkerEnd(removeFolder)
}

/** By a process of its own, as the worker is gone by then: the bridge keeps the state of the C64 when its app has ended. */
function removeFolder(): void {
  const remove = "require('node:fs').rmSync(process.argv[1], { recursive: true, force: true })"
  const script = `setTimeout(() => ${remove}, 3000)`
  spawn(process.execPath, ['-e', script, folder], { detached: true, stdio: 'ignore' }).unref()
}

/** Puts what there was aside: what still ends may write into it. */
async function renew(write: () => Promise<void>): Promise<void> {
  await mkdir(home, { recursive: true })
  await rename(home, `${home}-before-${randomUUID()}`)
  await mkdir(dataFolder, { recursive: true, mode: 0o700 })
  await write()
}

/** A VICE that the old bridge started would outlive it. */
const disconnectOthers = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const list = await window.bridgedeck.machine.list({})
    const others = list.ok ? list.data.machines.filter(({ machine }) => machine !== 'builtin') : []
    for (const { machine } of others) await window.bridgedeck.machine.disconnect({ machine })
  })

async function isLeft({ page }: RunningApp): Promise<boolean> {
  try {
    await disconnectOthers(page)
    await page.evaluate(() => window.bridgedeck.machine.pause({ machine: 'builtin' }))
    return true
  } catch {
    return false
  }
}

interface Start {
  readonly size: readonly [number, number]
  readonly given: URLSearchParams
  readonly viewState: string | null
  readonly renew: () => Promise<void>
}

/** Not a window whose bridge or page was broken by the test before: that test has failed, and the next gets a new one. */
async function isPutBack(running: RunningApp, start: Start): Promise<boolean> {
  try {
    await putBack(running, start)
    return true
  } catch {
    return false
  }
}

async function putBack(running: RunningApp, { size, given, viewState, renew }: Start): Promise<void> {
  const { app, page } = running
  await disconnectOthers(page)
  await app.evaluate(({ BrowserWindow, dialog }, [width, height]) => {
    Object.assign(dialog, Reflect.get(globalThis, 'dialogs'))
    const [main, ...more] = BrowserWindow.getAllWindows().sort((a, b) => a.id - b.id)
    for (const window of more) window.close()
    main?.setFullScreen(false)
    main?.webContents.setZoomLevel(0)
    main?.setContentSize(width, height)
  }, size)
  const old = bridgeProcess(running)
  // It writes nothing into the new folder, and is killed by the restart.
  process.kill(old, 'SIGSTOP')
  await renew()
  await page.evaluate(async (viewState) => {
    await window.bridgedeck.window.restartBridge({})
    await window.bridgedeck.window.remember({ theme: 'system', layout: null, viewState })
  }, viewState)
  const address = new URL(page.url())
  address.search = new URLSearchParams({
    machine: 'builtin',
    ...Object.fromEntries([...given].filter(([name]) => name !== 'size')),
  }).toString()
  if (address.href === page.url()) await page.reload()
  else await page.goto(address.href)
}
