import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { required, text } from '../../parameters'
import { changeNote, noteBlocks, noteGroup as group, noteOptions, noteShape } from './group'

export const noteAdd = defineCommand({
  group,
  name: 'add',
  summary: 'Add a note to a project.',
  positionals: { text: required(text('TEXT', 'What was found out.')) },
  options: noteOptions,
  data: { note: noteShape },
  examples: [
    `note add "Sprite data, copied there by init." --at '$0340-$037f'`,
    'note add "A holds the song." --at play',
  ],
  run: async (context, { text: words, at, evidence, folder }) => {
    const { now } = await changeNote(context, folder, {
      kind: 'add',
      text: words,
      place: at ?? null,
      evidence: evidence ?? null,
    })
    context.output.result({ note: now }, now ? noteBlocks(now) : '')
    return EXIT_OK
  },
})
