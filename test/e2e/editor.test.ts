/** The editor on the built-in C64: what is drawn is in its memory, and undo takes it back to the byte. */
import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Space } from '@shared/contract/memory'
import type { RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { axeProblems, chooseMenuItem, openForEach, settle } from './support'

let running: RunningApp
let page: Page

openForEach(['--size=1280x800', '--view=editor'], (launched) => {
  running = launched
  page = launched.page
})

const view = () => page.locator('[data-panel="editor"]')
const stage = () => view().getByRole('application')
const status = () => view().locator('.editor-status')
const button = (name: string) => view().getByRole('button', { name, exact: true })

async function write(space: Space, address: number, ...bytes: number[]): Promise<void> {
  const result = await page.evaluate(
    ([space, address, bytes]) =>
      window.bridgedeck.memory.write({ machine: 'builtin', space, address, bytes: Uint8Array.from(bytes) }),
    [space, address, bytes] as const,
  )
  expect(result).toMatchObject({ ok: true })
}

async function read(space: Space, address: number, length: number): Promise<number[]> {
  const result = await page.evaluate(
    ([space, address, length]) => window.bridgedeck.memory.read({ machine: 'builtin', space, address, length }),
    [space, address, length] as const,
  )
  return result.ok ? [...result.data.bytes] : []
}

const READY = [18, 5, 1, 4, 25, 46]

/** Away from the demo of the first start, which draws on the screen by itself. */
beforeEach(async () => {
  const reset = await page.evaluate(() => window.bridgedeck.machine.reset({ machine: 'builtin', kind: 'soft' }))
  expect(reset.ok).toBe(true)
  await expect.poll(async () => (await read('ram', 0x0400, 1000)).join()).toContain(READY.join())
})

const fixture = Array.from({ length: 63 }, (_, at) => (at * 37) & 0xff)

/** Sprite 0 has its data at $2000, in white. A window that shows it there has all else of it. */
async function showSprite(bytes: readonly number[]): Promise<void> {
  await write('ram', 0x2000, ...bytes)
  await write('io', 0xd027, 1)
  await write('io', 0xd01c, 0)
  await write('io', 0xd015, 1)
  await write('ram', 0x07f8, 0x80)
}

async function openSprite(): Promise<void> {
  await expect.poll(() => read('ram', 0x07f8, 1)).toEqual([0x80])
  await expect
    .poll(async () => {
      await chooseMenuItem(running, 'editor.openSprite')
      return view().getByRole('heading', { name: 'Sprite $2000' }).count()
    })
    .toBe(1)
  await expect.poll(() => status().textContent()).toContain('$2000')
}

/** Faster than the window draws. */
const typeAtOnce = (...keys: readonly { readonly key: string; readonly ctrlKey?: boolean }[]) =>
  stage().evaluate((element, keys) => {
    for (const key of keys) element.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, ...key }))
  }, keys)

/** Where a point of the picture is, of so many across, once nothing around it moves. */
async function spotOf(x: number, y: number, across: number) {
  const pixels = view().locator('.editor-pixels')
  await pixels.hover({ trial: true })
  const box = await pixels.boundingBox()
  if (!box) throw new Error('The pixels are not in the page.')
  const size = box.width / across
  return { x: box.x + (x + 0.5) * size, y: box.y + (y + 0.5) * size }
}

async function drawTo(from: readonly [number, number], to: readonly [number, number], across = 24): Promise<void> {
  const [start, end] = [await spotOf(...from, across), await spotOf(...to, across)]
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move(end.x, end.y, { steps: 8 })
  await page.mouse.up()
}

describe.skipIf(lacks('electron', 'xvfb'))('a sprite in the editor', () => {
  it('is drawn on by mouse, changes in the machine and its picture, and comes back to the byte', async () => {
    await showSprite(fixture)
    await openSprite()
    await drawTo([0, 0], [23, 0])
    await expect.poll(() => read('ram', 0x2000, 3)).toEqual([0xff, 0xff, 0xff])
    expect(await read('ram', 0x2003, 60)).toEqual(fixture.slice(3))
    const shown = () =>
      view()
        .locator('.editor-pixels')
        .evaluate((canvas: HTMLCanvasElement) => {
          const { data } = canvas.getContext('2d')?.getImageData(0, 0, 24, 1) ?? { data: [] }
          return Array.from(data).filter((_, at) => at % 4 === 3 && data[at] === 255).length
        })
    await expect.poll(shown).toBe(24)
    await button('Undo').click()
    await expect.poll(() => read('ram', 0x2000, 63)).toEqual(fixture)
    await button('Redo').click()
    await expect.poll(() => read('ram', 0x2000, 3)).toEqual([0xff, 0xff, 0xff])
    expect(await axeProblems(page, '[data-panel="editor"]')).toEqual([])
  })

  it('is drawn on by keyboard alone, with tools by their keys', async () => {
    await showSprite(Array<number>(63).fill(0))
    await openSprite()
    await stage().focus()
    await page.keyboard.press('Space')
    await expect.poll(() => read('ram', 0x2000, 1)).toEqual([0x80])
    await page.keyboard.press('l')
    await page.keyboard.press('Space')
    for (let step = 0; step < 7; step++) await page.keyboard.press('ArrowRight')
    await expect.poll(() => read('ram', 0x2000, 1)).toEqual([0xff])
    await page.keyboard.press('Space')
    await page.keyboard.press('i')
    await expect.poll(() => read('ram', 0x2000, 4)).toEqual([0x00, 0xff, 0xff, 0xff])
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    await expect.poll(() => read('ram', 0x2000, 4)).toEqual([0x80, 0, 0, 0])
    await page.keyboard.press('Shift+ArrowLeft')
    await expect.poll(() => status().textContent()).toContain('selected 2 × 1')
    await page.keyboard.press('Escape')
    await expect.poll(() => status().textContent()).not.toContain('selected')
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(() => read('ram', 0x2000, 4)).toEqual([0, 0, 0, 0x80])
  })

  it('stays open with the line under way when it is opened again', async () => {
    await showSprite(Array<number>(63).fill(0))
    await openSprite()
    await stage().focus()
    await page.keyboard.press('l')
    await page.keyboard.press('Space')
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowRight')
    await expect.poll(() => read('ram', 0x2000, 1)).toEqual([0xf0])
    await chooseMenuItem(running, 'editor.openSprite')
    await settle(page)
    for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowRight')
    await expect.poll(() => read('ram', 0x2000, 1)).toEqual([0xff])
  })

  it('fills, and takes what was copied to another sprite', async () => {
    await showSprite(Array<number>(63).fill(0))
    await write('ram', 0x2040, ...Array<number>(63).fill(0))
    await openSprite()
    await stage().focus()
    await typeAtOnce({ key: 'f' }, { key: ' ' }, { key: 'c', ctrlKey: true })
    await expect.poll(() => read('ram', 0x2000, 63)).toEqual(Array<number>(63).fill(0xff))
    await write('ram', 0x07f8, 0x81)
    await expect
      .poll(async () => {
        await chooseMenuItem(running, 'editor.openSprite')
        return view().getByRole('heading', { name: 'Sprite $2040' }).count()
      })
      .toBe(1)
    await expect.poll(() => status().textContent()).toContain('$2040')
    await stage().focus()
    await page.keyboard.press('Control+v')
    await expect.poll(() => read('ram', 0x2040, 63)).toEqual(Array<number>(63).fill(0xff))
    await page.keyboard.press('Control+z')
    await expect.poll(() => read('ram', 0x2040, 63)).toEqual(Array<number>(63).fill(0))
  })

  it('shows what the program writes, and says where undo goes over it', async () => {
    await showSprite(Array<number>(63).fill(0))
    await openSprite()
    await stage().focus()
    await page.keyboard.press('Space')
    await expect.poll(() => read('ram', 0x2000, 1)).toEqual([0x80])
    await write('ram', 0x2000, 0x0f)
    await expect.poll(() => status().textContent()).toContain('$2000 = $0F')
    const told = page.getByText('The program had changed 1 of these bytes since.').first().waitFor()
    await page.keyboard.press('Control+z')
    await expect.poll(() => read('ram', 0x2000, 1)).toEqual([0])
    await told
  })

  it('changes a shared colour in its register, and its mode', async () => {
    await showSprite(fixture)
    await openSprite()
    await expect.poll(() => button('Multicolour').getAttribute('aria-pressed')).toBe('false')
    await button('Multicolour').click()
    await expect.poll(async () => ((await read('io', 0xd01c, 1))[0] ?? 0) & 1).toBe(1)
    const told = page.getByText('$D025 is cyan now, for all sprites.').first().waitFor()
    await view().getByRole('group', { name: 'Colour of 01' }).getByRole('button', { name: 'cyan', exact: true }).click()
    await expect.poll(async () => ((await read('io', 0xd025, 1))[0] ?? 0) & 0x0f).toBe(3)
    await told
    await button('Undo').click()
    await expect.poll(async () => ((await read('io', 0xd025, 1))[0] ?? 0) & 0x0f).not.toBe(3)
    await stage().focus()
    await page.keyboard.press('3')
    await page.keyboard.press('Space')
    await expect.poll(async () => ((await read('ram', 0x2000, 1))[0] ?? 0) >> 6).toBe(3)
  })
})

describe.skipIf(lacks('electron', 'xvfb'))('a recorded moment in the editor', () => {
  it('is refused with the reason, and goes to the sheet, where its sprites are edited and undone', async () => {
    await showSprite(fixture)
    await openSprite()
    await chooseMenuItem(running, 'recorder.toggle')
    const frames = () =>
      page.evaluate(async () => {
        const list = await window.bridgedeck.recorder.list({})
        return list.ok ? (list.data.recordings[0]?.frames ?? 0) : 0
      })
    await expect.poll(frames).toBeGreaterThan(2)
    await chooseMenuItem(running, 'recorder.toggle')
    await page.getByRole('button', { name: 'Record', exact: true }).first().waitFor()
    await chooseMenuItem(running, 'view.timeline')
    await page.getByRole('slider', { name: 'Moment of the recording' }).focus()
    await page.keyboard.press('Home')
    await page.locator('.banner.recorded').waitFor()
    await chooseMenuItem(running, 'view.editor')
    await view().getByText('The views show a recorded moment').waitFor()
    await expect.poll(() => status().textContent()).toContain('$2000')
    await stage().focus()
    await page.keyboard.press('Space')
    await page
      .getByText(/recorded moment, which cannot be changed/)
      .last()
      .waitFor()
    await button('To the sheet').click()
    await view().getByRole('heading', { name: 'Sprite 1 of the sheet' }).waitFor()
    await expect.poll(() => status().textContent()).toContain('byte 0 = $00')
    await stage().focus()
    await page.keyboard.press('Space')
    await expect.poll(() => status().textContent()).toContain('byte 0 = $80')
    await page.keyboard.press('Control+z')
    await expect.poll(() => status().textContent()).toContain('byte 0 = $00')
    expect(await read('ram', 0x2000, 63)).toEqual(fixture)
  })
})

describe.skipIf(lacks('electron', 'xvfb'))('sprites from the browser in the editor', () => {
  it('are two that lie over each other, each drawn on by itself', async () => {
    await showSprite(fixture)
    await write('ram', 0x2040, ...Array<number>(63).fill(0))
    await chooseMenuItem(running, 'view.spriteBrowser')
    const browser = page.locator('[data-panel="spriteBrowser"]')
    await browser.getByRole('button', { name: /^More/ }).click()
    await page.getByRole('checkbox', { name: 'Pairs lie over each other' }).check()
    await page.keyboard.press('Escape')
    await browser.getByRole('listbox').focus()
    await page.keyboard.press('Control+Home')
    const found = () => browser.locator('.sprite-browser-status').textContent()
    for (let cell = 0; cell < 64 && !(await found())?.includes('$2000'); cell++) await page.keyboard.press('ArrowRight')
    await expect.poll(found).toContain('$2000')
    await page.keyboard.press('Enter')
    await view().getByRole('heading', { name: 'Sprite $2000 and 1 more' }).waitFor()
    await view().getByRole('radio', { name: 'Overlay' }).click()
    await expect.poll(() => status().textContent()).toContain('$2040 = $00')
    await stage().focus()
    await page.keyboard.press('Space')
    await expect.poll(() => read('ram', 0x2040, 1)).toEqual([0x80])
    expect(await read('ram', 0x2000, 63)).toEqual(fixture)
    await page.keyboard.press('Control+z')
    await expect.poll(() => read('ram', 0x2040, 63)).toEqual(Array<number>(63).fill(0))
    await view().getByRole('radio', { name: 'Lower sprite' }).click()
    await stage().focus()
    await typeAtOnce({ key: 'i' })
    await expect.poll(() => read('ram', 0x2000, 1)).toEqual([0xff])
    await page.keyboard.press('Control+z')
    await expect.poll(() => read('ram', 0x2000, 63)).toEqual(fixture)
  })
})

describe.skipIf(lacks('electron', 'xvfb'))('characters in the editor', () => {
  it('are drawn on over several of them, and come back to the byte', async () => {
    const before = Array.from({ length: 2048 }, (_, at) => (at * 7) & 0xff)
    await write('ram', 0x3000, ...before)
    await write('io', 0xd018, 0x1c)
    await chooseMenuItem(running, 'view.characters')
    const grid = page.locator('[data-panel="characters"] .character-grid')
    await expect
      .poll(() => page.locator('[data-panel="characters"]').getByLabel('Set', { exact: true }).innerText())
      .toContain('$3000 – in use')
    await grid.focus()
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Enter')
    await view().getByRole('heading', { name: 'Character 0 at $3000' }).waitFor()
    await expect.poll(() => status().textContent()).toContain('$3000')
    await drawTo([0, 0], [15, 0], 16)
    await expect
      .poll(async () => [await read('ram', 0x3000, 1), await read('ram', 0x3008, 1)])
      .toEqual([[0xff], [0xff]])
    await button('Undo').click()
    await expect.poll(() => read('ram', 0x3000, 2048)).toEqual(before)
  })
})

describe.skipIf(lacks('electron', 'xvfb'))('the screen in the editor', () => {
  it('takes reversed characters, and those of extended colour text on their background', async () => {
    await chooseMenuItem(running, 'editor.openScreen')
    await expect.poll(() => status().textContent()).toContain('$0400')
    const before = await read('ram', 0x0400, 40)
    await stage().focus()
    await page.keyboard.press('n')
    await expect.poll(() => button('Reversed').getAttribute('aria-pressed')).toBe('true')
    await page.keyboard.press('Space')
    await expect.poll(() => read('ram', 0x0400, 1)).toEqual([0xd1])
    await page.keyboard.press('t')
    await page.keyboard.press('a')
    await expect.poll(() => read('ram', 0x0400, 1)).toEqual([0x81])
    await page.keyboard.press('Escape')
    await write('io', 0xd011, 0x5b)
    await button('On background 3').waitFor()
    await button('On background 3').click()
    await button('On background 0').click()
    await button('On background 1').waitFor()
    await stage().focus()
    await page.keyboard.press('Space')
    await expect.poll(() => read('ram', 0x0401, 1)).toEqual([0x51])
    for (let step = 0; step < 3; step++) await page.keyboard.press('Control+z')
    await expect.poll(() => read('ram', 0x0400, 40)).toEqual(before)
  })

  it('takes a character with its colour, text as it is typed, and undo', async () => {
    await chooseMenuItem(running, 'editor.openScreen')
    await expect.poll(() => status().textContent()).toContain('$0400')
    const before = await read('ram', 0x0400, 40)
    const colour = view().getByRole('group', { name: 'Colour to draw with' })
    await colour.getByRole('button', { name: 'yellow', exact: true }).click()
    await drawTo([3, 0], [5, 0], 40)
    await expect.poll(() => read('ram', 0x0403, 3)).toEqual([0x51, 0x51, 0x51])
    expect((await read('colorRam', 0xd803, 3)).map((value) => value & 0x0f)).toEqual([7, 7, 7])
    await stage().focus()
    await page.keyboard.press('t')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('hi')
    await expect.poll(() => read('ram', 0x0404, 2)).not.toEqual([0x51, 0x51])
    await page.keyboard.press('Escape')
    for (let step = 0; step < 3; step++) await page.keyboard.press('Control+z')
    await expect.poll(() => read('ram', 0x0400, 40)).toEqual(before)
    expect(await axeProblems(page, '[data-panel="editor"]')).toEqual([])
  })

  it('takes up what is on the screen with Alt and a click', async () => {
    await chooseMenuItem(running, 'editor.openScreen')
    await expect.poll(() => status().textContent()).toContain('$0400')
    await write('ram', 0x0400 + 41, 0x2a)
    const at = await spotOf(1, 1, 40)
    await page.mouse.move(at.x, at.y)
    await expect.poll(() => status().textContent()).toContain('character $2A')
    await page.keyboard.down('Alt')
    await page.mouse.click(at.x, at.y)
    await page.keyboard.up('Alt')
    await expect
      .poll(() => view().getByRole('slider', { name: 'Character to draw' }).getAttribute('aria-valuenow'))
      .toBe(String(0x2a))
  })
})

describe.skipIf(lacks('electron', 'xvfb'))('the bitmap in the editor', () => {
  it('takes a colour that the cell has not, and shows its limit', async () => {
    await write('ram', 0x2000, ...Array<number>(8000).fill(0))
    await write('ram', 0x0400, ...Array<number>(1000).fill(0x10))
    await write('io', 0xd018, 0x18)
    await write('io', 0xd011, 0x3b)
    await chooseMenuItem(running, 'editor.openBitmap')
    await expect.poll(() => status().textContent()).toContain('cell: 1 of 2 colours')
    await stage().focus()
    await page.keyboard.press('3')
    await page.keyboard.press('Space')
    await expect.poll(() => read('ram', 0x2000, 1)).toEqual([0x80])
    expect(await read('ram', 0x0400, 1)).toEqual([0x20])
    await expect.poll(() => status().textContent()).toContain('cell: 2 of 2 colours')
    await page.keyboard.press('Control+z')
    await expect.poll(() => read('ram', 0x0400, 1)).toEqual([0x10])
    expect(await read('ram', 0x2000, 1)).toEqual([0])
  })
})
