import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Locator, Page } from 'playwright'
import { afterAll, beforeEach, expect, vi } from 'vitest'
import type {} from '@shared/contract/pageApi'
import type { BridgeState } from '@shared/contract/window'
import { SharedApp } from '../support/sharedApp'
import { launchApp, untilLive, type LaunchOptions, type RunningApp } from '../support/launchApp'

export { bridgeProcess } from '../support/bridgeProcess'

declare global {
  interface Window {
    axe: { run(within: string, options: RunOptions): Promise<AxeResults> }
    /** What the tests below collect in the page. */
    collected: unknown[]
    textWasSeen: boolean
  }
}

/** The app over the small bridge of the tests, as a utility process: the product's path, with no machine in it. */
export function launchWithEchoBridge({ environment, ...options }: LaunchOptions = {}): Promise<RunningApp> {
  return launchApp({
    ...options,
    environment: { ...environment, BRIDGEDECK_TEST_BRIDGE: resolve('test/fixtures/echoBridge.cjs') },
  })
}

/** Before each test the window is as a first start shows it, and live. */
export function openForEach(args: readonly string[], onLive: (running: RunningApp) => void): void {
  const shared = new SharedApp()
  beforeEach(async () => {
    const running = await shared.open(...args)
    await untilLive(running.page)
    onLive(running)
  })
  afterAll(() => shared.close())
}

/** What the page is told of the bridge, from now on. */
export async function collectBridgeStates(page: Page): Promise<() => Promise<BridgeState['state'][]>> {
  await page.evaluate(() => {
    window.collected = []
    window.bridgedeck.onEvent('bridge.state', ({ state }) => window.collected.push(state))
  })
  return async () => (await page.evaluate(() => window.collected)) as BridgeState['state'][]
}

/** @returns waits until a text has been in the page at any time since, however short */
export async function watchForText(page: Page, text: string): Promise<() => Promise<unknown>> {
  await page.evaluate((text) => {
    window.textWasSeen = false
    const look = () => (window.textWasSeen ||= document.body.textContent.includes(text))
    new MutationObserver(look).observe(document.body, { childList: true, characterData: true, subtree: true })
    look()
  }, text)
  return () => page.waitForFunction(() => window.textWasSeen)
}

export async function bridgeState(page: Page): Promise<BridgeState> {
  const result = await page.evaluate(() => window.bridgedeck.window.info({}))
  if (!result.ok) throw new Error(result.error.message)
  return result.data.bridge
}

/** What the app keeps of the window over a restart. */
export async function rememberedState(page: Page): Promise<string> {
  const result = await page.evaluate(() => window.bridgedeck.window.info({}))
  return result.ok ? `${result.data.window.layout} ${result.data.window.viewState}` : ''
}

export async function untilBridge(page: Page, state: BridgeState['state']): Promise<void> {
  await vi.waitFor(async () => expect((await bridgeState(page)).state).toBe(state), { timeout: 60_000, interval: 20 })
}

/** The epoch of the first frame on a new frame port. */
export function firstEpoch(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((done, reject) => {
        const nonce = crypto.randomUUID()
        window.addEventListener('message', ({ data, source, ports: [port] }) => {
          if (data !== nonce || source !== window || !port) return
          port.onmessage = ({ data: delivery }: MessageEvent<{ frame: { epoch: number } }>) =>
            done(delivery.frame.epoch)
          port.postMessage({ kind: 'subscribe', machine: 'builtin', spaces: ['ram'], picture: false })
        })
        window.bridgedeck.connectPort('frames', nonce).then((result) => {
          if (!result.ok) reject(new Error(result.error.message))
        }, reject)
      }),
  )
}

export const readLog = (dataFolder: string, name: string): string =>
  readFileSync(join(dataFolder, 'logs', name), 'utf8')

/** Reads the built-in C64 in each of its frames: for what follows it closely, or needs many frames. */
export async function sampleEachFrame(page: Page): Promise<void> {
  await page.evaluate(() => window.bridgedeck.machine.setSampling({ machine: 'builtin', mode: 'free', rate: 60 }))
}

/** Stops the built-in C64, which takes a third of a core from the tests beside. For what does not look at the machine. */
export async function stopC64(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await window.bridgedeck.machine.setSampling({ machine: 'builtin', mode: 'off', rate: 50 })
    await window.bridgedeck.machine.pause({ machine: 'builtin' })
  })
}

/** Chooses an item of the native menu. */
export function chooseMenuItem({ app }: RunningApp, id: string): Promise<void> {
  return app.evaluate(({ Menu }, wanted) => {
    const item = Menu.getApplicationMenu()?.getMenuItemById(wanted)
    if (!item) throw new Error(`the menu has no ${wanted}`)
    const choose = item.click as () => void
    choose()
  }, id)
}

/** Waits for one paint, so that a click's effects stand in the document. */
export const settle = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))

/** Presses a key where Chromium gets it from the system, so that the menu's accelerators work too. */
export async function pressNative(
  { app, page }: RunningApp,
  keyCode: string,
  ...modifiers: ('shift' | 'control' | 'alt')[]
): Promise<void> {
  await app.evaluate(
    ({ BrowserWindow }, key) => {
      for (const type of ['keyDown', 'keyUp'] as const)
        BrowserWindow.getAllWindows()[0]?.webContents.sendInputEvent({ type, ...key })
    },
    { keyCode, modifiers },
  )
  await settle(page)
}

/** The next file dialogs answer with this path instead of a person; `undefined` is a cancel. */
export const answerFileDialogs = ({ app }: RunningApp, path: string | undefined) =>
  app.evaluate(({ dialog }, answer) => {
    dialog.showOpenDialog = () =>
      Promise.resolve({ canceled: answer === undefined, filePaths: answer === undefined ? [] : [answer] })
    dialog.showSaveDialog = () => Promise.resolve({ canceled: answer === undefined, filePath: answer ?? '' })
  }, path)

/** What a native dialog says. */
export interface Question {
  readonly message: string
  readonly detail: string
  readonly buttons: readonly string[]
  readonly defaultId: number
  readonly cancelId: number
}

/** The next native questions are answered by the button of this number. The function gives those that were asked, the first one first. */
export async function answerQuestions({ app }: RunningApp, button: number): Promise<() => Promise<Question[]>> {
  await app.evaluate(({ dialog }, response) => {
    const asked: unknown[] = []
    Object.assign(globalThis, { asked })
    dialog.showMessageBox = (...args: unknown[]) => {
      asked.push(args.at(-1))
      return Promise.resolve({ response, checkboxChecked: false })
    }
  }, button)
  return () => app.evaluate(() => Reflect.get(globalThis, 'asked') as Question[])
}

/** Again until it was taken: a drag over a window that is not painted yet is neither delivered nor answered. */
export async function dropUntil(page: Page, files: readonly string[], seen: Locator): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: [...files], dragOperationsMask: 1 }
  const drop = async () => {
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      session.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data }).catch(() => undefined)
    await seen.first().waitFor({ timeout: 1_000 })
    return true
  }
  await expect.poll(() => drop().catch(() => false), { timeout: 60_000, interval: 1_000 }).toBe(true)
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds fault with in the page, or in the part of it that a selector names: each rule with its element. */
export async function axeProblems(page: Page, within = 'html'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  return page.evaluate(async (selector) => {
    const machine = 'builtin'
    const list = await window.bridgedeck.machine.list({})
    const sampling = list.ok ? list.data.machines.find((state) => state.machine === machine)?.sampling : undefined
    // Frames that are drawn meanwhile make it three times as long.
    const sample = (mode: 'off' | 'free' | 'lockStep') =>
      sampling && window.bridgedeck.machine.setSampling({ machine, mode, rate: sampling.rate })
    await sample('off')
    // What passes is not collected: for each of its elements axe would make a selector, and Playwright carry it over.
    const { violations } = await window.axe.run(selector, { resultTypes: ['violations'] })
    await sample(sampling?.mode ?? 'off')
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  }, within)
}

/** Collects from now on, also after a reload, what the page does against its content security policy. */
export async function collectPolicyViolations(page: Page): Promise<() => Promise<string[]>> {
  const collect = () => {
    const found: string[] = []
    Object.assign(globalThis, { policyViolations: found })
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) =>
      found.push(`${effectiveDirective} ${blockedURI} ${sourceFile}`),
    )
  }
  await page.addInitScript(collect)
  await page.evaluate(collect)
  return () => page.evaluate(() => Reflect.get(globalThis, 'policyViolations') as string[])
}
