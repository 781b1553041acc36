import { graphicsFormats } from '@shared/graphics/formats'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { table } from '../../printed'
import { graphicsGroup as group } from './group'

export const graphicsFormatsCommand = defineCommand({
  group,
  name: 'formats',
  summary: 'List the graphics formats, and what each reads and writes.',
  options: {},
  data: { formats: '[{ id, title, extensions, kinds, reads, writes, options }]' },
  examples: ['graphics formats'],
  run: ({ output }) => {
    const formats = graphicsFormats.map(({ id, title, extensions, kinds, read, write, options }) => ({
      id,
      title,
      extensions,
      kinds,
      options,
      reads: read !== undefined,
      writes: write !== undefined,
    }))
    output.result(
      { formats },
      table(
        formats.map(({ id, title, extensions, kinds, reads, writes }) => [
          id,
          title,
          extensions.join(', '),
          kinds.join(', '),
          [reads && 'reads', writes && 'writes'].filter(Boolean).join(', '),
        ]),
      ),
    )
    return Promise.resolve(EXIT_OK)
  },
})
