import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeApng } from 'fast-png'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ExportRequest } from '@shared/contract/recorder'
import { exportRecording } from './export'
import { RecordingReader } from './reader'
import { RecordingWriter } from './writer'

const START = 1_790_000_000_000

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-export-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Records a picture and $C000 at each time, ms since the start: each of the colour and value of its number. */
function recordAt(times: readonly number[]): string {
  const file = join(folder, 'recording.sqlite')
  const writer = new RecordingWriter(file)
  for (const [seq, time] of times.entries()) {
    const pixels = new Uint8Array((384 * 272) / 2).fill((seq % 16) * 0x11)
    const segments = [{ space: 'ram' as const, address: 0xc000, bytes: Uint8Array.of(seq + 1) }]
    const picture = { width: 384 as const, height: 272 as const, pixels }
    writer.append({ machine: 'builtin', epoch: 1, seq, time: START + time, segments, picture })
  }
  writer.close()
  return file
}

function exported(file: string, request: ExportRequest): Buffer {
  const reader = new RecordingReader(file)
  const to = join(folder, 'exported')
  try {
    for (const _ of exportRecording(reader, to, request));
    return readFileSync(to)
  } finally {
    reader.close()
  }
}

/** For how long each picture of the animation is shown, ms. */
const playedMs = (file: string, request: { every?: number; from?: number; to?: number } = {}): number[] =>
  decodeApng(exported(file, { format: 'apng', subject: 'screen', every: 1, ...request }), {
    checkCrc: true,
  }).frames.map(({ delayNumber, delayDenominator }) => (1000 * delayNumber) / delayDenominator)

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

describe('an animated PNG', () => {
  it('plays as long as was recorded, where samples are missing too', () => {
    expect(playedMs(recordAt([0, 20, 40, 540, 560]))).toEqual([20, 20, 500, 20, 20])
  })

  it('plays two seconds of frames at odd times in two seconds, also where some are left out', () => {
    const file = recordAt(Array.from({ length: 57 }, (_, index) => (index * 2000) / 56))
    expect(sum(playedMs(file))).toBeCloseTo(2000 + 2000 / 56, -0.5)
    expect(sum(playedMs(file, { every: 7 }))).toBeCloseTo(2250, -0.5)
  })

  it('shows a picture for minutes and hours, and a lone one for a moment', () => {
    expect(playedMs(recordAt([0, 100_000, 5_100_000, 5_100_020]))).toEqual([100_000, 5_000_000, 20, 20])
    rmSync(join(folder, 'recording.sqlite'))
    expect(playedMs(recordAt([0]))).toEqual([20])
  })

  it('begins and ends with the span', () => {
    const span = { from: START + 20, to: START + 540 }
    expect(playedMs(recordAt([0, 20, 40, 540, 560]), span)).toEqual([20, 500, 500])
  })
})

describe('a CSV', () => {
  it('says when each change was recorded', () => {
    const times = [0, 20.5, 40, 540.25]
    const request = { format: 'csv', space: 'ram', address: 0xc000, length: 1 } as const
    const [, ...rows] = exported(recordAt(times), request).toString().trimEnd().split('\n')
    expect(rows.map((row) => Number(row.split(',')[1]) - START)).toEqual(times)
    expect(rows.map((row) => Date.parse(row.split(',')[0] ?? ''))).toEqual(
      times.map((time) => START + Math.trunc(time)),
    )
  })
})
