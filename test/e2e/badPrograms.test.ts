/** A program that stops the CPU, in the window: it says so, the picture stays, and a reset goes on. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decode } from 'fast-png'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'

/** 10 SYS2061; LDA #$07, STA $D020, JAM at $0812. */
const jam = [
  0x01, 0x08, 0x0b, 0x08, 0x0a, 0x00, 0x9e, 0x32, 0x30, 0x36, 0x31, 0x00, 0x00, 0x00, 0xa9, 0x07, 0x8d, 0x20, 0xd0,
  0x02,
]

describe.skipIf(lacks('electron', 'xvfb'))('a program that jams the CPU', () => {
  let folder: string
  let running: RunningApp
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bridgedeck-jam-'))
    const path = join(folder, 'jam.prg')
    await writeFile(path, Uint8Array.from(jam))
    running = await launchApp({ args: ['--view=screen', path] })
    await untilLive(running.page)
  })
  afterAll(async () => {
    await running.close()
    await rm(folder, { recursive: true })
  })

  it('is named with where it stopped, its picture stays, and Reset goes on', async () => {
    const { page } = running
    const alert = page.getByRole('alert').filter({ hasText: '$0812' })
    await alert.waitFor()
    expect(await alert.locator('p').textContent()).toMatch(/opcode \$02 \(JAM\) halts a 6510\. Reset the machine\.$/)
    // Both borders have the program's colour: the picture went on to its end.
    const canvas = page.locator('[data-panel="screen"] canvas').first()
    const { data, width, height, channels } = decode(await canvas.screenshot())
    const colourAt = (x: number, y: number) => [
      ...data.subarray((y * width + x) * channels, (y * width + x) * channels + 3),
    ]
    const middle = Math.floor(width / 2)
    expect(colourAt(middle, 5)).toEqual(colourAt(middle, height - 5))
    expect(colourAt(middle, 5)).not.toEqual(colourAt(middle, Math.floor(height / 2)))
    await alert.getByRole('button', { name: 'Reset' }).click()
    await alert.waitFor({ state: 'detached' })
    const execution = () =>
      page.evaluate(async () => {
        const listed = await window.bridgedeck.machine.list({})
        return listed.ok ? listed.data.machines[0]?.execution : listed.error.message
      })
    await expect.poll(execution).toBe('running')
  })
})
