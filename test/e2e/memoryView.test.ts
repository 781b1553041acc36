/** The memory, registers and sprites views and their docking, on the built-in C64: what a person reads there and can do. */
import type { Locator, Page } from 'playwright'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { Space } from '@shared/contract/memory'
import { startUltimate, type UltimatePeer } from '../peers/ultimateProcess'
import { untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { SharedApp } from '../support/sharedApp'
import { axeProblems, chooseMenuItem, rememberedState, settle } from './support'

const shared = new SharedApp()
afterAll(() => shared.close())

let running: RunningApp
let page: Page
let ultimate: UltimatePeer | undefined

afterEach(async () => {
  await ultimate?.stop()
  ultimate = undefined
})

const machineOf = (args: readonly string[]) =>
  args.find((arg) => arg.startsWith('--machine='))?.slice('--machine='.length) ?? 'builtin'

async function open(...args: string[]): Promise<void> {
  const size = args.some((arg) => arg.startsWith('--size=')) ? [] : ['--size=1280x800']
  running = await shared.open(...size, ...args)
  page = running.page
  await untilLive(page, machineOf(args))
}

/** With what it has kept. */
async function startAgain(): Promise<void> {
  running = await shared.startAgain('--size=1280x800')
  page = running.page
  await untilLive(page)
}

const panel = (name: string) => page.locator(`[data-panel="${name}"]`)
const memory = () => panel('memory')
const goTo = async (where: string) => {
  await memory().getByLabel('Go to address').fill(where)
  await page.keyboard.press('Enter')
}
const pause = async () => {
  await chooseMenuItem(running, 'machine.pause')
  await panel('status-bar').locator('.state-words', { hasText: 'Paused' }).first().waitFor()
}
const chooseMemory = (name: string) =>
  memory().locator('.segments').first().getByRole('radio', { name, exact: true }).click()
const status = () => memory().locator('.memory-status')
const hexRow = (address: string) =>
  memory().locator('.hex-row', { has: page.locator('.hex-address', { hasText: address }) })

/** Where elements stand; the same before and after means that nothing moved. */
const places = (...locators: Locator[]) => Promise.all(locators.map((locator) => locator.boundingBox()))

const setRegister = (name: string, value: number) =>
  page.evaluate(([name, value]) => window.bridgedeck.memory.setRegister({ machine: 'builtin', name, value }), [
    name,
    value,
  ] as const)

async function write(space: Space, address: number, ...bytes: number[]): Promise<void> {
  const result = await page.evaluate(
    ([space, address, bytes]) =>
      window.bridgedeck.memory.write({ machine: 'builtin', space, address, bytes: Uint8Array.from(bytes) }),
    [space, address, bytes] as const,
  )
  expect(result).toMatchObject({ ok: true })
}

async function read(space: Space, address: number): Promise<number | undefined> {
  const result = await page.evaluate(
    ([space, address]) => window.bridgedeck.memory.read({ machine: 'builtin', space, address, length: 1 }),
    [space, address] as const,
  )
  return result.ok ? result.data.bytes[0] : undefined
}

describe.skipIf(lacks('electron', 'xvfb'))('the memory view', () => {
  it('says what is wrong with an address without moving anything', async () => {
    await open()
    const parts = [
      memory().getByLabel('Go to address'),
      memory().locator('.segments').first(),
      memory().locator('.heat-map'),
      memory().locator('.hex-grid'),
    ]
    const before = await places(...parts)
    await goTo('$xyz')
    await memory().getByRole('alert').waitFor()
    expect(await places(...parts)).toEqual(before)
    await page.keyboard.press('Escape')
    await memory().getByRole('alert').waitFor({ state: 'detached' })
  })

  it('reads digits alone as hexadecimal, and shows what it understands while one types', async () => {
    await open()
    const parts = [memory().getByLabel('Go to address'), memory().locator('.heat-map'), memory().locator('.hex-grid')]
    const before = await places(...parts)
    const field = memory().getByLabel('Go to address')
    await field.fill('0427')
    await memory().getByText('$0427 = 1063').waitFor()
    expect(await places(...parts)).toEqual(before)
    await field.fill('+1024')
    await memory().getByText('$0400 = 1024').waitFor()
    await goTo('0427')
    await hexRow('0420').waitFor()
    await expect.poll(() => status().textContent()).toContain('$0427')
  })

  it('says the value of the byte in the same frame as its cell', async () => {
    await open()
    await goTo('22')
    await expect.poll(() => status().textContent()).toContain('$0022')
    const others = await page.evaluate(async () => {
      const seen = new Set<string>()
      const differing: string[] = []
      while (seen.size < 10) {
        await new Promise(requestAnimationFrame)
        const row = [...document.querySelectorAll('.hex-row')].find(
          (one) => one.querySelector('.hex-address')?.textContent.trim().endsWith('0020') === true,
        )
        const cell = row?.querySelector('.hex-bytes')?.textContent.trim().split(/\s+/)[2] ?? ''
        const said = document.querySelector('.memory-status')?.children[1]?.textContent ?? ''
        seen.add(cell)
        if (!said.startsWith(`$${cell} `)) differing.push(`${cell}: ${said}`)
      }
      return differing
    })
    expect(others).toEqual([])
  })

  it('fills every row that it gets when it grows before the row is seen', async () => {
    await open()
    await memory().locator('.hex-row').first().waitFor()
    const rows = await memory().locator('.hex-row').count()
    const emptyWhenAdded = await page.evaluateHandle(() => {
      const seen: { added: number; empty: number } = { added: 0, empty: 0 }
      // Runs before the browser paints what was added.
      const observer = new MutationObserver((mutations) => {
        for (const node of mutations.flatMap(({ addedNodes }) => [...addedNodes])) {
          if (!(node instanceof HTMLElement) || !node.classList.contains('hex-row')) continue
          seen.added++
          if (node.querySelector('.hex-address')?.textContent === '') seen.empty++
        }
      })
      const layer = document.querySelector('.hex-layer')
      if (layer) observer.observe(layer, { childList: true })
      return seen
    })
    await running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setSize(1280, 1100))
    await expect.poll(() => memory().locator('.hex-row').count()).toBeGreaterThan(rows)
    const seen = await emptyWhenAdded.jsonValue()
    expect(seen.added).toBeGreaterThan(0)
    expect(seen.empty).toBe(0)
  })

  it('says what each memory holds at an address', async () => {
    await open()
    await goTo('$a000')
    await expect.poll(() => status().textContent()).toContain('BASIC ROM')
    await chooseMemory('RAM')
    await expect.poll(() => status().textContent()).toContain('RAM under the BASIC ROM')
    await goTo('$d020')
    await expect.poll(() => status().textContent()).toContain('RAM under I/O')
    await chooseMemory('ROM')
    await expect.poll(() => status().textContent()).toContain('Character ROM')
    await chooseMemory('CPU')
    await expect.poll(() => status().textContent()).toContain('VIC.BORDER')
  })

  it('shows screen codes in the screen’s rows by itself, and what was chosen once it was', async () => {
    await open()
    await write('ram', 0x07c0, 1, 2, 3)
    await write('ram', 0x0c00, 0x41, 0x42, 0x43)
    const text = (address: string) => hexRow(address).locator('.hex-text').textContent()
    await goTo('$07c0')
    await expect.poll(() => text('07C0')).toMatch(/^ABC/)
    await goTo('$0c00')
    await expect.poll(() => text('0C00')).toMatch(/^ABC/)
    await memory().getByRole('button', { name: 'More' }).click()
    await page.getByRole('combobox', { name: 'Text' }).selectOption('petscii')
    await page.keyboard.press('Escape')
    await goTo('$07c0')
    await expect.poll(() => text('07C0')).toMatch(/^···/)
  })

  it('marks the PC when it is followed, and no longer when it is not', async () => {
    await open()
    await pause()
    await memory().getByLabel('Follow').selectOption('pc')
    const result = await page.evaluate(() => window.bridgedeck.memory.registers({ machine: 'builtin' }))
    const pc = result.ok ? (result.data.registers.find(({ name }) => name === 'PC')?.value ?? 0) : 0
    const row = (pc & 0xfff0).toString(16).toUpperCase().padStart(4, '0')
    const byte = ((await read('cpu', pc)) ?? 0).toString(16).toUpperCase().padStart(2, '0')
    await expect.poll(() => hexRow(row).locator('.hex-mark').textContent()).toBe(byte)
    await memory().getByLabel('Follow').selectOption('nothing')
    await memory().locator('.hex-mark').waitFor({ state: 'detached' })
  })

  it('selects by dragging and by keys, and keeps that while bytes change', async () => {
    await open()
    await goTo('$0020') // the demo counts there
    const grid = memory().getByRole('grid')
    const box = await hexRow('0020').locator('.hex-bytes').boundingBox()
    if (!box) throw new Error('the row is not seen')
    const at = (index: number) => [box.x + (box.width * (index * 3 + 1 + (index > 7 ? 1 : 0))) / 48, box.y + 9] as const
    await page.mouse.move(...at(2))
    await page.mouse.down()
    await page.mouse.move(...at(5))
    await page.mouse.up()
    const said = status().getByRole('status')
    await expect.poll(() => said.textContent()).toBe('$0022-$0025, 4 bytes')
    const before = await hexRow('0020').locator('.hex-bytes').textContent()
    await expect.poll(() => hexRow('0020').locator('.hex-bytes').textContent()).not.toBe(before)
    expect(await said.textContent()).toBe('$0022-$0025, 4 bytes')
    await grid.press('Shift+ArrowDown')
    await expect.poll(() => said.textContent()).toBe('$0022-$0035, 20 bytes')
    await grid.press('Escape')
    await said.waitFor({ state: 'detached' })
    await grid.press('Control+a')
    await expect.poll(() => said.textContent()).toBe('$0000-$FFFF, 65536 bytes')
    await grid.press('ArrowLeft')
    await said.waitFor({ state: 'detached' })
  })

  it('fills, copies and moves what is selected, each undone as one', async () => {
    await open()
    await chooseMemory('RAM')
    await write('ram', 0xc000, 1, 2, 3, 4, 5, 6)
    const grid = memory().getByRole('grid')
    const bytes = (address: number, length: number) =>
      page.evaluate(
        async ([address, length]) => {
          const result = await window.bridgedeck.memory.read({ machine: 'builtin', space: 'ram', address, length })
          return result.ok ? [...result.data.bytes] : []
        },
        [address, length] as const,
      )
    const select = async () => {
      await goTo('$c001')
      await grid.press('Shift+ArrowRight')
      await grid.press('Shift+ArrowRight')
      await grid.press('Shift+F10')
    }
    const choose = async (name: string, typed: string) => {
      await page.getByRole('menu').getByRole('menuitem', { name }).click()
      await page.getByRole('dialog').getByRole('textbox').fill(typed)
      await page.keyboard.press('Enter')
    }
    await select()
    await page.getByRole('menu').getByText('$C001-$C003, 3 bytes').waitFor()
    await choose('Fill…', 'aa bb')
    await expect.poll(() => bytes(0xc000, 6)).toEqual([1, 0xaa, 0xbb, 0xaa, 5, 6])
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid')
    await grid.press('Control+z')
    await expect.poll(() => bytes(0xc000, 6)).toEqual([1, 2, 3, 4, 5, 6])
    await select()
    await choose('Copy to an address…', 'c004')
    await expect.poll(() => bytes(0xc000, 7)).toEqual([1, 2, 3, 4, 2, 3, 4])
    await grid.press('Control+z')
    await expect.poll(() => bytes(0xc000, 7)).toEqual([1, 2, 3, 4, 5, 6, 0])
    await select()
    await choose('Move to an address…', 'fffe')
    await page.getByRole('dialog').getByRole('alert').waitFor()
    await page.getByRole('dialog').getByRole('textbox').fill('c003')
    await page.keyboard.press('Enter')
    await expect.poll(() => bytes(0xc000, 6)).toEqual([1, 0, 0, 2, 3, 4])
    await grid.press('Control+z')
    await expect.poll(() => bytes(0xc000, 6)).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('copies what is selected as text of a language, and pastes hexadecimal over it', async () => {
    await open()
    await chooseMemory('RAM')
    await write('ram', 0xc000, 1, 2, 3, 4)
    await goTo('$c000')
    await expect.poll(() => hexRow('C000').locator('.hex-bytes').textContent()).toMatch(/^01 02 03 04/)
    const grid = memory().getByRole('grid')
    const clipboard = () => running.app.evaluate(({ clipboard }) => clipboard.readText())
    await grid.press('Shift+ArrowRight')
    await grid.press('Control+c')
    await expect.poll(clipboard).toBe('01 02\n')
    for (const [name, text] of [
      ['Assembler', '* = $C000\n        .byte $01, $02\n'],
      ['BASIC DATA', '1000 data 1,2\n'],
      ['C', '/* $C000 */\nstatic const unsigned char bytes[2] = {\n  0x01, 0x02,\n};\n'],
    ] as const) {
      await grid.press('Shift+F10')
      const menus = page.getByRole('menu')
      await menus.first().getByRole('menuitem', { name: 'Copy as' }).press('ArrowRight')
      await menus.last().getByRole('menuitem', { name, exact: true }).press('Enter')
      await expect.poll(clipboard).toBe(text)
      await menus.first().waitFor({ state: 'detached' })
    }
    const paste = (text: string) =>
      grid.evaluate((element, text) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text', text)
        element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      }, text)
    await paste('aa bb cc')
    await page.getByText('3 bytes do not fit into the 2 that are selected.').first().waitFor()
    expect(await read('ram', 0xc000)).toBe(1)
    await paste('aa bb')
    await expect.poll(() => read('ram', 0xc001)).toBe(0xbb)
    expect(await read('ram', 0xc002)).toBe(3)
  })

  it('has hex views side by side, each with its own memory, opened, gone to and closed by keys, and kept', async () => {
    await open()
    await write('ram', 0xe000, 0x41, 0x42, 0x43)
    const views = () => memory().getByRole('grid')
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
    const beside = () => memory().locator('.side-pane').first()
    await goTo('$e000')
    await chooseMenuItem(running, 'memory.openPane')
    await expect.poll(focused).toMatch(/^Memory 2, RAM/)
    await beside().getByText('41 42 43').waitFor()
    await beside().getByLabel('Bank').selectOption('rom')
    await beside().getByLabel('Columns').selectOption('8')
    await beside().getByLabel('Address or range').fill('$e000-$e01f')
    await page.keyboard.press('Enter')
    await expect.poll(focused).toMatch(/^Memory 2, ROM/)
    await expect.poll(() => beside().locator('.hex-text').allTextContents()).toHaveLength(5)
    await page.keyboard.press('Shift+ArrowRight')
    await beside().getByText('$E000-$E001, 2 bytes').waitFor()
    expect(await status().getByRole('status').count()).toBe(0)
    for (const count of [3, 4]) {
      await chooseMenuItem(running, 'memory.openPane')
      await expect.poll(() => views().count()).toBe(count)
    }
    await chooseMenuItem(running, 'memory.openPane')
    await page.getByText('There are 4 hex views already.').first().waitFor()
    await expect.poll(focused).toMatch(/^Memory 4/)
    await chooseMenuItem(running, 'memory.nextPane')
    await expect.poll(focused).toMatch(/^Memory\. /)
    await chooseMenuItem(running, 'memory.nextPane')
    await expect.poll(focused).toMatch(/^Memory 2, ROM/)
    expect(await axeProblems(page, '[data-panel="memory"]')).toEqual([])
    await chooseMenuItem(running, 'memory.closePane')
    await expect.poll(() => views().count()).toBe(3)
    await chooseMenuItem(running, 'memory.closePane')
    await expect.poll(() => views().count()).toBe(2)
    await beside().getByLabel('Bank').selectOption('io')
    await expect.poll(() => rememberedState(page)).toContain('"io"')
    await startAgain()
    await expect.poll(() => views().count()).toBe(2)
    expect(await beside().getByLabel('Bank').inputValue()).toBe('io')
  })

  it('is as it was left also where the window ended without a word, as in a crash', async () => {
    await open()
    await chooseMenuItem(running, 'memory.openPane')
    await memory().locator('.side-pane').getByLabel('Bank').selectOption('rom')
    await expect.poll(() => rememberedState(page)).toContain('"rom"')
    await running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.destroy())
    await startAgain()
    expect(await memory().locator('.side-pane').getByLabel('Bank').inputValue()).toBe('rom')
  })

  it('lists code and data told apart, what names a line, and takes an instruction in place', async () => {
    await open()
    await pause()
    // LDX #1; DEX; BNE $C002; JSR $C00D; RTS; "ABCD"; RTS
    await write('ram', 0xc000, 0xa2, 1, 0xca, 0xd0, 0xfd, 0x20, 0x0d, 0xc0, 0x60, 0x41, 0x42, 0x43, 0x44, 0x60)
    await setRegister('PC', 0xc000)
    await setRegister('FL', 0x24) // no interrupts
    await page.evaluate(() => window.bridgedeck.machine.step({ machine: 'builtin', count: 4, over: true }))
    await chooseMenuItem(running, 'memory.openPane')
    const beside = memory().locator('.side-pane').first()
    await beside.getByLabel('Shows').selectOption('code')
    await beside.getByLabel('Address or range').fill('$c000')
    await page.keyboard.press('Enter')
    const list = beside.getByRole('listbox')
    const line = (address: string) => list.locator('.code-line', { hasText: new RegExp(`^${address}`) })
    await line('C009').getByText('.text "ABCD').waitFor()
    await line('C002').getByText('DEX').waitFor()
    expect(await line('C002').getAttribute('title')).toBe('Seen run')
    expect(await list.locator('.jump-arrows g').count()).toBeGreaterThan(0)
    expect(await axeProblems(page, '[data-panel="memory"]')).toEqual([])
    await expect.poll(() => line('C000').getAttribute('aria-selected')).toBe('true')
    await list.press('ArrowDown')
    await list.press('?')
    const named = beside.getByRole('region', { name: 'What names $C002' })
    await named.getByRole('button', { name: /\$C003 jumps BNE \$C002/ }).click()
    await expect.poll(() => line('C003').getAttribute('aria-selected')).toBe('true')
    // Faster than any view comes to the front.
    await list.evaluate((element) => {
      for (const key of ['Backspace', 'l']) element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    })
    await expect.poll(() => line('C002').getAttribute('aria-selected')).toBe('true')
    await settle(page)
    const field = list.getByRole('textbox')
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
    await field.fill('lda #$07')
    await list.getByText('A9 07: 1 longer, overwrites BNE').waitFor()
    await field.fill('lda')
    await field.press('Enter')
    await list.getByRole('alert').getByText('LDA needs an operand.').waitFor()
    await field.fill('inx')
    await field.press('Enter')
    await line('C002').getByText('INX').waitFor()
    await expect.poll(() => line('C003').getAttribute('aria-selected')).toBe('true')
    await list.press('Control+z')
    await line('C002').getByText('DEX').waitFor()
  })

  it('offers the RAM under the ROM for what cannot be written to ROM, and no useless second try', async () => {
    await open()
    await chooseMemory('ROM')
    await goTo('$a123')
    await page.keyboard.type('5a')
    const failed = memory().locator('.memory-failed')
    await failed.waitFor()
    await expect
      .poll(() => failed.getByRole('button').allTextContents())
      .toEqual(['Write to the RAM under it', 'Discard'])
    await failed.getByRole('button', { name: 'Write to the RAM under it' }).click()
    await failed.waitFor({ state: 'detached' })
    await expect.poll(() => read('ram', 0xa123)).toBe(0x5a)
    await chooseMenuItem(running, 'memory.undo')
    await expect.poll(() => read('ram', 0xa123)).toBe(0)
  })

  it.each([
    ['1280x800', 16, '$0410'],
    ['1920x1200', 32, '$0420'],
  ])('has as many bytes a row as fit in a window of %s', async (size, rowBytes, below) => {
    await open(`--size=${size}`, '--view=memory')
    const textHead = memory().getByRole('columnheader', { name: 'Text' })
    await expect.poll(async () => (await textHead.textContent())?.length).toBe(rowBytes)
    await goTo('$0400')
    await memory().getByRole('grid').press('ArrowDown')
    await status().getByText(below).waitFor()
  })

  it.each(['1280x800', '1440x900', '1600x900'])('has its tools in one row in a window of %s', async (size) => {
    await open(`--size=${size}`)
    expect((await memory().locator('.toolbar').boundingBox())?.height).toBeLessThan(40)
  })

  it('empties the field of the address once another byte is chosen elsewhere', async () => {
    await open()
    const field = memory().getByLabel('Go to address')
    await goTo('$d020')
    expect(await field.inputValue()).toBe('$d020')
    await memory().getByRole('grid').press('ArrowDown')
    await expect.poll(() => field.inputValue()).toBe('')
    await field.fill('nowhere')
    await page.keyboard.press('Enter')
    await memory().getByRole('alert').waitFor()
    expect(await field.inputValue()).toBe('nowhere')
  })

  it.each(['1280x800', '1920x1200'])('has a map of whole pixels in a window of %s', async (size) => {
    await open(`--size=${size}`)
    const side = await memory()
      .locator('.memory-panes')
      .evaluate((element) => getComputedStyle(element).getPropertyValue('--side'))
    const map = await memory().locator('.heat-marks').boundingBox()
    const pixels = Number.parseInt(side, 10)
    expect(pixels % 256).toBe(0)
    expect(map?.height).toBeGreaterThanOrEqual(pixels)
    expect(map?.width).toBeGreaterThanOrEqual(pixels + 92)
    // What is pointed at on the one canvas is drawn on the other.
    expect(await memory().locator('.heat-cells').boundingBox()).toMatchObject({ x: map?.x, y: map?.y })
  })
})

describe.skipIf(lacks('electron', 'xvfb'))('the memory view of a machine that tells every access', () => {
  it('offers the heat of reads and writes once they come, in the CPU’s memory only', async () => {
    ultimate = await startUltimate()
    const machine = `ultimate:127.0.0.1:${ultimate.ports.rest}`
    await open(`--machine=${machine}`)
    const more = () => memory().getByRole('button', { name: 'More' }).click()
    const heat = page.getByRole('combobox', { name: 'Heat' })
    await more()
    const isOffered = (kind: string) => heat.locator(`option[value="${kind}"]`).isEnabled()
    expect(await Promise.all(['changes', 'reads', 'runs'].map(isOffered))).toEqual([true, false, false])
    const result = await page.evaluate(
      (machine) => window.bridgedeck.machine.setStream({ machine, stream: 'debug', on: true }),
      machine,
    )
    expect(result).toMatchObject({ ok: true })
    await expect.poll(() => isOffered('writes')).toBe(true)
    expect(await isOffered('runs')).toBe(false)
    await heat.selectOption('writes')
    await page.keyboard.press('Escape')
    await goTo('$c123')
    // A busy computer may lose datagrams, which is told, too.
    const wasLost = 'a write to it was lost on the way'
    await expect.poll(() => status().textContent()).toMatch(RegExp(`no write seen|${wasLost}`))
    await more()
    await heat.selectOption('reads')
    await page.keyboard.press('Escape')
    await expect.poll(() => status().textContent()).toMatch(RegExp(`no read seen|${wasLost}`))
    await chooseMemory('ROM')
    await more()
    await expect.poll(() => isOffered('reads')).toBe(false)
    expect(await heat.inputValue()).toBe('reads')
  })
})

describe.skipIf(lacks('electron', 'xvfb'))('the memory view of the built-in C64', () => {
  it('tells what the CPU did last with each byte, and keeps its heat from a moment on', async () => {
    await open()
    const more = () => memory().getByRole('button', { name: 'More' }).click()
    await more()
    await page.getByRole('combobox', { name: 'Heat' }).selectOption('accesses')
    const held = page.getByRole('checkbox', { name: 'Only since now; nothing fades' })
    await held.check()
    expect(await held.isChecked()).toBe(true)
    await page.keyboard.press('Escape')
    // The demo counts its frames there.
    await goTo('$0022')
    await expect.poll(() => status().textContent()).toMatch(/written (just now|\d+ s ago)/)
    await goTo('$c123')
    await expect.poll(() => status().textContent()).toContain('no access seen')
  })
})

describe.skipIf(lacks('electron', 'xvfb'))('the stack', () => {
  it('tells the calls that its bytes may come from, once the machine is paused', async () => {
    await open()
    await chooseMenuItem(running, 'view.registers')
    const stack = page.getByRole('list', { name: 'Stack, the last byte first' })
    await page.getByText('Pause to see what is on the stack.').waitFor()
    await pause()
    // JSR $C006, JMP $C000; at $C006 a jump to itself.
    await write('cpu', 0xc000, 0x20, 0x06, 0xc0, 0x4c, 0x00, 0xc0, 0x4c, 0x06, 0xc0)
    await setRegister('PC', 0xc000)
    await setRegister('SP', 0xff)
    await chooseMenuItem(running, 'machine.step')
    await expect.poll(() => stack.innerText()).toMatch(/^\$01FE\s+return to \$C003 JSR \$C006 at \$C000$/)
  })
})

describe.skipIf(lacks('electron', 'xvfb'))('the bits of a chip’s register', () => {
  const border = () => panel('registers').locator('.chip tr', { hasText: 'BORDER' })
  const bits = () => page.getByRole('dialog', { name: /BORDER/ })

  it('are shown by a click on its value or from its menu, and changed one by one', async () => {
    await open()
    await pause()
    await chooseMenuItem(running, 'view.registers')
    await write('io', 0xd020, 0)
    await border().locator('.chip-value').click()
    const bit = bits().getByRole('switch', { name: 'colour, bit 2' })
    await expect.poll(() => bit.getAttribute('aria-checked')).toBe('false')
    await bit.click()
    await expect.poll(() => bit.getAttribute('aria-checked')).toBe('true')
    await expect.poll(() => border().locator('.chip-value').textContent()).toBe('$F4')
    await page.keyboard.press('Escape')
    await bits().waitFor({ state: 'detached' })
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Show the bits' }).press('Enter')
    await bits().getByRole('switch', { name: 'colour, bit 2' }).waitFor()
  })
})

describe.skipIf(lacks('electron', 'xvfb'))('the registers view', () => {
  it.each(['1280x800', '1920x1200'])('keeps the code above the checkpoints in a window of %s', async (size) => {
    await open(`--size=${size}`)
    await chooseMenuItem(running, 'view.registers')
    await pause()
    const code = panel('registers').getByRole('list', { name: 'Code at the PC' })
    await code.waitFor()
    const [listed, checkpoints] = await places(code, panel('registers').getByRole('button', { name: 'Checkpoints' }))
    expect((listed?.y ?? NaN) + (listed?.height ?? NaN)).toBeLessThanOrEqual(checkpoints?.y ?? NaN)
    expect(listed?.height).toBeGreaterThan(150)
  })

  it('says what is wrong with a register without moving anything', async () => {
    await open()
    await chooseMenuItem(running, 'view.registers')
    await pause()
    const registers = panel('registers')
    const field = registers.getByLabel('Accumulator')
    await field.fill('xyz')
    const parts = [
      field,
      registers.getByLabel('Stack pointer'),
      registers.locator('.cpu-flags'),
      registers.locator('.code'),
    ]
    const before = await places(...parts)
    await page.keyboard.press('Enter')
    await registers.getByRole('alert').waitFor()
    expect(await places(...parts)).toEqual(before)
    expect(await registers.getByRole('alert').textContent()).toContain('“xyz” is no value for A.')
  })
})

describe.skipIf(lacks('electron', 'xvfb'))('what is wrong and what is marked', () => {
  it.each(['light', 'dark'])('gives axe nothing to find in the %s theme', async (theme) => {
    await open(`--theme=${theme}`)
    const problems = (name: string) => axeProblems(page, `[data-panel="${name}"]`)
    await pause()
    await memory().getByLabel('Follow').selectOption('pc')
    await memory().locator('.hex-mark').waitFor()
    await goTo('$xyz')
    await memory().getByRole('alert').waitFor()
    expect(await problems('memory')).toEqual([])
    await page.keyboard.press('Escape')
    await chooseMemory('ROM')
    await goTo('$a123')
    await page.keyboard.type('5a')
    await memory().locator('.memory-failed').waitFor()
    expect(await problems('memory')).toEqual([])
    await chooseMenuItem(running, 'view.registers')
    await panel('registers').getByLabel('Accumulator').fill('xyz')
    await page.keyboard.press('Enter')
    await panel('registers').getByRole('alert').waitFor()
    expect(await problems('registers')).toEqual([])
  })
})

describe.skipIf(lacks('electron', 'xvfb'))('the docking', () => {
  it('speaks of views and panels, not of its library’s parts', async () => {
    await open()
    const names = await page.evaluate(() =>
      [...document.querySelectorAll('[class*=flexlayout]')].flatMap((element) => [
        element.getAttribute('title') ?? '',
        element.getAttribute('aria-label') ?? '',
      ]),
    )
    expect(names).toContain('Fill the workspace with this panel')
    expect(names.filter((name) => /tabset|maxim|popout|splitter/i.test(name))).toEqual([])
  })
})
