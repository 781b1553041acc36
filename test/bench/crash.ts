/** From the violent end of the bridge process to the next live frame in the window. */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
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
    const main = app.process().pid
    if (main === undefined) throw new Error('Electron’s process id is not known.')
    process.kill(bridgeProcess(main), 'SIGKILL')
    const killed = performance.timeOrigin + performance.now()
    await page.waitForFunction((count) => window.frameRecord.epochs.length > count, before.length, { timeout: 30_000 })
    const recovered = (await readFrames(page)).epochs.at(-1)
    const seconds = ((recovered?.at ?? Number.NaN) - killed) / 1000
    return [{ name: 'bridge killed to live again', value: seconds, unit: 's', target: 'at most 2 s', met: seconds <= 2 }]
  } finally {
    await close()
  }
}

/** The child of Electron's main process that runs the bridge; Linux only. */
function bridgeProcess(main: number): number {
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const parent = /^PPid:\t(\d+)/m.exec(readFileSync(`/proc/${entry}/status`, 'utf8'))?.[1]
      if (Number(parent) === main && readFileSync(`/proc/${entry}/cmdline`, 'utf8').includes('bridge.cjs')) return Number(entry)
    } catch {
      // It ended while we looked.
    }
  }
  throw new Error('the bridge process was not found.')
}
