import { NOTES_FILE, type Note, type NoteChange } from '@shared/contract/notes'
import { MACHINES_HEADING, type CommandContext, type CommandGroup } from '../../command'
import { folderPath, text, withDefault } from '../../parameters'
import { toned, type Block } from '../../printed'

export const noteGroup: CommandGroup = {
  name: 'note',
  aliases: ['notes'],
  defaultVerb: 'list',
  heading: MACHINES_HEADING,
  summary: 'What people and agents found out about a program',
  details: `Kept in ${NOTES_FILE} of the project's folder, a list in Markdown that you may edit as you like: an item is a note, with its place (an address, a range or a label) in backticks. The last line of a note says who wrote it, when, and what it rests on.`,
}

export const noteFolder = withDefault(folderPath('The folder of the project.'), '.')

export const noteOptions = {
  at: text('PLACE', 'The address, range or label that it is about.'),
  evidence: text('TEXT', 'The evidence for it. Default for an agent: its last call at a machine.'),
  folder: noteFolder,
}

export const noteShape = '{ id, line, place, text, by, date, evidence }'

export function noteBlocks({ id, place, text: words, by, date, evidence }: Note): Block[] {
  const [first = '', ...rest] = words.split('\n')
  const who = by === null ? '' : `— ${by}, ${date ?? ''}${evidence === null ? '' : `; ${evidence}`}`
  return [
    [id, ...(place === null ? [] : [place]), first].join('  '),
    ...rest.map((line) => `  ${line}`),
    toned('muted', who === '' ? '' : `  ${who}`),
  ]
}

export async function changeNote(
  { openSession, signal }: CommandContext,
  folder: string,
  change: NoteChange,
): Promise<{ readonly now: Note | null; readonly before: Note | null }> {
  const { client } = await openSession()
  return client.call('notes.write', { folder, change }, signal)
}
