/** From the start of the process to the first live frame, against an empty window of the same Electron. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ElectronApplication } from 'playwright'
import { launchApp } from '../support/launchApp'
import { median, type Row } from './row'

const RUNS = 5

const emptyApp = `const { app, BrowserWindow } = require('electron')
app.setPath('userData', process.env.BRIDGEDECK_DATA)
app.whenReady().then(() => new BrowserWindow().loadURL('data:text/html,<html data-live="builtin">'))
`

export default async function start(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bridgedeck-bench-'))
  const entry = join(folder, 'empty.cjs')
  await writeFile(entry, emptyApp)
  const empty: number[] = []
  const ours: number[] = []
  try {
    // One run of each first, which fills the disk cache.
    for (let run = 0; run <= RUNS; run++) {
      const times = [await timeToLive(entry), await timeToLive()] as const
      if (run === 0) continue
      empty.push(times[0])
      ours.push(times[1])
    }
  } finally {
    await rm(folder, { recursive: true })
  }
  const ratio = median(ours) / median(empty)
  return [
    { name: 'start to first live frame', value: median(ours), unit: 'ms', bare: median(empty), note: `median of ${RUNS}; bare is an empty window` },
    { name: 'ratio to an empty window', value: ratio, unit: '', target: 'at most 2.5', met: ratio <= 2.5 },
  ]
}

/** ms from the creation of Electron's process to the first paint of a live page. */
async function timeToLive(entry?: string): Promise<number> {
  const { app, page, close } = await launchApp(entry === undefined ? {} : { entry })
  try {
    const handle = await page.waitForFunction(
      () => (document.documentElement.dataset['live'] === 'builtin' ? performance.timeOrigin + performance.now() : false),
      undefined,
      { timeout: 30_000 },
    )
    const live = await handle.jsonValue()
    if (live === false) throw new Error('the page never became live.')
    return live - (await processStart(app))
  } finally {
    await close()
  }
}

async function processStart(app: ElectronApplication): Promise<number> {
  const created = await app.evaluate(() => process.getCreationTime())
  if (created === null) throw new Error('Electron does not tell when its process was created.')
  return created
}
