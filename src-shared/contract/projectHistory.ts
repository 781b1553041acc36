/** Runs as they were, two moments of a run beside each other, and a search over all that is open. */
import { z } from 'zod'
import { bridgeCommand } from './define'
import { MAX_LINE_CHARACTERS, momentTime, oneRun, projectId, runKey, sourceSchema } from './orchestration'

export const MAX_MOMENTS = 2_000
export const MAX_FILES = 50
export const MAX_CHANGED_FIELDS = 200
export const MAX_HUNKS = 500
/** Lines of all files of a comparison together. */
export const MAX_DIFF_LINES = 3_000
export const MAX_HIT_PAGE = 100

const count = z.int().min(0)
const line = z.string().max(MAX_LINE_CHARACTERS)

const momentSchema = z.strictObject({
  time: z.number(),
  files: count,
  changes: count,
  /** One of those who wrote then; null when nobody can tell. */
  writer: z.string().max(200).nullable(),
})
export type Moment = z.infer<typeof momentSchema>

const fileDifferenceSchema = z.strictObject({
  file: z.string().max(1000),
  change: z.enum(['added', 'removed', 'changed']),
  /** False when one of the two versions was not kept: then nothing more is known of it. */
  kept: z.boolean(),
  /** By JSON pointers, or `line 12` of a text. */
  fields: z
    .array(z.strictObject({ field: z.string().max(1000).nullable(), from: line.nullable(), to: line.nullable() }))
    .max(MAX_CHANGED_FIELDS),
  /** As in a unified diff: each line with a space, `-` or `+` before it. */
  hunks: z
    .array(z.strictObject({ from: count, to: count, lines: z.array(z.string().max(MAX_LINE_CHARACTERS + 1)) }))
    .max(MAX_HUNKS),
  /** The lines differ too much to be told, or there are too many of them. */
  cut: z.boolean(),
})
export type FileDifference = z.infer<typeof fileDifferenceSchema>

const hitSchema = z.strictObject({
  project: projectId,
  run: runKey,
  kind: z.enum(['title', 'task', 'need', 'error', 'line']),
  /** The line with what was found, or a part of it. */
  text: line,
  /** Where in it. */
  at: count,
  source: sourceSchema.nullable(),
})
export type SearchHit = z.infer<typeof hitSchema>

const cursorSchema = z.strictObject({ project: projectId, run: runKey, hits: count })

export const projectHistoryCommands = {
  /** When something of the run was seen to change, the last times, oldest first. */
  'projects.moments': bridgeCommand({
    effect: 'reads',
    input: oneRun,
    output: z.strictObject({ moments: z.array(momentSchema).max(MAX_MOMENTS) }),
  }),
  /** What is another in the files of a run; without `to`, until now. */
  'projects.compare': bridgeCommand({
    effect: 'reads',
    input: oneRun.extend({ from: momentTime, to: momentTime.optional() }),
    output: z.strictObject({ files: z.array(fileDifferenceSchema).max(MAX_FILES), more: count }),
    deadline: 20_000,
  }),
  /** Plain text in titles, tasks, needs, errors and the lines of files, of all open projects, whatever the case. `after` is the last page's `next`, null for the first. */
  'projects.search': bridgeCommand({
    effect: 'reads',
    input: z.strictObject({
      text: z
        .string()
        .min(1)
        .max(200)
        .regex(/^\P{Cc}+$/u),
      after: cursorSchema.nullable(),
    }),
    output: z.strictObject({ hits: z.array(hitSchema).max(MAX_HIT_PAGE), next: cursorSchema.nullable() }),
    deadline: 20_000,
  }),
} as const
