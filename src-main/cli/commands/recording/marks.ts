import { formatValue } from '@shared/c64/expressions/formatValue'
import type { Mark } from '@shared/contract/recorder'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { number, recordingTime, required, text, timeIn } from '../../parameters'
import { homeOption, openTaskSession } from '../task/taskSession'
import { iso, openRecording, recordingId } from './about'
import { recordingGroup as group } from './group'

const markData = ({ time, ...mark }: Mark) => ({ ...mark, time: iso(time) })

const markLine = ({ mark, time, text, value }: Mark): string =>
  `${String(mark).padStart(3)}  ${iso(time)}  ${text}${value === null ? '' : ` = ${formatValue(value, 'hex')}`}`

export const recordingMarks = defineCommand({
  group,
  name: 'marks',
  summary: 'List the marks of a recording.',
  positionals: { recording: recordingId },
  options: { home: homeOption },
  data: { marks: '[{ mark, time, text, value }], in the order of time; value is null of a mark set by hand' },
  examples: ['recording marks 0001_recording --json'],
  run: async (context, { recording, home }) => {
    const { client } = await openTaskSession(context, home)
    const { marks } = await client.call('recorder.marks', { recording }, context.signal)
    context.output.result({ marks: marks.map(markData) }, marks.map(markLine).join('\n') || 'No marks.')
    return EXIT_OK
  },
})

export const recordingMark = defineCommand({
  group,
  name: 'mark',
  summary: 'Mark a moment of a recording with a text, also while it records.',
  positionals: { recording: recordingId },
  options: {
    text: required(text('TEXT', 'What the mark says.')),
    at: recordingTime('The time. Default: that of the newest frame.'),
    home: homeOption,
  },
  data: { mark: 'its number', time: 'ISO time', text: 'what it says', value: 'null' },
  examples: ["recording mark 0001_recording --text 'the crash' --at +1.5"],
  run: async (context, { recording, text, at, home }) => {
    const { session, start } = await openRecording(context, recording, home)
    const time = at && timeIn(at, start)
    const mark = await session.client.call('recorder.addMark', { recording, text, time, value: null }, context.signal)
    context.output.result(markData(mark), `Mark ${mark.mark} at ${iso(mark.time)}: ${mark.text}`)
    return EXIT_OK
  },
})

export const recordingUnmark = defineCommand({
  group,
  name: 'unmark',
  summary: 'Delete a mark of a recording.',
  positionals: {
    recording: recordingId,
    mark: required(number('NUMBER', 'The mark, as recording marks numbers it.', { min: 1, max: 2 ** 31 - 1 })),
  },
  options: { home: homeOption },
  data: { recording: 'its ID', mark: 'its number' },
  examples: ['recording unmark 0001_recording 1'],
  run: async (context, { recording, mark, home }) => {
    const { client } = await openTaskSession(context, home)
    await client.call('recorder.deleteMark', { recording, mark }, context.signal)
    context.output.result({ recording, mark }, `Deleted mark ${mark}.`)
    return EXIT_OK
  },
})
