/** The picture studio's preview on machines of others: what it replaces comes back to the byte. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encode } from 'fast-png'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { palettes } from '@shared/c64/palettes'
import type { Space } from '@shared/contract/memory'
import { startUltimate, type UltimatePeer } from '../peers/ultimateProcess'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { machineWindow, shownPixels } from '../support/shownPicture'
import { launchOnVice } from './viceWindow'

let page: Page
let machine: string
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-preview-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const studio = () => page.locator('[data-panel="studio"]')
const button = (name: string) => studio().getByRole('button', { name, exact: true })
const result = () => shownPixels(page, '[data-panel="studio"] canvas[aria-label="Result"]')

async function openPicture(): Promise<void> {
  const data = new Uint8Array(320 * 200 * 3)
  for (let pixel = 0; pixel < 320 * 200; pixel++) {
    const colour = palettes.pepto[(Math.floor(pixel / 2560) * 5 + ((pixel % 320) >> 3)) % 16] ?? 0
    data.set([colour >> 16, (colour >> 8) & 0xff, colour & 0xff], pixel * 3)
  }
  const file = join(folder, 'checks.png')
  await writeFile(file, encode({ width: 320, height: 200, data, channels: 3 }))
  const chooser = page.waitForEvent('filechooser')
  await studio().getByRole('button', { name: /^Open/ }).first().click()
  await (await chooser).setFiles(file)
  await expect.poll(() => studio().getByRole('region', { name: 'Result' }).textContent()).toContain('320 x 200')
}

async function read(space: Space, address: number, length: number): Promise<number[]> {
  const answer = await page.evaluate(
    ([machine, space, address, length]) => window.bridgedeck.memory.read({ machine, space, address, length }),
    [machine, space, address, length] as const,
  )
  if (!answer.ok) throw new Error(answer.error.message)
  return [...answer.data.bytes]
}

/** Of the chips what stays while nothing runs. */
const steady: readonly (readonly [address: number, length: number, mask: number])[] = [
  ...([
    [0xd000, 0x11, 0xff],
    [0xd011, 1, 0x7f],
    [0xd015, 4, 0xff],
    [0xd01a, 4, 0xff],
    [0xd020, 0x0f, 0xff],
  ] as const),
  [0xdd00, 1, 0x3f],
]

/** @param ram the space that has the most of it */
async function memoryNow(ram: 'ram' | 'cpu'): Promise<string[]> {
  const parts = [
    ...(ram === 'ram' ? [await named(ram, 0, 0x10000, 0xff)] : [await named(ram, 0, 0xd000, 0xff)]),
    await named(ram === 'ram' ? 'colorRam' : 'cpu', 0xd800, 1000, 0x0f),
  ]
  for (const [address, length, mask] of steady) parts.push(await named('io', address, length, mask))
  return parts.flat()
}

const named = async (space: Space, address: number, length: number, mask: number): Promise<string[]> =>
  (await read(space, address, length)).map((byte, at) => `${space} ${(address + at).toString(16)}: ${byte & mask}`)

async function changedSince(before: readonly string[], ram: 'ram' | 'cpu'): Promise<string[]> {
  return (await memoryNow(ram)).filter((byte, at) => byte !== before[at])
}

const registers = () =>
  page.evaluate(async (machine) => {
    const answer = await window.bridgedeck.memory.registers({ machine })
    return answer.ok ? answer.data.registers.filter(({ name }) => /^(PC|A|X|Y|SP|FL)$/.test(name)) : []
  }, machine)

const command = (name: 'pause' | 'resume') =>
  page.evaluate(([machine, name]) => window.bridgedeck.machine[name]({ machine }), [machine, name] as const)

describe.skipIf(lacks('electron', 'vice', 'xvfb'))('a preview on VICE', () => {
  launchOnVice('studio', (launched) => {
    ;({ page, machine } = launched)
  })

  it('shows the pixels of the result, and is taken back to the byte, chips and CPU too', async () => {
    await command('pause')
    const [before, cpu] = [await memoryNow('ram'), await registers()]
    expect(cpu).toHaveLength(6)
    await openPicture()
    await button('Preview on the machine').click()
    await expect.poll(() => machineWindow(page, machine), { timeout: 60_000 }).toEqual(await result())
    await button('Take back').click()
    await expect.poll(() => button('Take back').getAttribute('aria-disabled')).toBe('true')
    expect(await changedSince(before, 'ram')).toEqual([])
    expect(await registers()).toEqual(cpu)
    await command('resume')
  })

  it('is made again in place of the first, and a program that ran goes on as if none had been', async () => {
    const isInLoop = async () => {
      const pc = (await registers()).find(({ name }) => name === 'PC')?.value ?? 0
      return pc >= 0x4000 && pc < 0xa000
    }
    const before = await read('ram', 0x4000, 0x6000)
    await button('Preview on the machine').click()
    await button('Preview again').waitFor()
    await expect.poll(isInLoop).toBe(true)
    await studio().getByRole('combobox', { name: 'Convert to' }).selectOption({ label: 'Sprites' })
    await expect.poll(() => studio().getByRole('region', { name: 'Result' }).textContent()).toMatch(/of 8/)
    await button('Preview again').click()
    await expect.poll(async () => (await read('io', 0xd015, 1))[0]).toBe(0xff)
    await button('Take back').click()
    await expect.poll(() => button('Take back').getAttribute('aria-disabled')).toBe('true')
    expect(await read('ram', 0x4000, 0x6000)).toEqual(before)
    expect(await read('io', 0xd015, 1)).toEqual([0])
    await expect.poll(isInLoop).toBe(false)
  })
})

describe.skipIf(lacks('electron', 'xvfb'))('a preview on an Ultimate', () => {
  let running: RunningApp
  let peer: UltimatePeer
  beforeAll(async () => {
    peer = await startUltimate()
    machine = `ultimate:127.0.0.1:${peer.ports.rest}`
    running = await launchApp({
      dataFolder: join(folder, 'data'),
      environment: { HOME: folder },
      args: ['--size=1280x800', `--machine=${machine}`, '--view=studio'],
    })
    page = running.page
    await untilLive(page, machine)
  })
  afterAll(async () => {
    await running.close()
    await peer.stop()
  })

  it('says that its program goes on, and is taken back to the byte', async () => {
    const before = await memoryNow('cpu')
    await openPicture()
    await expect
      .poll(() => studio().getByRole('region', { name: 'Result' }).textContent())
      .toContain('The program may draw over it')
    await button('Preview on the machine').click()
    await expect.poll(async () => (await read('cpu', 0xd018, 1))[0]).not.toBe(0x15)
    await button('Preview again').waitFor()
    expect((await changedSince(before, 'cpu')).length).toBeGreaterThan(1000)
    await button('Take back').click()
    await expect.poll(() => button('Take back').getAttribute('aria-disabled')).toBe('true')
    expect(await changedSince(before, 'cpu')).toEqual([])
  })
})
