/**
 * Project folders with orchestrations in them, as the window shows them. Everything in here was read from files that others
 * write: texts are inert, and cut to the bounds below by the bridge. Times are ms since 1970; `null` is unknown.
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
 * `gate` waits for an approval, `waiting` for anything else from a person; `ready` only to be continued, as what it waited for is
 * there; `limit` was ended by a limit of turns, cost or retries.
 * No file tells whether a process is attached: `running` is what the files say.
 */
const runStates = ['planning', 'running', 'ready', 'waiting', 'gate', 'done', 'failed', 'limit'] as const
export type RunState = (typeof runStates)[number]
const workStates = ['todo', 'active', 'done', 'failed', 'skipped'] as const
export type WorkState = (typeof workStates)[number]
/**
 * How a phase or a task stands in the plan. What is to do is `ready`; `blocked` by what goes on; `dead`, blocked by what does
 * not go on by itself; or `cyclic`, in a ring that waits for itself. `missing` is named as a dependency and is not there.
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
/** `limit`: of turns, cost or retries, to be raised. `unreadable`: a file of the run that says nothing clear. */
const needKinds = ['question', 'gate', 'approval', 'failure', 'limit', 'unreadable'] as const
/** The worst first. */
export const severities = ['error', 'warning', 'info'] as const
export type Severity = (typeof severities)[number]
/** `seen`: for the first time. `changed`: a value, or with no pointer the file as a whole. */
const journalKinds = ['seen', 'changed', 'removed'] as const

/** A project as Bridgedeck numbers it. The page knows folders by this number alone. */
export const projectId = z.int().min(1).max(1_000_000_000)
/** `metashell:.meta/session.json`: its format and the file that gave it away. */
export const runKey = z
  .string()
  .min(1)
  .max(1100)
  .regex(/^\P{Cc}+$/u)
const count = z.int().min(0)
const time = z.number().nullable()
const writer = z.string().max(200).nullable()

/** Of an overview. */
export const MAX_RUN_PAGE = 200
export const MAX_ROW_PAGE = 500
export const MAX_JOURNAL_PAGE = 100
/** Of a need. */
export const MAX_UNBLOCKED = 50

const line = z.string().max(MAX_LINE_CHARACTERS)
const text = z.string().max(MAX_TEXT_CHARACTERS)

const lineFact = fact(line)
const timeFact = fact(z.number())

const needSchema = z.strictObject({
  kind: z.enum(needKinds),
  title: line,
  /** All there is to read before answering; inert. */
  detail: text,
  options: z.array(line).max(50).readonly(),
  source: sourceSchema,
  since: timeFact,
  /** Keys of the tasks and phases that go on once it is answered, the first of them; none: the whole run. */
  unblocks: z.array(line).max(MAX_UNBLOCKED).readonly(),
})
/** Something that waits for a person. */
export type RunNeed = Readonly<z.infer<typeof needSchema>>

/** What the last good version is shown for. */
const staleSchema = z.strictObject({
  /** When the file stopped being readable. */
  since: z.number(),
  file: z.string().max(1000),
  /** With line and column. */
  message: text,
})

/** What a run is at, for telling it in one line. */
const storySchema = z.strictObject({
  phases: z.strictObject({ done: count, total: count }),
  /** One that failed or is at work, otherwise the next; null when all are done, and without phases. */
  phase: z
    .strictObject({
      /** Its place among them, from 1. */
      number: z.int().min(1),
      /** Empty where it is unknown. */
      title: line,
      state: z.enum(workStates).nullable(),
      tasks: z.strictObject({ done: count, total: count }),
      /** Since when it has failed or is at work. */
      since: time,
      retries: count.nullable(),
      /** Phases that wait for it, however indirectly. */
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
  /** When the newest of its files was written, whatever they say of themselves. */
  writtenAt: time,
  /** Who wrote that: `bridgedeck`, or an agent that was the only one at work there; null when nobody can tell. */
  writtenBy: writer,
  /** All phases are tasks here where the format has no tasks inside them. */
  work: z.strictObject({ done: count, failed: count, total: count }),
  story: storySchema,
  /** The first of them, and how many there are. */
  needs: z.array(needSchema.extend({ detail: line })).max(20),
  needCount: count,
  /** Meters at 80 % of their limit or above. */
  warnings: count,
  findings: z.strictObject({ error: count, warning: count, info: count }),
  stale: staleSchema.nullable(),
  /** Grows with each change that is seen of it. */
  revision: count,
})
export type Run = z.infer<typeof runSchema>

const projectSchema = z.strictObject({
  project: projectId,
  name: z.string().max(300),
  /** Shown to the person; no command takes it. */
  place: z.string().max(4096),
  /** `gone`: the folder is not there, or may not be read. */
  state: z.enum(['closed', 'reading', 'open', 'gone']),
  /** How changes are noticed: by the system, or by looking again and again. */
  watch: z.enum(['none', 'system', 'polling']),
  /** The person trusts this very folder; otherwise nothing in it is run, git neither. */
  trusted: z.boolean(),
  /** What is wrong or was left out, in one sentence each. */
  problems: z.array(line).max(20),
  openedAt: z.number(),
  runs: count,
  /** Files and folders that were looked at. */
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
  /** What could be done about it, where that is certain. */
  repair: line.nullable(),
})

/** A phase or a task of a run, in the order of the run. */
export const rowSchema = z.strictObject({
  kind: z.enum(['phase', 'task']),
  key: line,
  title: lineFact,
  state: fact(z.enum(workStates)),
  standing: z.enum(standings),
  owner: lineFact.nullable(),
  dependencies: z.array(lineFact).max(50),
  /** Those that are not done, and those that name nothing: why it cannot start. */
  blockedBy: z.array(z.strictObject({ key: line, why: z.enum(['unfinished', 'failed', 'missing', 'cycle']) })).max(50),
  /** Null where the file has none; an empty list is an empty list. */
  commits: fact(z.array(line).max(50).readonly()).nullable(),
  /** What git says of each of them; `unknown` where nobody may or can tell. */
  commitStates: z.array(z.enum(['found', 'missing', 'unknown'])).max(50),
  /** What Bridgedeck found when it checked the task itself; null where the files name no check, or it was not reported done. */
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
  /** Key of the task or phase. */
  at: line.nullable(),
  time: timeFact,
  resolved: z.boolean().nullable(),
})
export type RunError = Readonly<z.infer<typeof errorSchema>>
const artefactSchema = z.strictObject({
  kind: line,
  /** As the run names it: untrusted, possibly outside the project. */
  path: z.string().max(1000),
  /** Null when it was not looked for. */
  exists: z.boolean().nullable(),
  source: sourceSchema,
})
/** A file that the run made or says it made. */
export type RunArtefact = Readonly<z.infer<typeof artefactSchema>>

/** What an overview has no room for. */
export const runListsSchema = z.strictObject({
  needs: z.array(needSchema).max(MAX_LIST_ENTRIES),
  meters: z.array(meterSchema).max(MAX_LIST_ENTRIES),
  errors: z.array(errorSchema).max(MAX_LIST_ENTRIES),
  artefacts: z.array(artefactSchema).max(MAX_LIST_ENTRIES),
  findings: z.array(findingSchema).max(MAX_LIST_ENTRIES),
  /** The files that it was read from. */
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
  /** SHA-256 of the file's content afterwards; null when it was removed. */
  hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
  /** As `writtenBy` of a run. */
  writer,
})
export type JournalEntry = z.infer<typeof journalEntrySchema>

const nothing = z.strictObject({})
const one = z.strictObject({ project: projectId })
export const oneRun = one.extend({ run: runKey })
/** A time to look back at, ms since 1970. */
export const momentTime = z.int().min(0).max(8_640_000_000_000_000)
/** As it is, or as it was `at` a time, from the versions of its files that were kept. */
export const oneRunAt = oneRun.extend({ at: momentTime.optional() })

const shownFile = z.union([z.literal(''), fileName])

export const projectsCommands = {
  /** A native dialog for a folder; null when the person cancelled. */
  'projects.choose': mainCommand({
    input: nothing,
    output: z.strictObject({ project: projectId.nullable() }),
    deadline: 0,
  }),
  /** A folder that was dropped on the window, or that the app was started with. */
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
      /** Leaves it where it stands among the recent ones, as for a report. */
      isForReading: z.boolean().optional(),
    }),
    output: one,
    page: false,
    deadline: 20_000,
  }),
  /** The sample project, copied to a place where it may be changed. */
  'projects.openSample': bridgeCommand({ effect: 'governs', input: nothing, output: one, deadline: 20_000 }),
  /** One that was open before. */
  'projects.reopen': bridgeCommand({ effect: 'governs', input: one, output: one, deadline: 20_000 }),
  /** In the system's file manager; an empty name is the project's own folder. @throws FORBIDDEN for one outside, NOT_FOUND */
  'projects.showInFolder': mainCommand({ input: one.extend({ file: shownFile }), output: nothing }),
  /** Where a file or folder of an open project is on this computer, links resolved. @throws FORBIDDEN for one outside, NOT_FOUND */
  'projects.pathOf': bridgeCommand({
    effect: 'reads',
    input: one.extend({ file: shownFile }),
    output: z.strictObject({ path: z.string().max(8192) }),
    page: false,
  }),
  'projects.close': bridgeCommand({ effect: 'edits', input: one, output: nothing }),
  /** Takes a closed one off the list, with what the journal knows of it. */
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
  /** Those that are open, and those that were, the last first. */
  'projects.list': bridgeCommand({
    effect: 'reads',
    input: nothing,
    output: z.strictObject({
      revision: count,
      projects: z.array(projectSchema).max(200),
      /** What folders are searched for. */
      formats: z.array(z.enum(systems)).max(systems.length),
    }),
  }),
  /** In the order of their keys; `after` is the last page's `next`, null for the first. */
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
      /** Entries of these lists beyond those given. */
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
  /** Its phases and tasks from the row with this number on, a page of them or `most`; `revision` is the run's. */
  'projects.rows': bridgeCommand({
    effect: 'reads',
    input: oneRunAt.extend({
      from: z.int().min(0).max(10_000_000),
      most: z.int().min(1).max(MAX_ROW_PAGE).optional(),
    }),
    output: z.strictObject({ revision: count, rows: z.array(rowSchema).max(MAX_ROW_PAGE), total: count }),
  }),
  /** A part of a text file of the project around a line, as it is or as it was. @throws FORBIDDEN for one outside */
  'projects.file': bridgeCommand({
    effect: 'reads',
    input: one.extend({ file: fileName, line: z.int().min(1).max(100_000_000), at: momentTime.optional() }),
    output: z.strictObject({
      /** Of `text`; from 1. */
      firstLine: z.int().min(1),
      text: z.string().max(400_000),
      /** Of the file. */
      lines: count,
      size: count,
      writtenAt: time,
    }),
  }),
  /** What was observed, newest first, of one run or of a project; `before` is the last page's `next`, null for the first. */
  'projects.journal': bridgeCommand({
    effect: 'reads',
    input: one.extend({ run: runKey.nullable(), before: z.int().min(1).max(Number.MAX_SAFE_INTEGER).nullable() }),
    output: z.strictObject({ entries: z.array(journalEntrySchema).max(MAX_JOURNAL_PAGE), next: count.nullable() }),
  }),
} as const

export const projectsEvents = {
  /** What changed, coalesced. A page larger than this comes in several, one after the other. */
  'projects.changed': z.strictObject({
    /** The revision that these changes lead from; one that is not the last known means that some were missed: list again. */
    from: count,
    revision: count,
    projects: z.array(projectSchema).max(200),
    forgotten: z.array(projectId).max(200),
    runs: z.array(z.strictObject({ project: projectId, run: runSchema })).max(MAX_RUN_PAGE),
    removed: z.array(oneRun).max(MAX_RUN_PAGE),
  }),
} as const
