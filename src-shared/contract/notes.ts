import { z } from 'zod'
import { bridgeCommand } from './define'
import { shownPath as path } from './sourceLine'

export const NOTES_FILE = 'c64-notes.md'
export const MAX_NOTES = 1_000
export const MAX_NOTE_LENGTH = 4_000
export const MAX_PLACE_LENGTH = 100
export const MAX_EVIDENCE_LENGTH = 300
export const MAX_NOTEBOOKS = 50
const MAX_PROBLEMS = 20

/** Made of a note's text, so it is another one once the note is changed. */
const id = z.string().regex(/^[0-9a-f]{8}$/)
const line = z.string().regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u)
/** An address, a range or a label, without blanks. */
const place = line.max(MAX_PLACE_LENGTH).regex(/^[^\s`]+$/)
const evidence = line.max(MAX_EVIDENCE_LENGTH)

const noteSchema = z.strictObject({
  id,
  /** In the file, from 1. */
  line: z.int().min(1),
  place: place.nullable(),
  text: z.string().max(MAX_NOTE_LENGTH),
  by: line.max(MAX_PLACE_LENGTH).nullable(),
  date: z.iso.date().nullable(),
  evidence: evidence.nullable(),
})
export type Note = z.infer<typeof noteSchema>

const notebookNumber = z
  .int()
  .min(1)
  .max(2 ** 31 - 1)
const notebookSchema = z.strictObject({
  notebook: notebookNumber,
  folder: path,
  /** In the order of the file; where it cannot be read now, the notes that could be read last. */
  notes: z.array(noteSchema).max(MAX_NOTES),
  problems: z.array(z.string().max(500)).max(MAX_PROBLEMS),
})
export type Notebook = z.infer<typeof notebookSchema>

const written = {
  place: place.nullable(),
  text: z
    .string()
    .max(MAX_NOTE_LENGTH)
    .regex(/^[^\p{Zl}\p{Zp}\0]*$/u),
  evidence: evidence.nullable(),
}

const changeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('add'), ...written }),
  z.strictObject({ kind: z.literal('replace'), note: id, ...written }),
  z.strictObject({ kind: z.literal('remove'), note: id }),
])
export type NoteChange = z.infer<typeof changeSchema>

const changedSchema = z.strictObject({
  now: noteSchema.nullable(),
  before: noteSchema.nullable(),
})

const ofFolder = z.strictObject({ folder: path })
const WRITE_DEADLINE_MS = 20_000

/** Changes fail with CONFLICT where somebody else has changed or removed the note since. */
export const notesCommands = {
  'notes.read': bridgeCommand({ effect: 'reads', input: ofFolder, output: notebookSchema, page: false }),
  'notes.write': bridgeCommand({
    effect: 'edits',
    input: ofFolder.extend({ change: changeSchema }),
    output: changedSchema,
    page: false,
    deadline: WRITE_DEADLINE_MS,
  }),
  'notes.list': bridgeCommand({
    effect: 'reads',
    input: z.strictObject({}),
    output: z.strictObject({ notebooks: z.array(notebookSchema).max(MAX_NOTEBOOKS) }),
    deadline: WRITE_DEADLINE_MS,
  }),
  'notes.edit': bridgeCommand({
    effect: 'edits',
    input: z.strictObject({ notebook: notebookNumber, change: changeSchema }),
    output: changedSchema,
    deadline: WRITE_DEADLINE_MS,
  }),
} as const

export const notesEvents = {
  'notes.changed': z.strictObject({}),
} as const
