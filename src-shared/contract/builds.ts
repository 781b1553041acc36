import { z } from 'zod'
import { MAX_PROBLEMS } from '../builds/buildProblems'
import { listNames } from '../listNames'
import { bridgeCommand, mainCommand } from './define'
import { MAX_SOURCE_BYTES } from './labels'
import { sourceLineNumber } from './sourceLine'
import { machineNameSchema } from './machine'

export const MAX_KEPT_BUILDS = 1_000

const MAX_COMMAND_LENGTH = 1_000
/** A build ends after ten minutes; loading its program takes time too. ms. */
const BUILD_DEADLINE_MS = 660_000

/** No control characters, and none that change the direction of a text: a person approves what is seen. */
const shown = /^[^\p{Cc}\p{Cf}\u2028\u2029]*$/u
const path = z.string().min(1).max(4096).regex(shown)
const target = { target: path }
const command = z
  .string()
  .min(1)
  .max(MAX_COMMAND_LENGTH)
  .regex(shown)
  .refine((text) => text.trim() === text && text !== '')
const digest = z.string().regex(/^[0-9a-f]{64}$/)
const program = z.string().min(1).max(1_000).regex(shown).nullable()

const plan = {
  ...target,
  folder: path,
  command: command.nullable(),
  program,
}

const buildPlanSchema = z.strictObject({
  ...plan,
  /**
   * `approved` by the person or `suggested` by Bridgedeck; `changed` where a file that the command runs has changed
   * since the approval.
   */
  origin: z.enum(['approved', 'changed', 'suggested', 'none']),
  files: z.array(path).max(50),
  digest,
  isTrusted: z.boolean(),
  identity: z.string().min(1).max(5000),
})
export type BuildPlan = z.infer<typeof buildPlanSchema>

const problemSchema = z.strictObject({
  severity: z.enum(['error', 'warning']),
  file: z.string().max(2_000).nullable(),
  line: sourceLineNumber.nullable(),
  message: z.string().max(500),
})

const buildResults = ['succeeded', 'failed', 'timed out', 'stopped'] as const

const buildSchema = z.strictObject({
  ...plan,
  command,
  result: z.enum(buildResults).nullable(),
  exitCode: z.int().nullable(),
  /** ms since 1970 */
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  message: z.string().max(2_000),
  problems: z.array(problemSchema).max(MAX_PROBLEMS),
  started: z.string().max(300).nullable(),
  log: z.string().max(60).nullable(),
})
export type Build = z.infer<typeof buildSchema>

const nothing = z.strictObject({})

const keptBuildsSchema = z.strictObject({
  builds: z.array(z.strictObject({ ...target, command, program })).max(MAX_KEPT_BUILDS),
})
export type KeptBuild = z.infer<typeof keptBuildsSchema>['builds'][number]

export const buildsCommands = {
  /** @throws NOT_FOUND */
  'builds.plan': bridgeCommand({
    effect: 'reads',
    input: z.strictObject({ ...target, command: command.exactOptional() }),
    output: buildPlanSchema,
    page: false,
  }),
  /**
   * Keeps an approved command in Bridgedeck's own settings: the person approved these words, with the files that the
   * command runs as the plan had them.
   */
  'builds.approved': bridgeCommand({
    effect: 'governs',
    input: z.strictObject({ ...target, command, program, digest }),
    output: buildPlanSchema,
    page: false,
  }),
  'builds.kept': bridgeCommand({ effect: 'reads', input: nothing, output: keptBuildsSchema }),
  /** The folder or file may be gone. Its folder stays trusted. @throws NOT_FOUND */
  'builds.forget': bridgeCommand({ effect: 'governs', input: z.strictObject(target), output: keptBuildsSchema }),
  /** Runs the program on a machine; null builds only. A failed build is a result. @throws BUSY, FORBIDDEN, NOT_FOUND */
  'builds.run': bridgeCommand({
    effect: 'governs',
    input: z.strictObject({ ...target, machine: machineNameSchema.nullable() }),
    output: buildSchema,
    deadline: BUILD_DEADLINE_MS,
  }),
  'builds.stop': bridgeCommand({ effect: 'governs', input: nothing, output: nothing }),
  'builds.last': bridgeCommand({
    effect: 'reads',
    input: nothing,
    output: z.strictObject({ build: buildSchema.nullable(), plan: buildPlanSchema.nullable() }),
  }),
  'builds.source': bridgeCommand({
    effect: 'reads',
    input: z.strictObject({ file: z.string().min(1).max(2_000).regex(shown) }),
    output: z.strictObject({ place: path, text: z.string().max(MAX_SOURCE_BYTES) }),
  }),
  'builds.choose': mainCommand({
    input: z.strictObject({ what: z.enum(['file', 'folder']) }),
    output: z.strictObject({ plan: buildPlanSchema.nullable() }),
    deadline: 0,
  }),
  /**
   * A native dialog shows folder and command; once agreed to, the folder is trusted and the command kept. Null when it
   * was refused.
   */
  'builds.approve': mainCommand({
    input: z.strictObject({ ...target, command, program }),
    output: z.strictObject({ plan: buildPlanSchema.nullable() }),
    deadline: 0,
  }),
} as const

export const buildsEvents = {
  'builds.changed': z.strictObject({ build: buildSchema }),
} as const

export const buildQuestion = (
  folder: string,
  command: string,
  files: readonly string[],
): { message: string; detail: string; button: string } => ({
  message: 'Run this build command?',
  detail: [
    command,
    ...(files.length === 0
      ? []
      : [`It runs ${listNames(files)}. You are asked again when one of these files changes.`]),
    `In ${folder}, each time that you build. It can do anything that you can: read, change and delete your files, run programs, use the network.`,
    'The folder is trusted from then on, and this command is kept for it. Approve it only if you know what it does.',
  ].join('\n\n'),
  button: 'Approve and trust',
})
