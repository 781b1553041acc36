import { formatAddress, formatByte } from '@shared/c64/address'
import { conditions, MAX_CHANGES, type Condition } from '@shared/contract/recorder'
import { AppError } from '@shared/contract/errors'
import { defineCommand, type CommandContext, type Values } from '../../command'
import { hexDump, hexString } from '../../hexDump'
import { memoryRange, printable } from '../../memoryRange'
import { EXIT_OK } from '../../exitCodes'
import {
  address,
  bank,
  choice,
  number,
  recordingTime,
  required,
  requireValue,
  timeIn,
  withDefault,
} from '../../parameters'
import { homeOption } from '../task/taskSession'
import {
  changeData,
  changeLine,
  damageData,
  iso,
  openRecording,
  recordingId,
  withDamages,
  type RecordingOf,
} from './about'
import { recordingGroup as group } from './group'

const options = {
  address: address('The byte; for all queries except difference.'),
  length: number('N', 'image: bytes. Default: 256, or up to $FFFF.', { min: 1, max: 0x10000 }),
  bank: bank(),
  at: recordingTime('image: the time.'),
  from: recordingTime('The first time. Default: the start of the recording.'),
  to: recordingTime('The last time. Default: the end of the recording.'),
  limit: withDefault(number('N', 'changes: at most this many.', { min: 1, max: MAX_CHANGES }), 1000),
  points: withDefault(number('N', 'values: at most this many.', { min: 2, max: 20_000 }), 1000),
  is: choice('CONDITION', 'first: the condition for the byte.', conditions),
  value: number('VALUE', 'first: the value to compare with.', { min: 0, max: 255 }),
  home: homeOption,
}

type Query = Values<typeof options>
type Question = (context: CommandContext, asked: RecordingOf, query: Query) => Promise<void>

const cellOf = ({ recording, start }: RecordingOf, { bank, address, from, to }: Query) => ({
  recording,
  space: bank,
  address: requireValue(address, '--address'),
  from: from && timeIn(from, start),
  to: to && timeIn(to, start),
})

const image: Question = async ({ output, signal }, { session, recording, start }, query) => {
  const { space, address, length } = memoryRange({ ...query, address: requireValue(query.address, '--address') })
  const time = timeIn(requireValue(query.at, '--at'), start)
  const moment = await session.client.call(
    'recorder.imageAt',
    { recording, time, spaces: [space], picture: false },
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
  output.result(data, `${data.time}\n${hexDump(address, found, printable)}`)
}

const changes: Question = async ({ output, signal }, asked, query) => {
  const { changes, total, damages } = await asked.session.client.call(
    'recorder.changes',
    { ...cellOf(asked, query), order: 'first', limit: query.limit },
    signal,
  )
  const rest = total > changes.length ? [`${total - changes.length} more`] : []
  output.result(
    { changes: changes.map(changeData), total, ...damageData(damages) },
    withDamages([...changes.map(changeLine), ...rest], damages),
  )
}

const values: Question = async ({ output, signal }, asked, query) => {
  const { points, exact, damages } = await asked.session.client.call(
    'recorder.values',
    { ...cellOf(asked, query), points: query.points },
    signal,
  )
  const shown = points.map(({ time, ...point }) => ({ time: iso(time), ...point }))
  const lines = shown.map(
    ({ time, value, low, high }) =>
      `${time}  ${formatByte(value)}${low === high ? '' : `  ${formatByte(low)} to ${formatByte(high)}`}`,
  )
  output.result({ values: shown, exact, ...damageData(damages) }, withDamages(lines, damages))
}

const first: Question = async ({ output, signal }, asked, query) => {
  const condition: Condition = {
    is: requireValue(query.is, '--is'),
    ...(query.value === undefined ? {} : { value: query.value }),
  }
  const { found, damages } = await asked.session.client.call(
    'recorder.firstWhen',
    { ...cellOf(asked, query), condition },
    signal,
  )
  output.result(
    { found: found && changeData(found), ...damageData(damages) },
    withDamages([found ? changeLine(found) : 'No match.'], damages),
  )
}

const difference: Question = async ({ output, signal }, { session, recording, start }, { bank, from, to }) => {
  const { ranges, unknown } = await session.client.call(
    'recorder.difference',
    {
      recording,
      space: bank,
      times: [timeIn(requireValue(from, '--from'), start), timeIn(requireValue(to, '--to'), start)],
    },
    signal,
  )
  const data = {
    ranges: ranges.map(({ address, before, after }) => ({
      address: formatAddress(address),
      before: hexString(before),
      after: hexString(after),
    })),
    unknown: unknown.map(({ address, length }) => ({ address: formatAddress(address), length })),
  }
  const lines = data.ranges.map(({ address, before, after }) => `${address}  ${before} -> ${after}`)
  output.result(data, lines.length === 0 ? 'No difference.' : lines.join('\n'))
}

const questions = { image, changes, values, first, difference }
const questionNames = [
  'image',
  'changes',
  'values',
  'first',
  'difference',
] as const satisfies (keyof typeof questions)[]

export const recordingQuery = defineCommand({
  group,
  name: 'query',
  summary: 'Query a recording for a memory image, changes, values, the first match, or a difference.',
  details:
    'image: the bytes at a time. changes: each change of a byte. values: its value over time. first: when it first met a condition. difference: the bytes that differ between --from and --to.',
  positionals: {
    recording: recordingId,
    question: required(choice('QUERY', 'The query.', questionNames)),
  },
  options,
  data: {
    'time?': 'image: ISO time',
    'frame?': 'image: its number',
    'address?': 'image: such as $0400',
    'bank?': 'image: BANK',
    'bytes?': 'image: hexadecimal',
    'changes?': 'changes: [{ time, value, before, … }]',
    'total?': 'changes: how many there are',
    'values?': 'values: [{ time, value, low, high }]',
    'exact?': 'values: whether none was left out',
    'found?': 'first: { time, value, before, … } or null',
    'ranges?': 'difference: [{ address, before, after }]',
    'unknown?': 'difference: [{ address, length }]',
    'damages?': '[{ from, to, message }]',
  },
  examples: [
    "recording query 0001_recording image --at +2.5 --address '$0400' --length 40",
    "recording query 0001_recording changes --address '$d020' --bank io",
    "recording query 0001_recording first --is above --value 41 --address '$d020' --bank io",
    'recording query 0001_recording difference --from +1 --to +2',
  ],
  run: async (context, { recording, question, ...query }) => {
    await questions[question](context, await openRecording(context, recording, query.home), query)
    return EXIT_OK
  },
})

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
      hint: 'recording show says which banks were.',
    })
  return found.bytes.subarray(address - found.address, address - found.address + length)
}
