/** What people and agents found out about a program: notes on its addresses, in a file of the project. */
import { z } from 'zod'
import { bridgeCommand } from './define'
import { shownPath as path } from './sourceLine'

/** In the project's folder. */
export const NOTES_FILE = 'c64-notes.md'
export const MAX_NOTES = 1_000
export const MAX_NOTE_LENGTH = 4_000
export const MAX_PLACE_LENGTH = 100
export const MAX_EVIDENCE_LENGTH = 300
/** Folders whose notes are known at once. */
export const MAX_NOTEBOOKS = 50
const MAX_PROBLEMS = 20

/** Made of a note's text: another one once the note is changed. */
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
  /** Who wrote it last; null where the file does not say. */
  by: line.max(MAX_PLACE_LENGTH).nullable(),
  /** Such as 2026-11-29. */
  date: z.iso.date().nullable(),
  /** What it rests on, such as a call of the journal: `call 42: memory why address: $0340`. */
  evidence: evidence.nullable(),
})
export type Note = z.infer<typeof noteSchema>

/** More than are ever given out. */
const notebookNumber = z
  .int()
  .min(1)
  .max(2 ** 31 - 1)
const notebookSchema = z.strictObject({
  /** As long as the bridge runs. */
  notebook: notebookNumber,
  /** Of the project, absolute. */
  folder: path,
  /** In the order of the file; those that could be read last where it cannot be read now. */
  notes: z.array(noteSchema).max(MAX_NOTES),
  /** `c64-notes.md:3:5: …` */
  problems: z.array(z.string().max(500)).max(MAX_PROBLEMS),
})
export type Notebook = z.infer<typeof notebookSchema>

const written = {
  /** Null for the program as a whole. A text that begins with a place in backticks has it there. */
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
  /** The note as it is now; null where it was removed. */
  now: noteSchema.nullable(),
  /** What stood there before; null for a new one. */
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
  /** Of the open projects, and of the folders whose notes were asked for since the bridge began. */
  'notes.list': bridgeCommand({
    effect: 'reads',
    input: z.strictObject({}),
    output: z.strictObject({ notebooks: z.array(notebookSchema).max(MAX_NOTEBOOKS) }),
    deadline: WRITE_DEADLINE_MS,
  }),
  /** As `notes.write`, for a folder of that list. */
  'notes.edit': bridgeCommand({
    effect: 'edits',
    input: z.strictObject({ notebook: notebookNumber, change: changeSchema }),
    output: changedSchema,
    deadline: WRITE_DEADLINE_MS,
  }),
} as const

export const notesEvents = {
  /** Notes of a folder were changed, or are known from now on. */
  'notes.changed': z.strictObject({}),
} as const
