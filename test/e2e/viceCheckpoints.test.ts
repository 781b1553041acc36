/** The person's checkpoints in a real VICE that is left, and that ends and is started again. */
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { lacks } from '../support/parts'
import { launchOnVice, type ViceWindow } from './viceWindow'

const timeout = 60_000

describe.skipIf(lacks('electron', 'vice', 'xvfb'))('checkpoints in VICE', () => {
  let vice: ViceWindow
  let page: Page
  launchOnVice('registers', (launched) => {
    vice = launched
    page = launched.page
  })

  const set = (start: number, changes: { readonly condition?: string; readonly log?: string } = {}) =>
    page.evaluate(
      ([machine, start, changes]) =>
        window.bridgedeck.machine.setCheckpoint({
          machine,
          checkpoint: {
            start,
            end: start,
            operations: ['exec'],
            label: null,
            line: null,
            stop: changes.log === undefined,
            enabled: true,
            temporary: false,
            condition: changes.condition ?? null,
            fromHit: 1,
            log: changes.log ?? null,
          },
        }),
      [vice.machine, start, changes] as const,
    )
  const checkpoints = () =>
    page.evaluate(async (machine) => {
      const result = await window.bridgedeck.machine.checkpoints({ machine })
      if (!result.ok) return result.error.message
      return result.data.checkpoints
        .map(({ start, condition, log }) => [start, condition, log])
        .sort(([one], [other]) => Number(one) - Number(other))
    }, vice.machine)
  const disconnect = () => page.evaluate((machine) => window.bridgedeck.machine.disconnect({ machine }), vice.machine)
  const connect = () => page.evaluate((machine) => window.bridgedeck.machine.connect({ machine }), vice.machine)
  const all = [
    [0xcd00, null, 'here'],
    [0xce00, 'A == $05', null],
    [0xcf00, null, null],
  ]

  it('are there again after a reconnect, also what VICE cannot keep by itself, and in a VICE that was started anew', async () => {
    await set(0xcf00)
    await set(0xce00, { condition: 'A == $05' })
    await set(0xcd00, { log: 'here' })
    expect(await checkpoints()).toEqual(all)
    await disconnect()
    await connect()
    await expect.poll(checkpoints, { timeout }).toEqual(all)
    await vice.stop()
    // The window would take the monitor's only connection before the new VICE shows its prompt.
    await disconnect()
    await vice.start()
    await connect()
    await expect.poll(checkpoints, { timeout }).toEqual(all)
  })
})
