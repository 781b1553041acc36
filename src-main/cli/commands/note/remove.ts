import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { noteId } from './edit'
import { changeNote, noteBlocks, noteFolder, noteGroup as group, noteShape } from './group'

export const noteRemove = defineCommand({
  group,
  name: 'remove',
  summary: 'Remove a note.',
  positionals: { note: noteId },
  options: { folder: noteFolder },
  data: { before: `${noteShape}: as it was` },
  examples: ['note remove c066f42d'],
  run: async (context, { note, folder }) => {
    const { before } = await changeNote(context, folder, { kind: 'remove', note })
    context.output.result({ before }, ['Removed:', ...(before ? noteBlocks(before) : [])])
    return EXIT_OK
  },
})
