import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bridgeProcess } from './bridgeProcess'
import { launchApp, TOUR_SEEN, type RunningApp } from './launchApp'

/** What the page reads from its address. */
const inAddress = ['machine', 'view', 'theme']

/**
 * One window for the tests of a file. Each test gets it as a first start shows it: with new data, a new bridge, and the page loaded
 * again. That takes half of the processor time of a start.
 */
export class SharedApp {
  readonly #environment: NodeJS.ProcessEnv
  #running: RunningApp | undefined

  constructor(environment: NodeJS.ProcessEnv = {}) {
    this.#environment = environment
  }

  get running(): RunningApp | undefined {
    return this.#running
  }

  /** @param args `--size`, which is needed, `--machine`, `--view` and `--theme`; other ones are used up by a start */
  async open(...args: readonly string[]): Promise<RunningApp> {
    const given = new URLSearchParams(args.map((arg) => arg.slice('--'.length)).join('&'))
    const odd = [...given.keys()].find((name) => name !== 'size' && !inAddress.includes(name))
    const [width, height] = given.get('size')?.split('x').map(Number) ?? []
    if (odd !== undefined || width === undefined || height === undefined)
      throw new Error(`A shared window cannot have ${odd ?? 'its own size'}: launch an app of its own.`)
    if (this.#running) await putBack(this.#running, [width, height], given)
    else this.#running = await launch(args, this.#environment)
    return this.#running
  }

  async close(): Promise<void> {
    const running = this.#running
    this.#running = undefined
    await running?.close()
  }
}

async function launch(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<RunningApp> {
  const folder = await mkdtemp(join(tmpdir(), 'bridgedeck-shared-'))
  const running = await launchApp({ args, environment, dataFolder: join(folder, 'data') })
  // What tests replace in Electron's main process.
  await running.app.evaluate(({ dialog }) => {
    Object.assign(globalThis, { dialogs: { ...dialog } })
  })
  return {
    ...running,
    close: async () => {
      await running.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function putBack(running: RunningApp, size: [number, number], given: URLSearchParams): Promise<void> {
  const { app, page, dataFolder } = running
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
  await rename(dataFolder, `${dataFolder}-of-${old}`)
  await mkdir(dataFolder, { mode: 0o700 })
  await page.evaluate(async (viewState) => {
    await window.bridgedeck.window.restartBridge({})
    await window.bridgedeck.window.remember({ theme: 'system', layout: null, viewState })
  }, TOUR_SEEN)
  const address = new URL(page.url())
  address.search = new URLSearchParams({
    machine: 'builtin',
    ...Object.fromEntries([...given].filter(([name]) => name !== 'size')),
  }).toString()
  if (address.href === page.url()) await page.reload()
  else await page.goto(address.href)
}
