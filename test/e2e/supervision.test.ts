/** The bridge process dies while the window is open: over the utility process with a small bridge, and with the real one. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { readFrames, recordFrames } from '../support/frameRecorder'
import { untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { SharedApp } from '../support/sharedApp'
import {
  bridgeProcess,
  bridgeState,
  collectBridgeStates,
  firstEpoch,
  launchWithEchoBridge,
  untilBridge,
  watchForText,
} from './support'

let running: RunningApp

const crash = () =>
  running.page.evaluate(() => window.bridgedeck.machine.typeText({ machine: 'builtin', text: 'crash' }))

describe.skipIf(lacks('electron', 'xvfb'))('the utility process', () => {
  // Its own start: the shared window has the real bridge.
  beforeAll(async () => {
    running = await launchWithEchoBridge()
  })
  afterAll(() => running.close())

  /** Each test has a new bridge, none that ended before it, and a page that collects nothing yet. */
  beforeEach(async () => {
    await running.page.evaluate(() => window.bridgedeck.window.restartBridge({}))
    await running.page.reload()
    await untilBridge(running.page, 'ready')
  })

  it('tells events and delivers frames of 64 KiB over a port of its own', async () => {
    const { page } = running
    const frame = await page.evaluate(
      () =>
        new Promise<number[]>((done) => {
          const nonce = crypto.randomUUID()
          const seqs: number[] = []
          window.addEventListener('message', ({ data, ports: [port] }) => {
            if (data !== nonce || !port) return
            port.onmessage = ({
              data: { frame },
            }: MessageEvent<{ frame: { seq: number; segments: { bytes: Uint8Array }[] } }>) => {
              const [segment] = frame.segments
              if (segment?.bytes.buffer.byteLength !== 65_536) return
              seqs.push(frame.seq)
              port.postMessage({ kind: 'credit' })
              if (seqs.length === 20) done(seqs)
            }
            port.postMessage({ kind: 'subscribe', machine: 'builtin', spaces: ['ram'], picture: false })
          })
          void window.bridgedeck.connectPort('frames', nonce)
        }),
    )
    expect(frame).toEqual(Array.from({ length: 20 }, (_, index) => index))

    const event = await page.evaluate(async () => {
      const heard = new Promise((resolve) => window.bridgedeck.onEvent('machine.states', resolve))
      await window.bridgedeck.machine.typeText({ machine: 'builtin', text: 'event' })
      return heard
    })
    expect(event).toEqual({ machines: [] })
  })

  it('cannot tell an event that is main’s', async () => {
    const { page } = running
    const states = await collectBridgeStates(page)
    await page.evaluate(() => window.bridgedeck.machine.typeText({ machine: 'builtin', text: 'false event' }))
    // What it tells arrives in its order: once this one is there, the false one would be.
    await page.evaluate(async () => {
      const heard = new Promise((resolve) => window.bridgedeck.onEvent('machine.states', resolve))
      await window.bridgedeck.machine.typeText({ machine: 'builtin', text: 'event' })
      await heard
    })
    expect(await states()).toEqual([])
  })

  it('is reported and started again when it is killed, and what was pending is told at once', async () => {
    const { page } = running
    const states = await collectBridgeStates(page)
    const before = await firstEpoch(page)
    const pending = page.evaluate(() => window.bridgedeck.machine.typeText({ machine: 'builtin', text: 'never' }))
    expect(await crash()).toMatchObject({ ok: false, error: { code: 'BRIDGE_DOWN' } })
    expect(await pending).toMatchObject({ ok: false, error: { code: 'BRIDGE_DOWN' } })
    await expect.poll(states).toEqual(['restarting', 'ready'])
    expect(await bridgeState(page)).toMatchObject({ state: 'ready', recentEnds: 1 })
    expect(await firstEpoch(page)).toBeGreaterThan(before)
  })

  it('is killed and started again when it is stuck', async () => {
    const { page } = running
    const answer = await page.evaluate(() => window.bridgedeck.machine.typeText({ machine: 'builtin', text: 'hang' }))
    expect(answer).toMatchObject({ ok: false, error: { code: 'BRIDGE_DOWN' } })
    await untilBridge(page, 'ready')
  })

  it('is started anew when the person says so, which counts as no end of the next', async () => {
    const { page } = running
    for (let times = 0; times < 5; times++) {
      const epoch = await firstEpoch(page)
      await page.evaluate(() => window.bridgedeck.window.restartBridge({}))
      await untilBridge(page, 'ready')
      expect(await firstEpoch(page)).toBeGreaterThan(epoch)
    }
    expect(await bridgeState(page)).toMatchObject({ state: 'ready', recentEnds: 0 })
  })

  it('is not started again after the fourth end, until the person says so', async () => {
    const { page } = running
    // On a busy computer one may also end because it was silent for too long.
    for (let ends = 0; ends < 4; ends = (await bridgeState(page)).recentEnds) {
      await crash()
      const isOver = async () => {
        const { state, recentEnds } = await bridgeState(page)
        return recentEnds > ends && (state === 'ready' || state === 'failed')
      }
      await expect.poll(isOver).toBe(true)
    }
    const failed = await bridgeState(page)
    expect(failed).toMatchObject({ state: 'failed', recentEnds: 4 })
    expect(failed.reason).toContain('no longer restarts it')
    // Nothing tells that no restart will come: the next one would have come after 2 s.
    await page.waitForTimeout(3_000)
    expect((await bridgeState(page)).state).toBe('failed')
    expect(await crash()).toMatchObject({ ok: false, error: { code: 'BRIDGE_DOWN' } })
    await page.evaluate(() => window.bridgedeck.window.restartBridge({}))
    await untilBridge(page, 'ready')
    expect((await bridgeState(page)).recentEnds).toBe(0)
  })
})

describe.skipIf(lacks('electron', 'xvfb'))('the real bridge', () => {
  const shared = new SharedApp()
  // Its page records frames at each load.
  afterAll(() => shared.end())

  beforeEach(async () => {
    running = await shared.open('--size=1280x800')
    await untilLive(running.page)
    await recordFrames(running.page)
    await untilLive(running.page)
  })

  /** Frames of a new epoch arrive on the page's own port. */
  const untilNewEpoch = (before: number) =>
    running.page.waitForFunction((count) => window.frameRecord.epochs.length > count, before, { timeout: 60_000 })
  const epochs = async () => (await readFrames(running.page)).epochs.length
  /** A machine that reconnects begins a new epoch too, so the next bridge may still be on its way. */
  const killBridge = async () =>
    process.kill(await vi.waitFor(() => bridgeProcess(running), { timeout: 60_000 }), 'SIGKILL')

  it('is killed, and the window reports it, starts it again and goes live by itself', async () => {
    const { page } = running
    const states = await collectBridgeStates(page)
    const before = await epochs()
    const untilReported = await watchForText(page, 'it is being started again')
    process.kill(bridgeProcess(running), 'SIGKILL')
    await untilReported()
    await untilNewEpoch(before)
    await expect.poll(states).toEqual(['restarting', 'ready'])
    await page.getByText('it is being started again').waitFor({ state: 'detached' })
  })

  it('is killed four times: the window says that it gave up, and brings it back when asked', async () => {
    const { page } = running
    for (let end = 1; end <= 3; end++) {
      const before = await epochs()
      await killBridge()
      await untilNewEpoch(before)
    }
    const before = await epochs()
    const states = await collectBridgeStates(page)
    await killBridge()
    await page.getByRole('alert').filter({ hasText: 'fourth time in five minutes' }).waitFor()
    expect((await bridgeState(page)).state).toBe('failed')
    await page.getByRole('button', { name: 'Start it again' }).click()
    await untilNewEpoch(before)
    expect(await bridgeState(page)).toEqual({ state: 'ready', reason: null, recentEnds: 0 })
    expect(await states()).toEqual(['failed', 'starting', 'ready'])
  })

  it('ends with the window', async () => {
    const bridge = bridgeProcess(running)
    await shared.end()
    await expect.poll(() => isAlive(bridge)).toBe(false)
  })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
