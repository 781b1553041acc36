/** The views of characters and of pictures on the built-in C64, by keyboard alone where they are reached. */
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fliScene, graphicsScenes, invalidScene, stillFliScene, type GraphicsScene } from '../support/pictureModes'
import { untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { SharedApp } from '../support/sharedApp'
import { differentPixels, shownPixels, showScene } from '../support/shownPicture'
import { axeProblems, chooseMenuItem, settle } from './support'

const [romText, ownText, , extended, , multicolourBitmap] = graphicsScenes
const need = (scene: GraphicsScene | undefined): GraphicsScene => scene ?? invalidScene

describe.skipIf(lacks('electron', 'xvfb'))('graphics of the built-in C64', () => {
  const shared = new SharedApp()
  let running: RunningApp
  let page: Page
  beforeAll(async () => {
    running = await shared.open('--size=1280x800', '--view=pictures')
    page = running.page
    await untilLive(page)
  })
  afterAll(() => shared.close())
  const show = (scene: GraphicsScene) => showScene(page, 'builtin', scene)
  const pictures = () => page.locator('[data-panel="pictures"]')
  const characters = () => page.locator('[data-panel="characters"]')
  const fact = (panel: 'pictures' | 'characters', label: string) =>
    page.locator(`[data-panel="${panel}"] .fact-list > div`).filter({ has: page.locator(`dt:text-is("${label}")`) })

  it('have the sprite browser’s tools in one row', async () => {
    await chooseMenuItem(running, 'view.spriteBrowser')
    const browser = page.locator('[data-panel="spriteBrowser"]')
    await browser.getByRole('button', { name: 'Grab animation: Sprite 0' }).waitFor()
    expect((await browser.locator('.toolbar').boundingBox())?.height).toBeLessThan(40)
    await browser.getByRole('button', { name: 'More' }).click()
    await page.getByLabel('Sprite whose animation is grabbed').selectOption('Sprite 3')
    await page.keyboard.press('Escape')
    await browser.getByRole('button', { name: 'Grab animation: Sprite 3' }).click()
    await browser.getByText(/^Sprite 3: \d+ pictures?, \d+ changes?$/).waitFor()
    expect((await browser.locator('.toolbar').boundingBox())?.height).toBeLessThan(40)
    await browser.getByRole('button', { name: 'Grab animation: Sprite 3' }).click()
    await chooseMenuItem(running, 'view.pictures')
  })

  describe('the view Screens and bitmaps', () => {
    it.each(graphicsScenes)('shows $name as the machine does', async (scene) => {
      await show(scene)
      await expect.poll(() => differentPixels(page, 'builtin')).toBe(0)
    })

    it('says what an invalid mode is, and shows memory in a chosen one', async () => {
      await show(invalidScene)
      await pictures().getByText('No picture in this mode').waitFor()
      await pictures().getByLabel('Mode', { exact: true }).selectOption('text')
      await pictures().locator('.picture-frame').waitFor()
      await pictures().getByLabel('Mode', { exact: true }).selectOption('shown')
    })

    it('calls FLI likely where a program writes its registers, and never where none does', async () => {
      await show(fliScene)
      await pictures().getByText('Likely FLI').waitFor()
      await show(stillFliScene)
      await pictures().getByText('Likely FLI').waitFor({ state: 'detached' })
      await expect.poll(() => differentPixels(page, 'builtin')).toBe(0)
    })

    it('tells of a cell, shows it in memory, and keeps the picture, all by keyboard', async () => {
      await show(need(ownText))
      const frame = pictures().locator('.picture-frame')
      await frame.focus()
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowDown')
      await expect.poll(() => fact('pictures', 'Screen').textContent()).toContain('$0429')
      await expect.poll(() => fact('pictures', 'Colour RAM').textContent()).toContain('$D829')
      await page.keyboard.press('k')
      await page.getByText('Kept in the sheet: $0400.').waitFor()
      await page.keyboard.press('m')
      await page.locator('[data-panel="memory"] .memory-status', { hasText: '$0429' }).waitFor()
      await chooseMenuItem(running, 'view.pictures')
    })

    it('takes screen and characters from a typed address', async () => {
      await show(need(romText))
      const field = pictures().getByRole('textbox', { name: 'Screen' })
      await field.fill('0800')
      await field.press('Enter')
      await expect.poll(() => fact('pictures', 'Screen').textContent()).toContain('$0829')
      await field.press('ArrowDown')
      await expect.poll(() => field.inputValue()).toBe('$0400')
      await field.fill('')
      await field.press('Enter')
      await pictures().getByLabel('Characters', { exact: true }).selectOption('lower')
      await expect.poll(() => fact('pictures', 'Character').textContent()).toContain('in ROM')
      await pictures().getByLabel('Characters', { exact: true }).selectOption('shown')
    })

    it('gives the screen as text', async () => {
      await show(need(romText))
      await page.evaluate(() =>
        window.bridgedeck.memory.write({
          machine: 'builtin',
          space: 'ram',
          address: 0x0400,
          bytes: Uint8Array.of(8, 9, 0x53),
        }),
      )
      await pictures().getByRole('radio', { name: 'Text' }).click()
      await expect.poll(() => pictures().getByLabel('Text of the screen').inputValue()).toMatch(/^HI♥/)
      await pictures().getByRole('radio', { name: 'Colour RAM' }).click()
      await expect.poll(async () => new Set((await shownPixels(page)).slice(0, 8)).size).toBe(1)
      await pictures().getByRole('radio', { name: 'Picture' }).click()
    })

    it('shows a moment of a recording', async () => {
      await chooseMenuItem(running, 'view.pictures')
      const { name, pokes } = need(multicolourBitmap)
      // A recording does not tell which registers were written: the screens of the FLI picture before may not lie about.
      await show({ name, pokes: [[0x4000, new Uint8Array(0x2000)], ...pokes] })
      await expect.poll(() => differentPixels(page, 'builtin')).toBe(0)
      const before = await shownPixels(page)
      await chooseMenuItem(running, 'recorder.toggle')
      await expect
        .poll(() =>
          page.evaluate(async () => {
            const listed = await window.bridgedeck.recorder.list({})
            return listed.ok && listed.data.recordings.some(({ frames }) => frames > 5)
          }),
        )
        .toBe(true)
      await chooseMenuItem(running, 'recorder.toggle')
      await show(need(ownText))
      await expect.poll(() => differentPixels(page, 'builtin')).toBe(0)
      expect(await shownPixels(page)).not.toEqual(before)
      await chooseMenuItem(running, 'view.timeline')
      await page.getByRole('slider', { name: 'Moment of the recording' }).focus()
      await page.keyboard.press('Home')
      await page.locator('.banner.recorded').waitFor()
      await chooseMenuItem(running, 'view.pictures')
      await expect.poll(() => shownPixels(page)).toEqual(before)
      await chooseMenuItem(running, 'recorder.backToLive')
      await page.locator('.banner.recorded').waitFor({ state: 'detached' })
    })

    it('has no problem that axe finds', async () => {
      expect(await axeProblems(page)).toEqual([])
    })
  })

  describe('the view Characters', () => {
    const grid = () => characters().locator('.character-grid')

    it('shows the set that the VIC-II uses, and how often the screen does', async () => {
      await show(need(ownText))
      const blank = Uint8Array.from({ length: 1000 }, (_, cell) => (cell < 3 ? 1 : 2))
      await page.evaluate(
        (codes) =>
          window.bridgedeck.memory.write({
            machine: 'builtin',
            space: 'ram',
            address: 0x0400,
            bytes: Uint8Array.from(codes),
          }),
        [...blank],
      )
      await chooseMenuItem(running, 'view.characters')
      await grid().waitFor()
      await grid().focus()
      await page.keyboard.press('ArrowRight')
      await expect.poll(() => fact('characters', 'On screen').textContent()).toContain('3 cells')
      await expect.poll(() => fact('characters', 'Address').textContent()).toContain('$2008')
      await characters().getByText('In use: the VIC-II').waitFor()
      const canvas = '[data-panel="characters"] .character-grid canvas'
      expect((await shownPixels(page, `${canvas}:first-of-type`)).length).toBe(128 * 128)
    })

    it('follows the keyboard while the pointer rests on it', async () => {
      const box = (await grid().boundingBox()) ?? { x: 0, y: 0 }
      await page.mouse.move(box.x + 40, box.y + 40)
      await grid().locator('.character-hover').waitFor()
      await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('ArrowRight')
      // As Chromium tells of a pointer below which the page changed.
      await grid().evaluate((element) =>
        element.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, clientX: 200, clientY: 200 })),
      )
      await settle(page)
      expect(await grid().locator('.character-hover').count()).toBe(0)
      await expect.poll(() => fact('characters', 'Address').textContent()).toContain('$2008')
    })

    it('opens what is chosen in the editor, and keeps it in the sheet, by keyboard', async () => {
      await grid().focus()
      await page.keyboard.press('Shift+ArrowRight')
      await page.keyboard.press('Shift+ArrowDown')
      await characters().getByText('4 characters').waitFor()
      await page.keyboard.press('k')
      await page.getByText('Kept in the sheet: 4 characters.').waitFor()
      await page.keyboard.press('Enter')
      await page.locator('[data-panel="editor"]').waitFor()
    })

    it('refuses to edit ROM, and goes from set to set', async () => {
      await chooseMenuItem(running, 'view.characters')
      await characters().getByLabel('Set', { exact: true }).selectOption('lower')
      await expect
        .poll(() => characters().getByRole('button', { name: 'Open in editor' }).getAttribute('aria-disabled'))
        .toBe('true')
      await characters().getByLabel('Set', { exact: true }).selectOption(String(0x2000))
      await grid().focus()
      await page.keyboard.press('PageDown')
      await expect.poll(() => characters().getByRole('textbox', { name: 'Set at' }).inputValue()).toBe('$2800')
    })

    it('shows memory as a map of tiles', async () => {
      await show(need(extended))
      await characters().getByLabel('Set', { exact: true }).selectOption('null')
      await characters().getByRole('radio', { name: 'Map' }).click()
      await characters().getByLabel('wide').fill('2')
      await characters().getByLabel('wide').press('Enter')
      await characters().getByLabel('high').fill('2')
      await characters().getByLabel('high').press('Enter')
      const map = characters().locator('.map-space')
      await map.focus()
      await page.keyboard.press('ArrowDown')
      await expect.poll(() => fact('characters', 'Address').textContent()).toContain('$0428')
      const inTile = () => fact('characters', 'Characters').locator('span').textContent()
      await expect.poll(async () => (await inTile())?.split(' ').length).toBe(4)
      for (let row = 0; row < 30; row++) await page.keyboard.press('ArrowDown')
      await expect.poll(() => map.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0)
      expect(await axeProblems(page)).toEqual([])
      await characters().getByRole('radio', { name: 'Set' }).click()
    })
  })
})
