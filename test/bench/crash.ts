/** From the violent end of the bridge process to the next live frame in the window. */
import { setTimeout as delay } from 'node:timers/promises'
import { bridgeProcess } from '../support/bridgeProcess'
import { launchApp, untilLive } from '../support/launchApp'
import { readFrames, recordFrames } from '../support/frameRecorder'
import type { Row } from './row'

export default async function crash(): Promise<Row[]> {
  const { app, page, close } = await launchApp()
  try {
    await untilLive(page)
    await recordFrames(page)
    await untilLive(page)
    await delay(1000)
    const { epochs: before } = await readFrames(page)
    process.kill(bridgeProcess({ app }), 'SIGKILL')
    const killed = performance.timeOrigin + performance.now()
    await page.waitForFunction((count) => window.frameRecord.epochs.length > count, before.length, { timeout: 30_000 })
    const recovered = (await readFrames(page)).epochs.at(-1)
    const seconds = ((recovered?.at ?? Number.NaN) - killed) / 1000
    return [
      { name: 'bridge killed to live again', value: seconds, unit: 's', target: 'at most 2 s', met: seconds <= 2 },
    ]
  } finally {
    await close()
  }
}
