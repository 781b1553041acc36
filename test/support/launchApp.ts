import type { ChildProcess } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { _electron, type ElectronApplication, type Page } from 'playwright'
import { electronRuntime } from '../../scripts/lib/electron.mjs'
import { hasDisplay, startXvfb } from '../../scripts/lib/display.mjs'

export const projectFolder = resolve(import.meta.dirname, '../..')

export interface RunningApp {
  readonly app: ElectronApplication
  readonly page: Page
  /** Where this run keeps its settings and logs. */
  readonly dataFolder: string
  /** Ends the app and, unless the caller brought it, removes the data folder. */
  readonly close: () => Promise<void>
}

export interface LaunchOptions {
  /** As after `npm start --`. */
  readonly args?: readonly string[]
  readonly environment?: NodeJS.ProcessEnv
  /** Kept by the caller; without it each run has a fresh one. */
  readonly dataFolder?: string
  /** What Electron loads; the built app when not given. */
  readonly entry?: string
  /** The tour of the first start begins; otherwise it was seen already. */
  readonly firstStart?: boolean
}

/** Opens the app as it was built, in a real window, with a data folder of its own. Starts Xvfb where there is no display. */
export async function launchApp({
  args = [],
  environment = {},
  dataFolder,
  entry = projectFolder,
  firstStart = false,
}: LaunchOptions = {}): Promise<RunningApp> {
  const { executable, standIn } = await electronRuntime()
  const folder = dataFolder ?? (await mkdtemp(join(tmpdir(), 'bridgedeck-run-')))
  if (!firstStart) await markTourSeen(folder)
  const display = hasDisplay() ? undefined : await startXvfb()
  // Given the executable itself, Playwright would not hold the app back until it listens, and now and then miss the page.
  if (standIn) process.env.ELECTRON_OVERRIDE_DIST_PATH ??= dirname(executable)
  const app = await _electron.launch({
    args: ['--log-level=3', ...(isTest ? [WITHOUT_OPTIMIZER] : []), entry, '--', ...args],
    timeout: PAGE_WAIT_MS,
    env: strings({ ...appEnvironment(folder), ...display?.environment, ...environment }),
  })
  // Of an app that has ended, Playwright tells no process any more.
  const main = app.process()
  const close = async () => {
    const hasEnded = await endApp(app, main)
    display?.stop()
    if (dataFolder === undefined) await rm(folder, { recursive: true, force: true })
    if (!hasEnded)
      throw new Error(`The app had not ended ${CLOSE_WAIT_MS / 1000} s after it was asked to, and was killed.`)
  }
  try {
    if (isTest) await app.context().addInitScript(drawSeldom, FRAME_MS)
    const page = await app.firstWindow({ timeout: PAGE_WAIT_MS })
    page.setDefaultTimeout(PAGE_WAIT_MS)
    if (isTest) await page.evaluate(drawSeldom, FRAME_MS)
    return { app, page, dataFolder: folder, close }
  } catch (error) {
    await close()
    throw error
  }
}

export const appEnvironment = (dataFolder: string): NodeJS.ProcessEnv => ({
  ...process.env,
  // Electron takes few of Node's options, and ends at others: those that count starts in `npm test -- --report`.
  NODE_OPTIONS: undefined,
  BRIDGEDECK_DATA: dataFolder,
  BRIDGEDECK_NODE: process.execPath,
})

/** Benches measure a window as a person has it; tests look at one, and leave the processor to those beside. */
const isTest = process.env['VITEST'] !== undefined

/**
 * The page of a test lives for seconds: to optimize its code takes a quarter of the processor time, and it is gone before that pays.
 * It is then run as Sparkplug compiled it.
 */
const WITHOUT_OPTIMIZER = '--js-flags=--max-optimized-bytecode-size=0'

/** Between two frames that a page draws. */
const FRAME_MS = 200

/**
 * Without a graphics card, drawing the machine fifty times a second takes most of a core from the tests beside.
 * Runs in the page, once.
 */
function drawSeldom(frameMs: number): void {
  if ('drawsSeldom' in window) return
  Object.assign(window, { drawsSeldom: true })
  const [request, cancel] = [window.requestAnimationFrame.bind(window), window.cancelAnimationFrame.bind(window)]
  /** By the number that the page was given, as those of timers and of frames may be the same. */
  const cancels = new Map<number, () => void>()
  let last = 0
  let count = 0
  window.requestAnimationFrame = (draw) => {
    const id = ++count
    const drawNext = () => {
      const frame = request((time) => {
        cancels.delete(id)
        last = performance.now()
        draw(time)
      })
      cancels.set(id, () => cancel(frame))
    }
    const due = last + frameMs - performance.now()
    if (due > 0) {
      const timer = setTimeout(drawNext, due)
      cancels.set(id, () => clearTimeout(timer))
    } else drawNext()
    return id
  }
  window.cancelAnimationFrame = (id) => {
    cancels.get(id)?.()
    cancels.delete(id)
  }
}

/** What views keep of a window that has shown the tour, and the Debug arrangement that the first stop leads to. */
export const TOUR_SEEN = JSON.stringify({ 'tour.seen': true, 'debug.seen': true })

/** In what the window remembers, unless the caller brought that. */
async function markTourSeen(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const remembered = JSON.stringify({ viewState: TOUR_SEEN })
  await writeFile(join(folder, 'window.json'), remembered, { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  })
}

/** An app that does not end would slow down all tests that come after. */
const CLOSE_WAIT_MS = 60_000

/** Playwright's own limit is 30 s. */
const PAGE_WAIT_MS = 60_000

/** Whether it ended by itself; killed otherwise. */
async function endApp(app: ElectronApplication, main: ChildProcess): Promise<boolean> {
  const closing = app.close()
  const hasEnded = await Promise.race([closing.then(() => true), wait(CLOSE_WAIT_MS, false, { ref: false })])
  if (!hasEnded) main.kill('SIGKILL')
  await closing
  return hasEnded
}

/**
 * Waits for the first live frame of a machine that the page has drawn; a test's built-in one is read twice a second from then on.
 * Where no frame comes, says what the page is at.
 */
export async function untilLive(page: Page, machine = 'builtin'): Promise<void> {
  try {
    await page.waitForFunction((name) => document.documentElement.dataset['live'] === name, machine, {
      // Even in a page that paints nothing.
      polling: 100,
      timeout: PAGE_WAIT_MS,
    })
    if (isTest && machine === 'builtin') await sampleSeldom(page)
  } catch (error) {
    throw new Error(`No live frame of ${machine} was drawn. The page: ${JSON.stringify(await stateOf(page))}`, {
      cause: error,
    })
  }
}

/** Each frame takes six times the processor time of what the C64 does in it. */
const sampleSeldom = (page: Page) =>
  page.evaluate(async () => {
    await window.bridgedeck.machine.setSampling({ machine: 'builtin', mode: 'free', rate: 2 })
  })

/** What keeps a page from being live: it is hidden, does not paint, or its machine is not connected. */
const stateOf = (page: Page): Promise<unknown> =>
  Promise.race([
    wait(5000, 'does not answer', { ref: false }),
    page.evaluate(async () => {
      const within = (work: Promise<unknown>) =>
        Promise.race([work, new Promise((done) => setTimeout(done, 2000, 'not within 2 s'))])
      return {
        live: document.documentElement.dataset['live'] ?? null,
        visibility: document.visibilityState,
        painted: await within(new Promise(requestAnimationFrame)),
        machines: await within(window.bridgedeck.machine.list({})),
        text: document.body.innerText.slice(0, 1000),
      }
    }),
  ])

function strings(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
