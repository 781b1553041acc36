import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { required, text } from '../../parameters'
import { changeNote, noteBlocks, noteGroup as group, noteOptions, noteShape } from './group'

export const noteId = required(text('NOTE', 'The note, as the list names it.'))

export const noteEdit = defineCommand({
  group,
  name: 'edit',
  summary: 'Change a note. It stays where it is in the file.',
  details: 'A note has another name once it is changed: what somebody else has changed meanwhile is not overwritten.',
  positionals: { note: noteId, text: required(text('TEXT', 'The whole text, in place of what it says.')) },
  options: noteOptions,
  data: { note: noteShape, before: `${noteShape}: as it was` },
  examples: ['note edit 098028af "Sprite data, 2 frames."'],
  run: async (context, { note, text: words, at, evidence, folder }) => {
    const { client } = await context.openSession()
    const { notes } = await client.call('notes.read', { folder }, context.signal)
    const place = at ?? notes.find(({ id }) => id === note)?.place ?? null
    const { now, before } = await changeNote(context, folder, {
      kind: 'replace',
      note,
      text: words,
      place,
      evidence: evidence ?? null,
    })
    context.output.result({ note: now, before }, now ? noteBlocks(now) : '')
    return EXIT_OK
  },
})
