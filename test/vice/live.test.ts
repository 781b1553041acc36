/** What a newcomer sees of VICE: through a whole bridge, with its settings as they come. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MachineState } from '@shared/contract/machine'
import { isFrameDelivery, type FrameDelivery } from '@shared/contract/frames'
import { BridgeClient } from '../../src-main/bridge/client'
import { createBridge } from '../../src-main/bridge/createBridge'
import { serve, type Bridge } from '../../src-main/bridge/serve'
import { memoryTransport } from '../../src-main/rpc/transport'
import { lacks } from '../support/parts'
import { startVice } from './support'

describe.skipIf(lacks('vice', 'xvfb'))('VICE in a window', () => {
  let folder: string
  let bridge: Bridge
  let client: BridgeClient
  let transport: ReturnType<typeof memoryTransport>
  const cleanUps: (() => unknown)[] = []

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bridgedeck-live-'))
    bridge = createBridge({
      dataFolder: join(folder, 'data'),
      resources: resolve('out/resources/c64'),
      workerPath: resolve('out/main/builtinWorker.cjs'),
      recorderPath: resolve('out/main/recorderWorker.cjs'),
      lifetime: 'window',
      log: () => undefined,
    })
    transport = memoryTransport()
    client = new BridgeClient(transport.control)
    serve(bridge, transport.bridge, () => undefined)
  })
  afterEach(async () => {
    client.close()
    await bridge.close()
    for (const cleanUp of cleanUps.splice(0)) await cleanUp()
    rmSync(folder, { recursive: true, force: true })
  })

  function watch(machine: string): FrameDelivery[] {
    const port = transport.openPort('frames')
    const frames: FrameDelivery[] = []
    port.onMessage((message) => {
      if (!isFrameDelivery(message)) throw new Error('no delivery')
      frames.push(message)
      port.post({ kind: 'credit' })
    })
    port.post({ kind: 'subscribe', machine, spaces: ['ram'], picture: true })
    return frames
  }

  const stateOf = async (machine: string): Promise<MachineState | undefined> =>
    (await client.call('machine.list', {})).machines.find((state) => state.machine === machine)

  it('is live at once, frame by frame, where Bridgedeck starts it', async () => {
    const frames = watch('vice')
    await client.call('machine.connect', { machine: 'vice' })
    await expect.poll(() => frames.length).toBeGreaterThan(25)
    const state = await stateOf('vice')
    expect(state).toMatchObject({ connection: 'live', execution: 'running', sampling: { mode: 'lockStep' } })
    const isOld = /^VICE 3\.[0-8](\.|$)/.test(state?.version ?? '')
    expect(state?.notices.some((notice) => notice.includes('may glitch while watched'))).toBe(isOld)
  })

  it('that runs already is asked for first where looking can disturb its program', async () => {
    const vice = await startVice()
    cleanUps.push(() => vice.stop())
    const machine = `vice:${vice.port}`
    const frames = watch(machine)
    await client.call('machine.connect', { machine })
    const state = await stateOf(machine)
    const isOld = /^VICE 3\.[0-8](\.|$)/.test(state?.version ?? '')
    expect(state?.sampling.mode).toBe(isOld ? 'off' : 'free')
    if (isOld) expect(frames.length).toBeLessThanOrEqual(1)
  })

  it('keeps to what the user chose for it', async () => {
    await client.call('settings.set', { viceSampling: { mode: 'free', rate: 5 } })
    await client.call('machine.connect', { machine: 'vice' })
    expect((await stateOf('vice'))?.sampling).toMatchObject({ mode: 'free', rate: 5 })
  })
})
