import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright'
import { expect, vi } from 'vitest'
import type {} from '@shared/contract/pageApi'
import type { BridgeState } from '@shared/contract/window'
import { launchApp, type LaunchOptions, type RunningApp } from '../support/launchApp'

export { bridgeProcess } from '../support/bridgeProcess'

declare global {
  interface Window {
    /** What the tests below collect in the page. */
    collected: unknown[]
  }
}

/** The app over the small bridge of the tests, as a utility process: the product's path, with no machine in it. */
export function launchWithEchoBridge({ environment, ...options }: LaunchOptions = {}): Promise<RunningApp> {
  return launchApp({ ...options, environment: { ...environment, BRIDGEDECK_TEST_BRIDGE: resolve('test/fixtures/echoBridge.cjs') } })
}

/** What the page is told of the bridge, from now on. */
export async function collectBridgeStates(page: Page): Promise<() => Promise<BridgeState['state'][]>> {
  await page.evaluate(() => {
    window.collected = []
    window.bridgedeck.onEvent('bridge.state', ({ state }) => window.collected.push(state))
  })
  return async () => (await page.evaluate(() => window.collected)) as BridgeState['state'][]
}

export async function bridgeState(page: Page): Promise<BridgeState> {
  const result = await page.evaluate(() => window.bridgedeck.window.info({}))
  if (!result.ok) throw new Error(result.error.message)
  return result.data.bridge
}

export async function untilBridge(page: Page, state: BridgeState['state']): Promise<void> {
  await vi.waitFor(async () => expect((await bridgeState(page)).state).toBe(state), { timeout: 20_000, interval: 20 })
}

/** The epoch of the first frame on a new frame port. */
export function firstEpoch(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((done, reject) => {
        const nonce = crypto.randomUUID()
        window.addEventListener('message', ({ data, source, ports: [port] }) => {
          if (data !== nonce || source !== window || !port) return
          port.onmessage = ({ data: delivery }: MessageEvent<{ frame: { epoch: number } }>) => done(delivery.frame.epoch)
          port.postMessage({ kind: 'subscribe', machine: 'builtin', spaces: ['ram'], picture: false })
        })
        window.bridgedeck.connectPort('frames', nonce).then((result) => {
          if (!result.ok) reject(new Error(result.error.message))
        }, reject)
      }),
  )
}

export const readLog = (dataFolder: string, name: string): string => readFileSync(join(dataFolder, 'logs', name), 'utf8')

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
export const settle = (page: Page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))

/** Presses a key where Chromium gets it from the system, so that the menu's accelerators work too. */
export async function pressNative({ app, page }: RunningApp, keyCode: string, ...modifiers: ('shift' | 'control' | 'alt')[]): Promise<void> {
  await app.evaluate(
    ({ BrowserWindow }, key) => {
      for (const type of ['keyDown', 'keyUp'] as const) BrowserWindow.getAllWindows()[0]?.webContents.sendInputEvent({ type, ...key })
    },
    { keyCode, modifiers },
  )
  await settle(page)
}
