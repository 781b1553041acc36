/** Files of graphics: a sheet as large as all of memory. */
import { performance } from 'node:perf_hooks'
import { zlibSync } from 'fflate'
import { png } from '@shared/graphics/formats/png'
import { exportOptions, sheet } from '../support/graphicsSamples'
import { median, type Row } from './row'

const SPRITES = 1024
const TIMES = 9

const medianOf = (work: () => unknown): number =>
  median(
    Array.from({ length: TIMES }, () => {
      const started = performance.now()
      work()
      return performance.now() - started
    }),
  )

export default function graphicsExports(): Promise<Row[]> {
  const sprites = sheet(SPRITES)
  const options = { ...exportOptions, columns: 32 }
  const value = medianOf(() => png.write?.([sprites], options))
  const raw = new Uint8Array(SPRITES * 24 * 21)
  return Promise.resolve([
    {
      name: 'PNG of 1,024 sprites',
      value,
      unit: 'ms',
      target: 'under 300 ms',
      met: value < 300,
      bare: medianOf(() => zlibSync(raw)),
      note: 'bare is packing as many pixels of one colour',
    },
    {
      name: 'the same, twice as large',
      value: medianOf(() => png.write?.([sprites], { ...options, scale: 2 })),
      unit: 'ms',
    },
  ])
}
