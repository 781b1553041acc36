/** The computer sleeps and wakes up with the window open: Electron says so, and the window shows what is still live. */
import { afterEach, describe, expect, it } from 'vitest'
import type { MachineState } from '@shared/contract/machine'
import { startUltimate, type UltimatePeer } from '../peers/ultimateProcess'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { readLog } from './support'

describe.skipIf(lacks('electron', 'xvfb'))('a computer that sleeps', () => {
  let running: RunningApp
  let peer: UltimatePeer
  afterEach(async () => {
    await running.close()
    await peer.stop()
  })

  const say = (event: 'suspend' | 'resume') =>
    running.app.evaluate(({ powerMonitor }, name) => void powerMonitor.emit(name), event)

  async function stateOf(machine: string): Promise<MachineState | undefined> {
    const result = await running.page.evaluate(() => window.bridgedeck.machine.list({}))
    return result.ok ? result.data.machines.find((state) => state.machine === machine) : undefined
  }

  it('shows no machine as live, and asks each one when it wakes up', async () => {
    peer = await startUltimate()
    const machine = `ultimate:127.0.0.1:${peer.ports.rest}`
    running = await launchApp({ args: ['--machine', machine] })
    await untilLive(running.page, machine)
    await running.page.evaluate(
      (name) => window.bridgedeck.machine.setStream({ machine: name, stream: 'audio', on: true }),
      machine,
    )
    const starts = () => peer.logOf('stream').filter(({ event }) => event === 'start').length
    await expect.poll(starts).toBe(1)

    await say('suspend')
    await expect.poll(async () => (await stateOf(machine))?.connection).toBe('stale')
    await running.page.getByText('This computer is asleep').first().waitFor()

    await say('resume')
    await expect.poll(starts).toBe(2)
    await expect.poll(async () => (await stateOf(machine))?.connection).toBe('live')
    await running.page.getByText('This computer is asleep').first().waitFor({ state: 'detached' })
    await untilLive(running.page, machine)
    expect(readLog(running.dataFolder, 'main.log')).toContain('the computer woke up')
  })

  it('finds the device lost that left meanwhile, and live when it is back', async () => {
    peer = await startUltimate()
    const machine = `ultimate:127.0.0.1:${peer.ports.rest}`
    running = await launchApp({ args: ['--machine', machine] })
    await untilLive(running.page, machine)
    await say('suspend')
    await peer.away(600)
    await say('resume')
    await expect.poll(async () => (await stateOf(machine))?.connection).toMatch(/^(lost|connecting)$/)
    await peer.away(0)
    await expect.poll(async () => (await stateOf(machine))?.connection, { timeout: 60_000 }).toBe('live')
  })
})
