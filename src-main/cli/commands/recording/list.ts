import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { homeOption, openTaskSession } from '../task/taskSession'
import { inIso, recordingLine } from './about'
import { recordingGroup as group } from './group'

export const recordingList = defineCommand({
  group,
  name: 'list',
  summary: 'List the recordings.',
  options: { home: homeOption },
  data: { recordings: '[{ recording, machine, from, to, frames, bytes, … }]' },
  examples: ['recording list'],
  run: async (context, { home }) => {
    const { client } = await openTaskSession(context, home)
    const { recordings } = await client.call('recorder.list', {}, context.signal)
    context.output.result({ recordings: recordings.map(inIso) }, recordings.map(recordingLine).join('\n'))
    return EXIT_OK
  },
})
