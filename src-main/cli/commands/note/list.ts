import { NOTES_FILE, type Note } from '@shared/contract/notes'
import { defineCommand, type CommandContext } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine, text } from '../../parameters'
import { resolvePlace, writtenRange } from '../../place'
import { toned } from '../../printed'
import { UsageError } from '../../usageError'
import { noteBlocks, noteFolder, noteGroup as group, noteShape } from './group'

export const noteList = defineCommand({
  group,
  name: 'list',
  summary: 'List the notes of a project, or those at a place.',
  positionals: { at: text('PLACE', 'Only notes that are about this address, range or label.') },
  options: { folder: noteFolder, machine: machine('The machine whose labels count.') },
  data: { folder: 'absolute path', notes: `[${noteShape}]`, problems: 'texts: what could not be read, and where' },
  examples: ['notes', "note list '$d020'", 'note list main --machine vice:6502 --json'],
  run: async (context, { at, folder, machine }) => {
    const { client } = await context.openSession()
    const { folder: whole, notes, problems } = await client.call('notes.read', { folder }, context.signal)
    const found = at === undefined ? notes : await notesAt(notes, at, { ...context, machine })
    const none = at === undefined ? `There is no note in ${NOTES_FILE}.` : `No note is about ${at}.`
    context.output.result({ folder: whole, notes: found, problems }, [
      ...found.flatMap(noteBlocks),
      found.length === 0 ? none : '',
      ...problems.map((problem) => toned('notice', problem)),
    ])
    return EXIT_OK
  },
})

async function notesAt(
  notes: readonly Note[],
  at: string,
  { openSession, signal, machine }: Pick<CommandContext, 'openSession' | 'signal'> & { readonly machine: string },
): Promise<Note[]> {
  const places = [...new Set([at, ...notes.flatMap(({ place }) => place ?? [])])]
  const ranges = await Promise.all(
    places.map(async (place) => {
      try {
        return [place, await resolvePlace(openSession, machine, writtenRange(place), signal)] as const
      } catch (error) {
        if (error instanceof UsageError) return [place, undefined] as const
        throw error
      }
    }),
  )
  const known = new Map(ranges)
  const wanted = known.get(at)
  return notes.filter(({ place }) => {
    const range = place === null ? undefined : known.get(place)
    return place === at || (wanted && range && range.start <= wanted.end && wanted.start <= range.end)
  })
}
