import { resolve } from 'node:path'
import { formatAddress, formatByte } from '@shared/c64/address'
import { petsciiToText } from '@shared/c64/petscii'
import {
  conditions,
  exportFormats,
  MOST_CHANGES,
  type Change,
  type Damage,
  type ExportWish,
  type RecordingSummary,
} from '@shared/contract/recorder'
import { AppError } from '@shared/contract/errors'
import type { Arguments, CommandLineName } from './arguments'
import { hexDump, hexString } from './hexDump'
import type { Call, Operation } from './operations'
import { requireHome } from './tasks'
import { UsageError } from './usage'

type RecordingCommand = Extract<CommandLineName, `recording ${string}`>
type Question = (call: Call, about: { readonly recording: string; readonly start: number }) => Promise<void>

export const recordingOperations: Readonly<Record<RecordingCommand, Operation>> = {
  async 'recording list'(call) {
    const { session, output, signal } = call
    await requireHome(call)
    const { recordings } = await session.client.call('recorder.list', {}, signal)
    output.result({ recordings: recordings.map(inIso) }, recordings.map(line).join('\n'))
  },

  async 'recording info'(call) {
    const { words, session, output, signal } = call
    await requireHome(call)
    const info = await session.client.call('recorder.info', { recording: words.positionals(1)[0] ?? '' }, signal)
    const { spaces, picture, registers, missing, epochs } = info
    const holds = [...spaces, ...(picture ? ['picture'] : []), ...(registers ? ['registers'] : [])]
    const more = [`holds ${holds.join(', ')}`, `${missing} samples are not in it`]
    output.result(
      { ...inIso(info), epochs: epochs.map(({ from, ...epoch }) => ({ ...epoch, from: iso(from) })) },
      [line(info), ...more].join('\n'),
    )
  },

  async 'recording query'(call) {
    const [recording = '', name = ''] = call.words.positionals(2)
    const question = questions.get(name)
    if (!question) throw new UsageError(`A recording is asked for ${[...questions.keys()].join(', ')}, not “${name}”.`)
    await question(call, { recording, start: await startOf(call, recording) })
  },

  async 'recording export'(call) {
    const { words, session, output, folder, signal } = call
    const [recording = '', file = ''] = words.positionals(2)
    const wish = exportWish(words, await startOf(call, recording))
    const path = resolve(folder, file)
    const { bytes, damages } = await session.client.call('recorder.exportTo', { recording, path, wish }, signal)
    output.result(
      { recording, path, bytes, ...damaged(damages) },
      withDamages([`${bytes} bytes are in ${file}.`], damages),
    )
  },
}

const questions: ReadonlyMap<string, Question> = new Map<string, Question>([
  [
    'image',
    async ({ words, session, output, signal }, { recording, start }) => {
      const { space, address } = words
      const length = words.number('length', {
        min: 1,
        max: 0x10000 - address,
        fallback: Math.min(256, 0x10000 - address),
      })
      const moment = await session.client.call(
        'recorder.imageAt',
        { recording, time: timeAt(words, start), spaces: [space], picture: false },
        signal,
      )
      const found = partOf(moment.segments, address, length)
      const data = {
        time: iso(moment.time),
        frame: moment.frame,
        address: formatAddress(address),
        bank: space,
        bytes: hexString(found),
      }
      output.result(data, `${data.time}\n${hexDump(address, found, (byte) => petsciiToText(byte, 'upper') ?? '.')}`)
    },
  ],
  [
    'changes',
    async ({ words, session, output, signal }, { recording, start }) => {
      const limit = words.number('limit', { min: 1, max: MOST_CHANGES, fallback: 1000 })
      const { changes, total, damages } = await session.client.call(
        'recorder.changes',
        { ...cell(words, recording, start), order: 'first', limit },
        signal,
      )
      const rest = total > changes.length ? [`${total - changes.length} more`] : []
      output.result(
        { changes: changes.map(changeData), total, ...damaged(damages) },
        withDamages([...changes.map(changeLine), ...rest], damages),
      )
    },
  ],
  [
    'values',
    async ({ words, session, output, signal }, { recording, start }) => {
      const points = words.number('points', { min: 2, max: 20_000, fallback: 1000 })
      const answer = await session.client.call('recorder.values', { ...cell(words, recording, start), points }, signal)
      const values = answer.points.map(({ time, ...values }) => ({ time: iso(time), ...values }))
      const lines = values.map(
        ({ time, value, low, high }) =>
          `${time}  ${formatByte(value)}${low === high ? '' : `  ${formatByte(low)} to ${formatByte(high)}`}`,
      )
      output.result({ values, exact: answer.exact, ...damaged(answer.damages) }, withDamages(lines, answer.damages))
    },
  ],
  [
    'first',
    async ({ words, session, output, signal }, { recording, start }) => {
      const is = words.choice('is', conditions)
      const value = words.has('value') ? { value: words.number('value', { min: 0, max: 255, fallback: 0 }) } : {}
      const { found, damages } = await session.client.call(
        'recorder.firstWhen',
        { ...cell(words, recording, start), condition: { is, ...value } },
        signal,
      )
      output.result(
        { found: found && changeData(found), ...damaged(damages) },
        withDamages([found ? changeLine(found) : 'It never did.'], damages),
      )
    },
  ],
  [
    'difference',
    async ({ words, session, output, signal }, { recording, start }) => {
      const [from, to] = [words.time('from', start), words.time('to', start)]
      if (from === undefined || to === undefined) throw new UsageError('A difference needs --from and --to.')
      const { ranges, unknown } = await session.client.call(
        'recorder.difference',
        { recording, space: words.space, times: [from, to] },
        signal,
      )
      const told = ranges.map(({ address, before, after }) => ({
        address: formatAddress(address),
        before: hexString(before),
        after: hexString(after),
      }))
      const lines = told.map(({ address, before, after }) => `${address}  ${before} -> ${after}`)
      const data = {
        ranges: told,
        unknown: unknown.map(({ address, length }) => ({ address: formatAddress(address), length })),
      }
      output.result(data, lines.length === 0 ? 'Nothing differs.' : lines.join('\n'))
    },
  ],
])

/** When the recording starts, which times may be told from; 0 without frames. */
async function startOf(call: Call, recording: string): Promise<number> {
  const { session, signal } = call
  await requireHome(call)
  return (await session.client.call('recorder.info', { recording }, signal)).from ?? 0
}

function exportWish(words: Arguments, start: number): ExportWish {
  const format = words.choice('format', exportFormats)
  const subject = words.has('sprite') ? { sprite: words.number('sprite', { min: 0, max: 7, fallback: 0 }) } : 'screen'
  switch (format) {
    case 'csv':
      return {
        format,
        space: words.space,
        address: words.address,
        length: words.number('length', { min: 1, max: 256, fallback: 1 }),
        ...span(words, start),
      }
    case 'raw':
      return {
        format,
        space: words.space,
        address: words.address,
        length: words.number('length', { min: 1, max: 0x10000, fallback: 256 }),
        time: timeAt(words, start),
      }
    case 'png':
      return { format, subject, time: timeAt(words, start) }
    case 'apng': {
      const every = words.number('every', { min: 1, max: 1000, fallback: 2 })
      const rate = words.number('rate', { min: 1, max: 60, fallback: 25, whole: false })
      return { format, subject, ...span(words, start), every, rate }
    }
  }
}

const cell = (words: Arguments, recording: string, start: number) => ({
  recording,
  space: words.space,
  address: words.address,
  ...span(words, start),
})

const span = (words: Arguments, start: number) => ({ from: words.time('from', start), to: words.time('to', start) })

function timeAt(words: Arguments, start: number): number {
  const time = words.time('at', start)
  if (time === undefined) throw new UsageError('--at is missing.')
  return time
}

/** @throws AppError NOT_FOUND unless all of it was recorded */
function partOf(
  segments: readonly { address: number; bytes: Uint8Array }[],
  address: number,
  length: number,
): Uint8Array {
  const found = segments.find(
    (segment) => segment.address <= address && segment.address + segment.bytes.length >= address + length,
  )
  if (!found)
    throw new AppError('NOT_FOUND', `Not all of the ${length} bytes from ${formatAddress(address)} were recorded.`, {
      hint: 'recording info says which banks were.',
    })
  return found.bytes.subarray(address - found.address, address - found.address + length)
}

const iso = (time: number): string => new Date(time).toISOString()

const inIso = <Recording extends RecordingSummary>(recording: Recording) => ({
  ...recording,
  from: recording.from === null ? null : iso(recording.from),
  to: recording.to === null ? null : iso(recording.to),
})

function line({ recording, machine, from, to, frames, bytes, open, problem }: RecordingSummary): string {
  if (problem !== null) return `${recording}  ${problem}`
  const seconds = from === null || to === null ? 0 : (to - from) / 1000
  return `${recording}  ${machine ?? ''}  ${frames} frames in ${seconds.toFixed(1)} s, ${(bytes / 1024 / 1024).toFixed(1)} MiB${open ? ', being recorded' : ''}`
}

const changeData = ({ time, ...change }: Change) => ({ time: iso(time), ...change })
const changeLine = ({ time, value, before }: Change): string =>
  `${iso(time)}  ${before === null ? '   ' : formatByte(before)} -> ${formatByte(value)}`

const damaged = (damages: readonly Damage[]) => ({
  damages: damages.map(({ from, to, message }) => ({ from: iso(from), to: iso(to), message })),
})
const withDamages = (lines: readonly string[], damages: readonly Damage[]): string =>
  [
    ...lines,
    ...damages.map(({ from, to, message }) => `From ${iso(from)} to ${iso(to)} nothing is known: ${message}`),
  ].join('\n')
