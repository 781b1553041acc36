/**
 * Tasks by spec 001, with what the window shows beside: who runs them, when they run next, what is wrong. Times are ms
 * since 1970; the files have their own format.
 */
import { z } from 'zod'
import { bridgeCommand, mainCommand } from './define'
import { capabilities, machineNameSchema } from './machine'
import { bytesSchema } from './memory'

export const taskTypes = ['foreground', 'background'] as const
export type TaskType = (typeof taskTypes)[number]

/** The spec's four states; `unknown` is anything else that another program wrote. */
export const taskStatuses = ['running', 'completed', 'stopped', 'error', 'unknown'] as const
export type TaskStatus = (typeof taskStatuses)[number]

/** `noEntry`: a folder that the registry does not name. `noFolder`: an entry whose folder is not there. */
const orphanKinds = ['noEntry', 'noFolder'] as const
export type OrphanKind = (typeof orphanKinds)[number]

const taskRunners = ['here', 'elsewhere', 'nobody'] as const

/** For new tasks; names from other programs are shown as they are and never become a path. */
export const taskNamePattern = /^[a-z0-9_-]{1,64}$/

/** As found in a file: an id of another program may hold anything. */
export const taskId = z
  .string()
  .min(1)
  .max(300)
  .regex(/^\P{Cc}+$/u)
const time = z.number().nullable()
const sentence = z.string().max(1000)
const count = z.int().min(0)
/** In bytes. */
const fileOffset = z.int().min(0).max(100_000_000_000)

const taskSchema = z.strictObject({
  id: taskId,
  name: z.string().max(300),
  type: z.enum(taskTypes),
  operation: z.string().max(300),
  status: z.enum(taskStatuses),
  /** Null where the task does not say: c64bridge has one machine and does not name it. */
  machine: machineNameSchema.nullable(),
  intervalMs: z.number().min(0).nullable(),
  /** Null for a background task without an end. */
  maxIterations: count.nullable(),
  iterations: count.nullable(),
  startedAt: time,
  updatedAt: time,
  stoppedAt: time,
  lastError: sentence.nullable(),
  /** Relative to the state home; shown, never opened as it is. */
  folder: z.string().max(1000),
  nextRunAt: time,
  /** Runs that were due while an earlier one still ran; they are not made up for. */
  missedTicks: count,
  /** `share` is 0 to 1, null when it is not known. */
  progress: z.strictObject({ share: z.number().min(0).max(1).nullable(), text: z.string().max(200) }).nullable(),
  recorded: z.strictObject({ frames: count, durationMs: z.number().min(0) }).nullable(),
  runner: z.enum(taskRunners),
  waiting: sentence.nullable(),
  /** Evidence, in one sentence, that a task marked as running does not run, or that its process ended first. */
  interrupted: sentence.nullable(),
  resumable: z.boolean(),
  orphan: z.enum(orphanKinds).nullable(),
  own: z.boolean(),
  notices: z.array(sentence).max(10),
})
export type Task = z.infer<typeof taskSchema>

const taskProblemSchema = z.strictObject({
  file: z.string().max(1000),
  /** With line and column where known: `tasks.json:12:7: …`. */
  message: z.string().max(2000),
  hint: sentence.nullable(),
  repairable: z.literal(true).optional(),
})
export type TaskProblem = z.infer<typeof taskProblemSchema>

export const operationSchema = z.strictObject({
  name: z.string().max(100),
  title: z.string().max(100),
  description: z.string().max(1000),
  types: z.array(z.enum(taskTypes)).min(1).max(2),
  needs: z.array(z.enum(capabilities)).max(capabilities.length),
  /** Whether it changes the machine: such a task is never resumed by itself. */
  writes: z.boolean(),
  savesFiles: z.boolean(),
  /** JSON Schema (2020-12) with descriptions and defaults. */
  arguments: z.json(),
})
export type OperationDescription = z.infer<typeof operationSchema>

/** Relative to the task's folder, with `/`: `artifacts/sprites/sprite_2000.png`. */
const artifactName = z
  .string()
  .min(1)
  .max(1000)
  .regex(/^\P{Cc}+$/u)

const artifactSchema = z.strictObject({
  artifact: artifactName,
  size: count,
})
export type Artifact = z.infer<typeof artifactSchema>

const logPartSchema = z.strictObject({
  offset: count,
  text: z.string().max(70_000),
  next: count,
})

export const MAX_ARTIFACTS = 2000
export const MAX_ARTIFACTS_PAGE = 50

const nothing = z.strictObject({})
const one = z.strictObject({ id: taskId })
const oneArtifact = one.extend({ artifact: artifactName })
export const MAX_ARGUMENTS_CHARACTERS = 200_000

/** Checked by `tasks.start` with the operation's own schema. */
const taskArguments = z
  .record(z.string().max(100), z.json())
  .refine((args) => JSON.stringify(args).length <= MAX_ARGUMENTS_CHARACTERS, {
    error: 'the arguments are larger than 200,000 characters',
  })
export type TaskArguments = z.infer<typeof taskArguments>

export const MAX_TASK_PAGE = 500

const changes = z.strictObject({
  /** The revision before these changes; if it is not the last known one, some were missed: list again. */
  from: count,
  revision: count,
  changed: z.array(taskSchema).max(MAX_TASK_PAGE),
  removed: z.array(taskId).max(MAX_TASK_PAGE),
})

const fileStamp = z.string().min(1).max(200)

const intervalMs = z.int().min(1).max(86_400_000)
const maxIterations = z.int().min(1).max(1_000_000_000)

const newTask = z.strictObject({
  operation: z
    .string()
    .min(1)
    .max(100)
    .regex(/^[a-z0-9_]+$/),
  machine: machineNameSchema,
  type: z.enum(taskTypes),
  args: taskArguments,
  name: z.string().regex(taskNamePattern, { error: 'a task’s name has 1 to 64 of a-z, 0-9, _ and -' }).optional(),
  /** Background tasks only; defaults to 1000. */
  intervalMs: intervalMs.optional(),
  /** Background tasks only; without it the task runs until it is stopped. */
  maxIterations: maxIterations.optional(),
})

export const isInterval = (text: string): boolean => intervalMs.safeParse(Number(text)).success
export const isIterations = (text: string): boolean => maxIterations.safeParse(Number(text)).success

export const tasksCommands = {
  /**
   * In the order of ids; `after` is the last page's `next`, null for the first. Listen to `tasks.changed` before the
   * call; events with a revision above a page's are newer than the page.
   */
  'tasks.list': bridgeCommand({
    effect: 'reads',
    input: z.strictObject({ after: taskId.nullable() }),
    output: z.strictObject({
      revision: count,
      home: z.string().max(4096),
      problems: z.array(taskProblemSchema).max(50),
      tasks: z.array(taskSchema).max(MAX_TASK_PAGE),
      next: taskId.nullable(),
    }),
    deadline: 20_000,
  }),
  'tasks.show': bridgeCommand({
    effect: 'reads',
    input: one,
    output: z.strictObject({
      task: taskSchema,
      folder: z.string().max(4096).nullable(),
      args: z.json(),
      result: z.json(),
      artifacts: z.array(artifactSchema).max(MAX_ARTIFACTS),
      moreArtifacts: count,
      hasRecording: z.boolean(),
      log: logPartSchema,
      problems: z.array(taskProblemSchema).max(10),
    }),
  }),
  'tasks.operations': bridgeCommand({
    effect: 'reads',
    input: nothing,
    output: z.strictObject({ operations: z.array(operationSchema).max(100) }),
  }),
  /** Answers as soon as the task is on disk; its progress comes by `tasks.changed`. */
  'tasks.start': bridgeCommand({ effect: 'runs', input: newTask, page: false, output: taskSchema, deadline: 20_000 }),
  'tasks.startFailed': bridgeCommand({
    effect: 'keeps',
    input: newTask.extend({ reason: z.string().min(1).max(1000) }),
    page: false,
    output: taskSchema,
    deadline: 20_000,
  }),
  /** The page gets `grant` in place of the file, for `tasks.startGranted`. Null when the person cancelled. */
  'tasks.chooseFile': mainCommand({
    input: nothing,
    output: z.strictObject({
      file: z.strictObject({ grant: z.string().max(64), name: z.string().max(300) }).nullable(),
    }),
    deadline: 0,
  }),
  /** `tasks.start` for the page, which cannot name a path: `files` has a grant for each argument that is a file. */
  'tasks.startGranted': mainCommand({
    input: newTask.extend({ files: z.record(z.string().max(100), z.string().max(64)) }),
    output: taskSchema,
    deadline: 20_000,
  }),
  'tasks.wait': bridgeCommand({ effect: 'reads', input: one, output: taskSchema, deadline: 0 }),
  'tasks.stop': bridgeCommand({ effect: 'keeps', input: one, output: taskSchema, deadline: 20_000 }),
  'tasks.stopAll': bridgeCommand({
    effect: 'keeps',
    input: nothing,
    output: z.strictObject({ stopped: count }),
    deadline: 20_000,
  }),
  'tasks.resume': bridgeCommand({ effect: 'runs', input: one, output: taskSchema, deadline: 20_000 }),
  'tasks.runAgain': bridgeCommand({ effect: 'runs', input: one, output: taskSchema, deadline: 20_000 }),
  'tasks.delete': bridgeCommand({
    effect: 'keeps',
    input: one,
    output: nothing,
    deadline: 20_000,
    confirm: ({ id }) => ({
      message: `Delete the task ${id}?`,
      detail:
        'Its folder with log, result, artifacts and recording is deleted from this computer. This cannot be undone.',
      button: 'Delete',
    }),
  }),
  'tasks.adopt': bridgeCommand({ effect: 'keeps', input: one, output: taskSchema, deadline: 20_000 }),
  /** Removes an entry whose folder is gone; a task with a folder is deleted instead. */
  'tasks.removeEntry': bridgeCommand({ effect: 'keeps', input: one, output: nothing, deadline: 20_000 }),
  /** What would replace a damaged tasks.json. CONFLICT where it is not damaged. */
  'tasks.previewRepair': bridgeCommand({
    effect: 'reads',
    input: nothing,
    output: z.strictObject({
      stamp: fileStamp,
      problem: z.string().max(2000),
      aside: z.string().max(300),
      entries: z
        .array(
          z.strictObject({
            id: taskId,
            status: z.string().max(100),
            source: z.enum(['folder', 'file']),
          }),
        )
        .max(MAX_TASK_PAGE),
      more: count,
      leftOut: z.array(taskId).max(100),
    }),
    deadline: 20_000,
  }),
  /** Replaces a damaged tasks.json with what the preview showed, and keeps the damaged one aside. */
  'tasks.repair': bridgeCommand({
    effect: 'keeps',
    input: z.strictObject({ stamp: fileStamp }),
    output: z.strictObject({ entries: count, aside: z.string().max(300) }),
    deadline: 20_000,
    confirm: () => ({
      message: 'Replace the damaged tasks.json?',
      detail: 'It is rebuilt from the task folders. The damaged file is kept beside it.',
      button: 'Replace',
    }),
  }),
  'tasks.readLog': bridgeCommand({ effect: 'reads', input: one.extend({ offset: fileOffset }), output: logPartSchema }),
  'tasks.artifacts': bridgeCommand({
    effect: 'reads',
    input: z.strictObject({ after: taskId.nullable() }),
    output: z.strictObject({
      tasks: z
        .array(
          z.strictObject({
            id: taskId,
            artifacts: z.array(artifactSchema).max(MAX_ARTIFACTS),
            more: count,
          }),
        )
        .max(MAX_ARTIFACTS_PAGE),
      next: taskId.nullable(),
    }),
    deadline: 20_000,
  }),
  /** A part of an artifact, 256 KiB at most; `size` is that of the whole. */
  'tasks.artifact': bridgeCommand({
    effect: 'reads',
    input: oneArtifact.extend({ offset: fileOffset }),
    output: z.strictObject({ bytes: bytesSchema(256 * 1024), size: count }),
  }),
  'tasks.openFolder': mainCommand({ input: one, output: nothing }),
  'tasks.showInFolder': mainCommand({ input: oneArtifact, output: nothing }),
  'tasks.folder': bridgeCommand({
    effect: 'reads',
    input: one,
    output: z.strictObject({ path: z.string().max(4096) }),
    page: false,
  }),
  'tasks.artifactPath': bridgeCommand({
    effect: 'reads',
    input: oneArtifact,
    output: z.strictObject({ path: z.string().max(8192) }),
    page: false,
  }),
  'tasks.live': bridgeCommand({
    effect: 'reads',
    input: nothing,
    output: z.strictObject({
      tasks: z.array(z.strictObject({ id: taskId, name: z.string().max(300), type: z.enum(taskTypes) })).max(1000),
    }),
  }),
} as const

export const tasksEvents = {
  /** Changed tasks, each whole; coalesced over 100 ms. */
  'tasks.changed': changes,
  'tasks.log': logPartSchema.extend({ id: taskId }),
  'tasks.problem': z.strictObject({ problems: z.array(taskProblemSchema).max(50) }),
} as const
