/** What the view Screens and bitmaps shows of a real VICE, held against VICE's own picture. */
import type { Page } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { graphicsScenes } from '../support/pictureModes'
import { lacks } from '../support/parts'
import { differentPixels, showScene } from '../support/shownPicture'
import { launchOnVice } from './viceWindow'

describe.skipIf(lacks('electron', 'vice', 'xvfb'))('pictures of VICE', () => {
  let page: Page
  let machine: string
  launchOnVice('pictures', (launched) => {
    ;({ page, machine } = launched)
  })
  beforeAll(() =>
    page.evaluate((machine) => window.bridgedeck.machine.setSampling({ machine, mode: 'free', rate: 5 }), machine),
  )

  it.each(graphicsScenes)('show $name as VICE does', async (scene) => {
    await showScene(page, machine, scene)
    await expect.poll(() => differentPixels(page, machine)).toBe(0)
  })
})
