/** A running VICE recorded as the record button and the command line ask for it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { BridgeClient } from '../../src-main/bridge/client'
import { createBridge } from '../../src-main/bridge/createBridge'
import { serve, type Bridge } from '../../src-main/bridge/serve'
import { memoryTransport } from '../../src-main/rpc/transport'
import { lacks } from '../support/parts'
import { startVice, type RunningVice } from './support'

const patient = { timeout: 60_000 }
const resultSchema = z.object({ summary: z.object({ frames: z.number() }) })

describe.skipIf(lacks('vice', 'xvfb'))('a recording of a VICE that somebody started', () => {
  let folder: string
  let vice: RunningVice
  let bridge: Bridge
  let client: BridgeClient
  let machine: string

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bridgedeck-vice-recording-'))
    vice = await startVice()
    bridge = createBridge({
      dataFolder: join(folder, 'data'),
      resources: resolve('out/resources/c64'),
      workerPath: resolve('out/main/builtinWorker.cjs'),
      recorderPath: resolve('out/main/recorderWorker.cjs'),
      lifetime: 'window',
      taskFolder: join(folder, 'tasks'),
      log: () => undefined,
    })
    const transport = memoryTransport()
    client = new BridgeClient(transport.control)
    serve(bridge, transport.bridge, () => undefined)
    machine = `vice:127.0.0.1:${vice.port}`
    machine = (await client.call('machine.connect', { machine })).machine
  })
  afterEach(async () => {
    client.close()
    await bridge.close()
    await vice.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const state = async () => (await client.call('machine.list', {})).machines.find((one) => one.machine === machine)
  const task = async (id: string) => (await client.call('tasks.show', { id })).task
  const start = async (operation: 'record' | 'sample', args = {}) =>
    (await client.call('tasks.start', { operation, machine, type: 'background', args, intervalMs: 200 })).id

  it('samples it while it is recorded, says what that can do, and counts only runs that recorded something', async () => {
    const before = await state()
    const isOld = before?.sampling.mode === 'off'
    const id = await start('record')
    await expect.poll(async () => (await task(id)).iterations, patient).toBeGreaterThan(3)
    expect((await state())?.sampling.mode).not.toBe('off')
    const { iterations } = await client.call('tasks.stop', { id })
    const { result, log } = await client.call('tasks.show', { id })
    const { frames } = resultSchema.parse(result).summary
    expect(frames).toBeGreaterThanOrEqual(iterations ?? 0)
    expect((await client.call('recorder.info', { recording: id })).frames).toBe(frames)
    expect(log.text.includes('glitch')).toBe(isOld)
    expect(JSON.stringify(result).includes('glitch')).toBe(isOld)
    await expect.poll(async () => (await state())?.sampling.mode).toBe(before?.sampling.mode)
  })

  it('takes samples at its schedule, and says what reading can do', async () => {
    const isOld = (await state())?.samplingRisk !== null
    const id = await start('sample', { ranges: ['$D012'] })
    await expect.poll(async () => (await task(id)).iterations, patient).toBeGreaterThan(2)
    await client.call('tasks.stop', { id })
    expect((await client.call('recorder.info', { recording: id })).frames).toBeGreaterThan(2)
    expect((await client.call('tasks.show', { id })).log.text.includes('glitch')).toBe(isOld)
  })
})
