import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { AddressSpan } from '@shared/c64/differingRanges'
import type { Segment } from '@shared/contract/frames'
import type { Space } from '@shared/contract/memory'
import { coalesce } from '../../machine/readPlan'
import { defineOperation, type OperationContext } from '../operation'
import { ranges, reportRange, space, wholeNumber } from './arguments'
import { hexOf } from './memory'
import { warnOfSampling } from './samplingRisk'

/** Ranges at most this many bytes apart are read in one go, as each stop of the machine costs more. */
const GAP = 32

export const sample = defineOperation({
  name: 'sample',
  title: 'Sample memory',
  does: 'Reads ranges of memory repeatedly, and records them with their times. A recurring task takes one sample per run.',
  needs: ['readMemory'],
  writes: false,
  savesFiles: true,
  arguments: z.strictObject({
    ranges: ranges('What to read: $D020, $0400-$07E7 or $0400+1000.').refine((all) => all.length > 0, {
      error: 'one range at least',
    }),
    space: space(),
    rate: z
      .number()
      .min(0.01)
      .max(60)
      .default(10)
      .meta({ description: 'Samples per second. A recurring task follows its schedule instead.' }),
    durationMs: wholeNumber(
      1,
      86_400_000,
      'How long to go on. A recurring task goes by its schedule instead.',
    ).prefault(10_000),
  }),
  run: async (context, { ranges, space, rate, durationMs }) => {
    const { signal, recurring } = context
    const note = warnOfSampling(context)
    const total = recurring ? 1 : Math.max(1, Math.round((durationMs * rate) / 1000))
    // Opening takes as long as many samples, which would then be missed.
    await context.openRecording()
    const start = performance.now()
    let samples = 0
    let missed = 0
    let last: readonly Segment[] = []
    for (let tick = 0; tick < total; tick++) {
      const due = start + (tick * 1000) / rate
      // A missed sample is skipped: making up for it would only delay the next.
      if (performance.now() > due + 1000 / rate && tick + 1 < total) {
        missed++
        continue
      }
      await sleep(Math.max(0, due - performance.now()), undefined, { signal })
      last = await take(context, space, ranges)
      await context.record({ time: performance.timeOrigin + performance.now(), segments: last })
      samples++
      context.progress(tick + 1, total, `${samples} samples`)
    }
    const values = Object.fromEntries(
      last.map(({ address, bytes }) => [reportRange({ address, length: bytes.length }), hexOf(bytes)]),
    )
    return { summary: { samples, missed, space, values, ...note }, counts: { samples, missed }, value: values }
  },
})

async function take(
  { machine, signal }: OperationContext,
  space: Space,
  ranges: readonly AddressSpan[],
): Promise<Segment[]> {
  const wanted = coalesce(
    ranges.map((range) => ({ space, ...range })),
    0,
  )
  const pieces: Segment[] = []
  for (const piece of coalesce(wanted, GAP))
    pieces.push({ space, address: piece.address, bytes: await machine.readMemory(piece, signal) })
  return wanted.flatMap(({ address, length }) => {
    const piece = pieces.find((one) => address >= one.address && address + length <= one.address + one.bytes.length)
    return piece
      ? [{ space, address, bytes: piece.bytes.slice(address - piece.address, address - piece.address + length) }]
      : []
  })
}
