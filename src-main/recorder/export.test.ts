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
function recordAt(times: readonly number[], valueOf = (seq: number) => seq + 1): string {
  const file = join(folder, 'recording.sqlite')
  const writer = new RecordingWriter(file)
  for (const [seq, time] of times.entries()) {
    const pixels = new Uint8Array((384 * 272) / 2).fill((seq % 16) * 0x11)
    const segments = [{ space: 'ram' as const, address: 0xc000, bytes: Uint8Array.of(valueOf(seq)) }]
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

  const rowsOf = (csv: Buffer) => {
    const [, ...rows] = csv.toString().trimEnd().split('\n')
    return rows.map((row) => {
      const [, time, , , address, value] = row.split(',')
      return [Number(time) - START, address, value]
    })
  }
  const bytes = { format: 'csv', space: 'ram', address: 0xc000, length: 1 } as const

  it('of a byte that was not recorded is refused, and not saved empty', () => {
    const file = recordAt([0, 20])
    expect(() => exported(file, { ...bytes, address: 0xd000 })).toThrow(
      expect.objectContaining({ code: 'NOT_FOUND', message: '$D000 was not recorded.' }),
    )
    expect(() => exported(file, { ...bytes, length: 3 })).toThrow(/2 of the 3 bytes from \$C000 were not recorded/)
    expect(() => exported(file, { ...bytes, from: START + 100 })).toThrow(
      expect.objectContaining({ code: 'NOT_FOUND' }),
    )
  })

  it('begins with the value at the start of its span', () => {
    const rows = rowsOf(exported(recordAt([0, 20, 40]), { ...bytes, from: START + 20 }))
    expect(rows).toEqual([
      [20, '0xC000', '0x02'],
      [40, '0xC000', '0x03'],
    ])
  })

  it('of samples has a line for each, changed or not', () => {
    const file = recordAt([0, 20, 40], () => 7)
    expect(rowsOf(exported(file, bytes))).toEqual([[0, '0xC000', '0x07']])
    expect(rowsOf(exported(file, { ...bytes, rows: 'samples' }))).toEqual([
      [0, '0xC000', '0x07'],
      [20, '0xC000', '0x07'],
      [40, '0xC000', '0x07'],
    ])
  })
})

describe('the values of a byte', () => {
  const gapsOf = (times: readonly number[], span: { from?: number; to?: number } = {}) => {
    const reader = new RecordingReader(recordAt(times))
    try {
      const { gaps } = reader.values('ram', 0xc000, span, 100)
      return gaps.map(({ from, to }) => [from - START, to - START])
    } finally {
      reader.close()
    }
  }

  it('say where samples are missing', () => {
    expect(gapsOf([0, 20, 40, 540, 560, 580, 2000])).toEqual([
      [60, 540],
      [600, 2000],
    ])
  })

  it('say nothing of samples that are late by less than two', () => {
    expect(gapsOf([0, 100, 240, 300, 400])).toEqual([])
    expect(gapsOf([0])).toEqual([])
  })

  it('say so of their span alone', () => {
    expect(gapsOf([0, 20, 40, 540, 560, 580, 2000], { from: START + 545, to: START + 570 })).toEqual([])
  })
})
