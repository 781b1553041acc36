/** Frames of 64 KiB at 50 Hz from the built-in C64 to the real window, with its four live views open, for a minute. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright'
import { launchApp, untilLive } from '../support/launchApp'
import { forgetFrames, readFrames, recordFrames } from '../support/frameRecorder'
import { bareFrames } from '../support/bareFrames'
import { touchAllPages } from '../support/touchAllPages'
import { percentile, type Row } from './row'

/** Wide enough for the four views side by side. */
const SIZE = '1800x1000'
const WARM_UP_MS = 5_000
const DURATION_MS = 60_000
/** Half a minute is enough of what does nothing but send. */
const BARE_DURATION_MS = 30_000

export default async function frames(): Promise<Row[]> {
  const bare = await bareFrames(WARM_UP_MS, BARE_DURATION_MS)
  return measureFrames(bare)
}

/** @param bare ms, of the same bytes over a bare port */
async function measureFrames(bare: readonly number[]): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bridgedeck-bench-'))
  const program = join(folder, 'touch.prg')
  await writeFile(program, touchAllPages)
  const { page, close } = await launchApp({ args: ['--size', SIZE, program] })
  try {
    await untilLive(page)
    await recordFrames(page)
    await untilLive(page)
    await delay(WARM_UP_MS)
    const heapBefore = await heapAfterCollection(page)
    await forgetFrames(page)
    const started = Date.now()
    await delay(DURATION_MS)
    const record = await readFrames(page)
    const seconds = (Date.now() - started) / 1000
    const heapGrowth = ((await heapAfterCollection(page)) - heapBefore) / 1e6
    const { latencies, bytes, drawn, superseded, dropped, longTasks } = record
    if (bytes / latencies.length < 0xc000)
      throw new Error('The frames carry little: the program that touches all pages does not run.')
    const p50 = percentile(latencies, 0.5)
    const p95 = percentile(latencies, 0.95)
    const barePercentiles = { p50: percentile(bare, 0.5), p95: percentile(bare, 0.95) }
    const ratio = p50 / barePercentiles.p50
    const longest = Math.max(0, ...longTasks)
    return [
      {
        name: 'frames arriving',
        value: latencies.length / seconds,
        unit: '/s',
        note: `${(bytes / latencies.length / 1024).toFixed(1)} KiB of memory each`,
      },
      {
        name: 'bridge to frame store, p50',
        value: p50,
        unit: 'ms',
        bare: barePercentiles.p50,
        note: 'bare is the same bytes over a bare port to an empty page',
      },
      {
        name: 'bridge to frame store, p95',
        value: p95,
        unit: 'ms',
        bare: barePercentiles.p95,
        target: 'at most 12 ms',
        met: p95 <= 12,
      },
      { name: 'ratio to a bare port, p50', value: ratio, unit: '', target: 'at most 2', met: ratio <= 2 },
      {
        name: 'frames drawn',
        value: drawn,
        unit: '',
        note: `${superseded} superseded before their paint, ${dropped} dropped by the bridge`,
      },
      {
        name: 'longest task of the window over 50 ms',
        value: longest,
        unit: 'ms',
        target: 'none',
        met: longest === 0,
        note: `${longTasks.length} of them`,
      },
      {
        name: 'heap growth after collection',
        value: heapGrowth,
        unit: 'MB',
        target: 'under 5 MB',
        met: heapGrowth < 5,
      },
    ]
  } finally {
    await close()
    await rm(folder, { recursive: true })
  }
}

async function heapAfterCollection(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize
}
