import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bridgeProcess } from './bridgeProcess'
import { launchApp, TOUR_SEEN, type RunningApp } from './launchApp'

/** What the page reads from its address. */
const inAddress = ['machine', 'view', 'theme']

export interface SharedAppOptions {
  /** HOME of the app is the folder around its data, which is new for each test. */
  readonly ownHome?: boolean
  /** Each test begins with the tour. */
  readonly firstStart?: boolean
}

/**
 * One window for the tests of a file. Each test gets it as a first start shows it: with new data, a new bridge, and the page loaded
 * again. That takes half of the processor time of a start.
 */
export class SharedApp {
  readonly #folder = join(tmpdir(), `bridgedeck-shared-${randomUUID()}`)
  readonly home = join(this.#folder, 'home')
  readonly dataFolder = join(this.home, 'data')
  readonly #environment: NodeJS.ProcessEnv
  readonly #firstStart: boolean
  #running: RunningApp | undefined

  constructor(environment: NodeJS.ProcessEnv = {}, { ownHome = false, firstStart = false }: SharedAppOptions = {}) {
    this.#environment = ownHome ? { ...environment, HOME: this.home } : environment
    this.#firstStart = firstStart
  }

  get running(): RunningApp | undefined {
    return this.#running
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
    if (this.#running) {
      const viewState = this.#firstStart ? null : TOUR_SEEN
      await putBack(this.#running, { size: [width, height], given, viewState, renew: () => this.#renew(write) })
      return this.#running
    }
    await this.#renew(write)
    return this.startAgain(...args)
  }

  /** Ends the app, if it has not ended, and starts it over what it has kept. */
  async startAgain(...args: readonly string[]): Promise<RunningApp> {
    await this.end()
    this.#running = await launch(args, this.#environment, this.dataFolder, this.#firstStart)
    return this.#running
  }

  /** Ends the app. What it has kept is there until the next test. */
  async end(): Promise<void> {
    const running = this.#running
    this.#running = undefined
    await running?.close()
  }

  async close(): Promise<void> {
    await this.end()
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }

  /** Puts what there was aside: what still ends may write into it. */
  async #renew(write: () => Promise<void>): Promise<void> {
    await mkdir(this.home, { recursive: true })
    await rename(this.home, `${this.home}-before-${randomUUID()}`)
    await mkdir(this.dataFolder, { recursive: true, mode: 0o700 })
    await write()
  }
}

async function launch(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  dataFolder: string,
  firstStart: boolean,
): Promise<RunningApp> {
  const running = await launchApp({ args, environment, dataFolder, firstStart })
  // What tests replace in Electron's main process.
  await running.app.evaluate(({ dialog }) => {
    Object.assign(globalThis, { dialogs: { ...dialog } })
  })
  return running
}

interface Start {
  readonly size: [number, number]
  readonly given: URLSearchParams
  readonly viewState: string | null
  readonly renew: () => Promise<void>
}

async function putBack(running: RunningApp, { size, given, viewState, renew }: Start): Promise<void> {
  const { app, page } = running
  await page.evaluate(async () => {
    const list = await window.bridgedeck.machine.list({})
    const others = list.ok ? list.data.machines.filter(({ machine }) => machine !== 'builtin') : []
    // A VICE that the old bridge started would outlive it.
    for (const { machine } of others) await window.bridgedeck.machine.disconnect({ machine })
  })
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
