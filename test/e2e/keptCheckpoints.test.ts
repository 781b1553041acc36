/** The person's checkpoints over a restart of the app, on the built-in C64. */
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CommandLine } from '../support/commandLine'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { axeProblems } from './support'

let calls: CommandLine
let running: RunningApp | undefined
beforeEach(() => {
  calls = new CommandLine()
})
afterEach(async () => {
  await running?.close()
  await calls.remove()
})

async function open(): Promise<Page> {
  running = await launchApp({
    dataFolder: join(calls.folder, 'data'),
    environment: { HOME: calls.folder, C64_TASK_STATE_FILE: undefined },
    args: ['--size=1280x800', '--view=registers'],
  })
  await untilLive(running.page)
  return running.page
}

const registers = (page: Page) => page.locator('[data-panel="registers"]')
const places = async (page: Page) => {
  const result = await page.evaluate(() => window.bridgedeck.machine.checkpoints({ machine: 'builtin' }))
  return result.ok ? result.data.checkpoints.map(({ start, condition }) => [start, condition]) : []
}

describe.skipIf(lacks('electron', 'xvfb'))('checkpoints over a restart', () => {
  it('are there again where the person set them, and not those of the command line', async () => {
    const page = await open()
    await registers(page).getByLabel('Stop when').fill('$cf00')
    await registers(page).getByLabel('if', { exact: true }).fill('A == $05')
    await page.keyboard.press('Enter')
    await registers(page).getByLabel('Checkpoint at $CF00 is on').waitFor()
    await calls.data('checkpoint', 'add', '$ce00')
    // The window shows at once what others set.
    await registers(page).getByLabel('Checkpoint at $CE00 is on').waitFor()
    await running?.close()
    const again = await open()
    await registers(again).getByLabel('Checkpoint at $CF00 is on').waitFor()
    expect(await places(again)).toEqual([[0xcf00, 'A == $05']])
    expect(await axeProblems(again, '.checkpoints')).toEqual([])
  })
})
