import { sizeText } from '@shared/sizeText'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { homeOption, openTaskSession } from '../task/taskSession'
import { dataGroup as group } from './group'

export const dataShow = defineCommand({
  group,
  name: 'show',
  summary: 'Show where the data lies, and how large each part is.',
  options: { home: homeOption },
  data: { folder: 'absolute path', tasks: 'absolute path', parts: '[{ part, bytes, files }]' },
  examples: ['data show'],
  run: async (context, { home }) => {
    const { client } = await openTaskSession(context, home)
    const sizes = await client.call('data.measure', {}, context.signal)
    const lines = sizes.parts.map(
      ({ part, bytes, files }) => `${part.padEnd(12)}${sizeText(bytes).padStart(10)}  ${files} files`,
    )
    context.output.result(sizes, [`folder  ${sizes.folder}`, `tasks   ${sizes.tasks}`, ...lines].join('\n'))
    return EXIT_OK
  },
})
