/** What the view Screens and bitmaps shows of a real VICE, held against VICE's own picture. */
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { graphicsScenes } from '../support/pictureModes'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { differentPixels, showScene } from '../support/shownPicture'
import { startVice, type RunningVice } from '../vice/support'

describe.skipIf(lacks('electron', 'vice', 'xvfb'))('pictures of VICE', () => {
  let vice: RunningVice
  let running: RunningApp
  let page: Page
  let machine: string
  beforeAll(async () => {
    vice = await startVice()
    machine = `vice:${vice.port}`
    running = await launchApp({ args: ['--size=1280x800', `--machine=${machine}`, '--view=pictures'] })
    page = running.page
    await untilLive(page, machine)
    await page.evaluate((machine) => window.bridgedeck.machine.setSampling({ machine, mode: 'free', rate: 5 }), machine)
  })
  afterAll(async () => {
    await running.close()
    await vice.stop()
  })

  it.each(graphicsScenes)('show $name as VICE does', async (scene) => {
    await showScene(page, machine, scene)
    await expect.poll(() => differentPixels(page, machine)).toBe(0)
  })
})
