/** From the violent end of the bridge process, or its standstill, to the next live frame in the window. */
import { setTimeout as delay } from 'node:timers/promises'
import { bridgeProcess } from '../support/bridgeProcess'
import { launchApp, untilLive } from '../support/launchApp'
import { readFrames, recordFrames } from '../support/frameRecorder'
import type { Row } from './row'

export default async function crash(): Promise<Row[]> {
  const killed = await measure('SIGKILL')
  const stopped = await measure('SIGSTOP')
  const row = (name: string, value: number, limit: number): Row => ({
    name,
    value,
    unit: 's',
    target: `at most ${limit} s`,
    met: value <= limit,
  })
  return [
    row('bridge killed to live again', killed.live, 1),
    row('bridge stopped (SIGSTOP) to noticed', stopped.noticed, 2),
    row('bridge stopped (SIGSTOP) to live again', stopped.live, 3),
  ]
}

/** In an app of its own: the second restart within five minutes waits longer. Seconds. */
async function measure(signal: NodeJS.Signals): Promise<{ noticed: number; live: number }> {
  const { app, page, close } = await launchApp()
  try {
    await untilLive(page)
    await recordFrames(page)
    await untilLive(page)
    await delay(1000)
    const { epochs: before } = await readFrames(page)
    const noticed = page.evaluate(
      () =>
        new Promise<number>((done) => {
          window.bridgedeck.onEvent('bridge.state', ({ state }) => {
            if (state === 'restarting') done(performance.timeOrigin + performance.now())
          })
        }),
    )
    process.kill(bridgeProcess({ app }), signal)
    const sent = performance.timeOrigin + performance.now()
    await page.waitForFunction((count) => window.frameRecord.epochs.length > count, before.length, { timeout: 30_000 })
    const live = (await readFrames(page)).epochs.at(-1)?.at ?? Number.NaN
    return { noticed: ((await noticed) - sent) / 1000, live: (live - sent) / 1000 }
  } finally {
    await close()
  }
}
