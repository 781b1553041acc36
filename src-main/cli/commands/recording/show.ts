import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { homeOption, openTaskSession } from '../task/taskSession'
import { inIso, iso, recordingId, recordingLine } from './about'
import { recordingGroup as group } from './group'

export const recordingShow = defineCommand({
  group,
  name: 'show',
  aliases: ['info'],
  summary: 'Show details of a recording.',
  positionals: { recording: recordingId },
  options: { home: homeOption },
  data: {
    recording: 'its ID',
    machine: 'the machine’s name',
    from: 'ISO time or null',
    to: 'ISO time or null',
    frames: 'number',
    bytes: 'of the file',
    spaces: 'the recorded banks',
    picture: 'whether it has pictures',
    registers: 'whether it has registers',
    missing: 'number of samples',
    epochs: '[{ from, … }]',
    '…': 'more as recording list',
  },
  examples: ['recording show 0001_recording'],
  run: async (context, { recording, home }) => {
    const { client } = await openTaskSession(context, home)
    const info = await client.call('recorder.info', { recording }, context.signal)
    const { spaces, picture, registers, missing, epochs } = info
    const holds = [...spaces, ...(picture ? ['picture'] : []), ...(registers ? ['registers'] : [])]
    context.output.result(
      { ...inIso(info), epochs: epochs.map(({ from, ...epoch }) => ({ ...epoch, from: iso(from) })) },
      [recordingLine(info), `holds ${holds.join(', ')}`, `${missing} samples are missing`].join('\n'),
    )
    return EXIT_OK
  },
})
