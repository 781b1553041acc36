/**
 * Project folders and the orchestrations in them. All of it was read from files that others write: texts are inert, and
 * the bridge cuts them to the limits below. Times are ms since 1970; `null` is unknown.
 */
import { z } from 'zod'
import { systems } from '../formats/systems'
import { bridgeCommand, mainCommand } from './define'
import { fileName } from './fileName'
import { hostCheckSchema } from '../hostCheck'
import { fact, MAX_LINE_CHARACTERS, MAX_LIST_ENTRIES, MAX_TEXT_CHARACTERS, sourceSchema } from './fact'

export { systems, type System } from '../formats/systems'
export { MAX_LINE_CHARACTERS, MAX_LIST_ENTRIES, sourceSchema, type Fact, type ValueSource } from './fact'

/**
 * `gate` waits for an approval, `waiting` for anything else from a person; `ready` can be continued, as what it waited
 * for is there; `limit` was ended by a limit of turns, cost or retries. No file tells whether a process is attached:
 * `running` is what the files say.
 */
const runStates = ['planning', 'running', 'ready', 'waiting', 'gate', 'done', 'failed', 'limit'] as const
export type RunState = (typeof runStates)[number]
const workStates = ['todo', 'active', 'done', 'failed', 'skipped'] as const
export type WorkState = (typeof workStates)[number]
/**
 * State of a phase or task in the plan. `ready` can start; `blocked` waits for something that goes on; `dead` waits for
 * something that does not go on by itself; `cyclic` is in a ring of dependencies; `missing` is named as a dependency
 * but does not exist.
 */
export const standings = [
  'ready',
  'blocked',
  'dead',
  'cyclic',
  'active',
  'done',
  'failed',
  'skipped',
  'unknown',
  'missing',
] as const
export type Standing = (typeof standings)[number]
/** `limit`: of turns, cost or retries, to be raised. `unreadable`: a file of the run that cannot be understood. */
const needKinds = ['question', 'gate', 'approval', 'failure', 'limit', 'unreadable'] as const
export const severities = ['error', 'warning', 'info'] as const
export type Severity = (typeof severities)[number]
/** `seen`: for the first time. `changed`: a value, or without a pointer the file as a whole. */
const journalKinds = ['seen', 'changed', 'removed'] as const

/** Bridgedeck's number of a project. The page knows folders by this number alone. */
export const projectId = z.int().min(1).max(1_000_000_000)
export const runKey = z
  .string()
  .min(1)
  .max(1100)
  .regex(/^\P{Cc}+$/u)
const count = z.int().min(0)
const time = z.number().nullable()
const writer = z.string().max(200).nullable()

export const MAX_RUN_PAGE = 200
export const MAX_ROW_PAGE = 500
export const MAX_JOURNAL_PAGE = 100
export const MAX_UNBLOCKED = 50

const line = z.string().max(MAX_LINE_CHARACTERS)
const text = z.string().max(MAX_TEXT_CHARACTERS)

const lineFact = fact(line)
const timeFact = fact(z.number())

const needSchema = z.strictObject({
  kind: z.enum(needKinds),
  title: line,
  detail: text,
  options: z.array(line).max(50).readonly(),
  source: sourceSchema,
  since: timeFact,
  unblocks: z.array(line).max(MAX_UNBLOCKED).readonly(),
})
export type RunNeed = Readonly<z.infer<typeof needSchema>>

const staleSchema = z.strictObject({
  since: z.number(),
  file: z.string().max(1000),
  message: text,
})

const storySchema = z.strictObject({
  phases: z.strictObject({ done: count, total: count }),
  /** A phase that failed or is at work, otherwise the next; null when all are done, and without phases. */
  phase: z
    .strictObject({
      number: z.int().min(1),
      title: line,
      state: z.enum(workStates).nullable(),
      tasks: z.strictObject({ done: count, total: count }),
      since: time,
      retries: count.nullable(),
      waiting: count,
    })
    .nullable(),
})
export type RunStory = z.infer<typeof storySchema>

export const runSchema = z.strictObject({
  key: runKey,
  system: z.enum(systems),
  folder: z.string().max(1000),
  archived: z.boolean(),
  id: lineFact,
  title: lineFact,
  state: fact(z.enum(runStates)),
  reason: lineFact,
  updatedAt: timeFact,
  currentPhase: lineFact,
  writtenAt: time,
  /** `bridgedeck`, or an agent that was the only one at work there; null when nobody can tell. */
  writtenBy: writer,
  work: z.strictObject({ done: count, failed: count, total: count }),
  story: storySchema,
  needs: z.array(needSchema.extend({ detail: line })).max(20),
  needCount: count,
  warnings: count,
  findings: z.strictObject({ error: count, warning: count, info: count }),
  stale: staleSchema.nullable(),
  revision: count,
})
export type Run = z.infer<typeof runSchema>

const projectSchema = z.strictObject({
  project: projectId,
  name: z.string().max(300),
  place: z.string().max(4096),
  state: z.enum(['closed', 'reading', 'open', 'gone']),
  watch: z.enum(['none', 'system', 'polling']),
  /** Whether the person trusts this very folder; otherwise nothing in it is run, not even git. */
  trusted: z.boolean(),
  problems: z.array(line).max(20),
  openedAt: z.number(),
  runs: count,
  files: count,
})
export type Project = z.infer<typeof projectSchema>

const findingSchema = z.strictObject({
  file: z.string().max(1000),
  line: z.int().min(1),
  column: z.int().min(1),
  rule: z.string().max(100),
  severity: z.enum(severities),
  found: line,
  expected: line,
  repair: line.nullable(),
})

export const rowSchema = z.strictObject({
  kind: z.enum(['phase', 'task']),
  key: line,
  title: lineFact,
  state: fact(z.enum(workStates)),
  standing: z.enum(standings),
  owner: lineFact.nullable(),
  dependencies: z.array(lineFact).max(50),
  blockedBy: z.array(z.strictObject({ key: line, why: z.enum(['unfinished', 'failed', 'missing', 'cycle']) })).max(50),
  /** Null where the file has none; an empty list stays an empty list. */
  commits: fact(z.array(line).max(50).readonly()).nullable(),
  /** What git says of each commit; `unknown` where nobody may or can tell. */
  commitStates: z.array(z.enum(['found', 'missing', 'unknown'])).max(50),
  check: hostCheckSchema.nullable(),
})
export type RunRow = z.infer<typeof rowSchema>

const meterSchema = z.strictObject({
  name: line,
  /** `re-plans`, `iterations`, `USD`, `tokens` … Units of different formats are never added. */
  unit: line,
  used: fact(z.number()),
  limit: fact(z.number()),
})
export type RunMeter = Readonly<z.infer<typeof meterSchema>>
const errorSchema = z.strictObject({
  message: fact(text),
  at: line.nullable(),
  time: timeFact,
  resolved: z.boolean().nullable(),
})
export type RunError = Readonly<z.infer<typeof errorSchema>>
const artefactSchema = z.strictObject({
  kind: line,
  /** As the run names it: untrusted, possibly outside the project. */
  path: z.string().max(1000),
  exists: z.boolean().nullable(),
  source: sourceSchema,
})
export type RunArtefact = Readonly<z.infer<typeof artefactSchema>>

export const runListsSchema = z.strictObject({
  needs: z.array(needSchema).max(MAX_LIST_ENTRIES),
  meters: z.array(meterSchema).max(MAX_LIST_ENTRIES),
  errors: z.array(errorSchema).max(MAX_LIST_ENTRIES),
  artefacts: z.array(artefactSchema).max(MAX_LIST_ENTRIES),
  findings: z.array(findingSchema).max(MAX_LIST_ENTRIES),
  files: z.array(z.strictObject({ file: z.string().max(1000), writtenAt: time })).max(MAX_LIST_ENTRIES),
})

export const journalEntrySchema = z.strictObject({
  entry: count,
  time: z.number(),
  project: projectId,
  run: runKey,
  file: z.string().max(1000),
  kind: z.enum(journalKinds),
  /** RFC 6901, or `line 12` of a text; null for the file as a whole. */
  field: z.string().max(1000).nullable(),
  from: line.nullable(),
  to: line.nullable(),
  /** SHA-256 of the file's new content; null when it was removed. */
  hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
  writer,
})
export type JournalEntry = z.infer<typeof journalEntrySchema>

const nothing = z.strictObject({})
const one = z.strictObject({ project: projectId })
export const oneRun = one.extend({ run: runKey })
export const momentTime = z.int().min(0).max(8_640_000_000_000_000)
export const oneRunAt = oneRun.extend({ at: momentTime.optional() })

const shownFile = z.union([z.literal(''), fileName])

export const projectsCommands = {
  'projects.choose': mainCommand({
    input: nothing,
    output: z.strictObject({ project: projectId.nullable() }),
    deadline: 0,
  }),
  'projects.openGranted': mainCommand({
    input: z.strictObject({ grant: z.string().min(16).max(64) }),
    output: one,
    deadline: 20_000,
  }),
  /** Nothing in the folder is run. @throws NOT_FOUND, FORBIDDEN, INVALID when it is no folder */
  'projects.open': bridgeCommand({
    effect: 'edits',
    input: z.strictObject({
      path: z.string().min(1).max(4096),
      isForReading: z.boolean().optional(),
    }),
    output: one,
    page: false,
    deadline: 20_000,
  }),
  'projects.openSample': bridgeCommand({ effect: 'governs', input: nothing, output: one, deadline: 20_000 }),
  'projects.reopen': bridgeCommand({ effect: 'governs', input: one, output: one, deadline: 20_000 }),
  /**
   * Opens the system's file manager; an empty name is the project's own folder. @throws FORBIDDEN for a file outside,
   * NOT_FOUND
   */
  'projects.showInFolder': mainCommand({ input: one.extend({ file: shownFile }), output: nothing }),
  /**
   * Absolute path of a file or folder of an open project, links resolved. @throws FORBIDDEN for one outside, NOT_FOUND
   */
  'projects.pathOf': bridgeCommand({
    effect: 'reads',
    input: one.extend({ file: shownFile }),
    output: z.strictObject({ path: z.string().max(8192) }),
    page: false,
  }),
  'projects.close': bridgeCommand({ effect: 'edits', input: one, output: nothing }),
  'projects.forget': bridgeCommand({
    effect: 'governs',
    input: one,
    output: nothing,
    confirm: () => ({
      message: 'Take this project off the list?',
      detail:
        'The journal of the changes that Bridgedeck observed in it is deleted. The folder and its files stay as they are.',
      button: 'Take off',
    }),
  }),
  'projects.list': bridgeCommand({
    effect: 'reads',
    input: nothing,
    output: z.strictObject({
      revision: count,
      projects: z.array(projectSchema).max(200),
      formats: z.array(z.enum(systems)).max(systems.length),
    }),
  }),
  'projects.runs': bridgeCommand({
    effect: 'reads',
    input: one.extend({ after: runKey.nullable() }),
    output: z.strictObject({
      revision: count,
      runs: z.array(runSchema).max(MAX_RUN_PAGE),
      next: runKey.nullable(),
    }),
  }),
  'projects.run': bridgeCommand({
    effect: 'reads',
    input: oneRunAt,
    output: runListsSchema.extend({
      run: runSchema,
      more: z.strictObject({
        needs: count,
        meters: count,
        errors: count,
        artefacts: count,
        findings: count,
        files: count,
      }),
    }),
  }),
  'projects.rows': bridgeCommand({
    effect: 'reads',
    input: oneRunAt.extend({
      from: z.int().min(0).max(10_000_000),
      most: z.int().min(1).max(MAX_ROW_PAGE).optional(),
    }),
    output: z.strictObject({ revision: count, rows: z.array(rowSchema).max(MAX_ROW_PAGE), total: count }),
  }),
  /** A part of a text file of the project around a line, now or at a moment. @throws FORBIDDEN for a file outside */
  'projects.file': bridgeCommand({
    effect: 'reads',
    input: one.extend({ file: fileName, line: z.int().min(1).max(100_000_000), at: momentTime.optional() }),
    output: z.strictObject({
      firstLine: z.int().min(1),
      text: z.string().max(400_000),
      lines: count,
      size: count,
      writtenAt: time,
    }),
  }),
  'projects.journal': bridgeCommand({
    effect: 'reads',
    input: one.extend({ run: runKey.nullable(), before: z.int().min(1).max(Number.MAX_SAFE_INTEGER).nullable() }),
    output: z.strictObject({ entries: z.array(journalEntrySchema).max(MAX_JOURNAL_PAGE), next: count.nullable() }),
  }),
} as const

export const projectsEvents = {
  /** Changes are coalesced. More than fit into a page come in several, one after the other. */
  'projects.changed': z.strictObject({
    /** The revision before these changes; if it is not the last known one, some were missed: list again. */
    from: count,
    revision: count,
    projects: z.array(projectSchema).max(200),
    forgotten: z.array(projectId).max(200),
    runs: z.array(z.strictObject({ project: projectId, run: runSchema })).max(MAX_RUN_PAGE),
    removed: z.array(oneRun).max(MAX_RUN_PAGE),
  }),
} as const
