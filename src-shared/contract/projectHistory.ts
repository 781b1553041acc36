import { z } from 'zod'
import { bridgeCommand } from './define'
import { MAX_LINE_CHARACTERS, momentTime, oneRun, projectId, runKey, sourceSchema } from './orchestration'

export const MAX_MOMENTS = 2_000
export const MAX_FILES = 50
export const MAX_CHANGED_FIELDS = 200
export const MAX_HUNKS = 500
export const MAX_DIFF_LINES = 3_000
export const MAX_HIT_PAGE = 100

const count = z.int().min(0)
const line = z.string().max(MAX_LINE_CHARACTERS)

const momentSchema = z.strictObject({
  time: z.number(),
  files: count,
  changes: count,
  writer: z.string().max(200).nullable(),
})
export type Moment = z.infer<typeof momentSchema>

const fileDifferenceSchema = z.strictObject({
  file: z.string().max(1000),
  change: z.enum(['added', 'removed', 'changed']),
  /** False when one of the two versions was not kept: then nothing more is known of it. */
  kept: z.boolean(),
  fields: z
    .array(z.strictObject({ field: z.string().max(1000).nullable(), from: line.nullable(), to: line.nullable() }))
    .max(MAX_CHANGED_FIELDS),
  hunks: z
    .array(z.strictObject({ from: count, to: count, lines: z.array(z.string().max(MAX_LINE_CHARACTERS + 1)) }))
    .max(MAX_HUNKS),
  cut: z.boolean(),
})
export type FileDifference = z.infer<typeof fileDifferenceSchema>

const hitSchema = z.strictObject({
  project: projectId,
  run: runKey,
  kind: z.enum(['title', 'task', 'need', 'error', 'line']),
  text: line,
  at: count,
  source: sourceSchema.nullable(),
})
export type SearchHit = z.infer<typeof hitSchema>

const cursorSchema = z.strictObject({ project: projectId, run: runKey, hits: count })

export const projectHistoryCommands = {
  'projects.moments': bridgeCommand({
    effect: 'reads',
    input: oneRun,
    output: z.strictObject({ moments: z.array(momentSchema).max(MAX_MOMENTS) }),
  }),
  'projects.compare': bridgeCommand({
    effect: 'reads',
    input: oneRun.extend({ from: momentTime, to: momentTime.optional() }),
    output: z.strictObject({ files: z.array(fileDifferenceSchema).max(MAX_FILES), more: count }),
    deadline: 20_000,
  }),
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
