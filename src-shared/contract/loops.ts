/**
 * The loops that Bridgedeck runs itself: a Meta-Shell session, an ncrew crew, a Maestro batch, a tuning run. A loop is
 * named by its project, format and place (see `loopPlace`). Times are ms since 1970.
 */
import { z } from 'zod'
import { loopSystems, runLoopSystems } from '../formats/systems'
import { hookFormats } from '../hookFormats'
import { agentRunId } from './agents'
import { bridgeCommand, mainCommand } from './define'
import { previewSchema } from './edits'
import { oneRun } from './orchestration'
import { oneWorktree, removedWorktreeSchema } from './trust'
import {
  agentNameSchema,
  changedOptionsSchema,
  chosenOptionsSchema,
  maestroOptions,
  maestroSetting,
  optionsBySystem,
  placeSchema,
  typedMaestroOptions,
} from './loopOptions'

export { loopSystems, runLoopSystems, type LoopSystem, type RunLoopSystem } from '../formats/systems'

/**
 * `pausing`: waits for the agent at work to end. `stopping`: its process tree is being ended. `paused`, `stopped`: by
 * the person; `paused` also after the turns that were asked for. `ended`: by itself, see `outcome`. `failed`: it could
 * not go on, see `message`. `interrupted`: the Bridgedeck that ran it ended first.
 */
const loopStates = ['running', 'pausing', 'stopping', 'paused', 'stopped', 'ended', 'failed', 'interrupted'] as const
export type LoopState = (typeof loopStates)[number]

/**
 * `gate` waits for an approval, `waiting` for anything else from a person; `limit` used up its turns, its time or its
 * cost; `breaker` was stopped because it repeated itself.
 */
const loopOutcomes = ['done', 'gate', 'waiting', 'failed', 'limit', 'breaker'] as const
export type LoopOutcome = (typeof loopOutcomes)[number]

const setupSteps = ['trust', 'trustRepository', 'env', 'agent'] as const

export const MAX_LOOP_AGENTS = 200

const logLevels = ['info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

const line = z.string().max(500)
const time = z.number().min(0)
const count = z.int().min(0)
const roleName = z
  .string()
  .min(1)
  .max(100)
  .regex(/^\P{Cc}+$/u)

const loopAgent = z.strictObject({
  name: agentNameSchema,
  role: roleName,
  /** `waiting` for a place among the agents that may run at once; `reason` says for which. */
  state: z.enum(['waiting', 'running', 'stopping']),
  since: time,
  reason: line,
  run: agentRunId.nullable(),
})
export type LoopAgent = z.infer<typeof loopAgent>

const oneLoop = z.strictObject({
  project: z.int().min(1).max(1_000_000_000),
  system: z.enum(loopSystems),
  place: placeSchema,
})
export type LoopName = z.infer<typeof oneLoop>

const loopSchema = oneLoop.extend({
  state: z.enum(loopStates),
  outcome: z.enum(loopOutcomes).nullable(),
  step: line.nullable(),
  agents: z.array(loopAgent).max(MAX_LOOP_AGENTS),
  startedAt: time,
  since: time,
  message: line,
  hint: line.nullable(),
  code: z.int().min(0).max(255).optional(),
  lines: count,
})
export type Loop = z.infer<typeof loopSchema>

export const failedStartSchema = z.strictObject({
  at: time,
  system: z.enum(loopSystems),
  place: placeSchema,
  message: line,
  hint: line.nullable(),
})
export type FailedStart = z.infer<typeof failedStartSchema>
export const MAX_FAILED_STARTS = 50

const loopStart = z.discriminatedUnion('system', [
  oneLoop.extend({ system: z.literal('metashell'), options: optionsBySystem.metashell.optional() }),
  oneLoop.extend({ system: z.literal('ncrew'), options: optionsBySystem.ncrew.optional() }),
  oneLoop.extend({ system: z.literal('maestro'), options: maestroOptions.optional() }),
  oneLoop.extend({ system: z.literal('tuning'), options: optionsBySystem.tuning.optional() }),
])

const loopLineSchema = z.strictObject({
  number: z.int().min(1),
  time,
  level: z.enum(logLevels),
  text: z.string().max(2000),
})
export type LoopLine = z.infer<typeof loopLineSchema>

export const MAX_LOOP_LINE_PAGE = 200

const hash = z.string().regex(/^[0-9a-f]{40,64}$/)
const branch = z.string().max(300).nullable()

export const MAX_TURN_COMMITS = 50
export const MAX_TURN_FILES = 200
export const MAX_COMMITTING_TURNS = 2_000
export const MAX_TURNS_COMMITS = 500
export const MAX_TURN_SHARERS = 50

const turnSchema = z.strictObject({
  commits: z.array(hash).max(MAX_TURN_COMMITS),
  moreCommits: count,
  elsewhere: z.array(hash).max(MAX_TURN_COMMITS),
  uncommitted: z.array(z.string().max(1000)).max(MAX_TURN_FILES),
  branchBefore: branch,
  branchAfter: branch,
  /** Made while others worked too, so it may be theirs. */
  shared: z
    .array(
      z.strictObject({
        agents: z.array(z.string().max(100)).max(MAX_TURN_SHARERS),
        commits: z.array(hash).max(MAX_TURN_COMMITS),
        uncommitted: z.array(z.string().max(1000)).max(MAX_TURN_FILES),
      }),
    )
    .max(MAX_TURN_SHARERS),
})
export type LoopTurn = z.infer<typeof turnSchema>

const agentTestResultSchema = z.strictObject({
  problems: z.array(line).max(10),
  notes: z.array(line).max(10),
  log: agentRunId.nullable(),
})
export type AgentTestResult = z.infer<typeof agentTestResultSchema>

export const hookDecisionSchema = z.strictObject({
  time,
  event: z.string().max(100),
  agent: z.string().max(100).nullable(),
  answer: z.enum(['none', 'allow', 'deny']),
  reason: z.string().max(500),
})
export type HookDecision = z.infer<typeof hookDecisionSchema>
export const MAX_HOOK_DECISIONS = 100

const one = z.strictObject({ loop: loopSchema })
const envWords = z
  .string()
  .max(20_000)
  .regex(/^[^\0]*$/)
const assignments = z.record(roleName, agentNameSchema.nullable())

const ownHooksChange = z.strictObject({ action: z.enum(['install', 'remove']), format: z.enum(hookFormats) })
/** The warning says that another program wrote the file at the same time. */
const writtenOwnHooks = z.strictObject({ file: z.string().max(4096), warning: z.string().max(2_000).nullable() })

export const loopsCommands = {
  'loops.list': bridgeCommand({
    effect: 'reads',
    input: z.strictObject({}),
    output: z.strictObject({ loops: z.array(loopSchema).max(500) }),
  }),
  'loops.setup': bridgeCommand({
    effect: 'reads',
    input: oneLoop,
    output: z.strictObject({
      roles: z.array(z.strictObject({ role: roleName, agent: agentNameSchema.nullable() })).max(200),
      hasOptionalRoles: z.boolean(),
      agents: z.array(agentNameSchema).max(200),
      missing: z.array(z.strictObject({ step: z.enum(setupSteps), what: line, hint: line })).max(20),
      tests: z.array(z.strictObject({ agent: agentNameSchema, result: agentTestResultSchema.nullable() })).max(200),
      settings: z.array(maestroSetting.extend({ name: z.string().max(100) })).max(50),
      /**
       * Lines of the project's `.env` that go on agents' command lines and that the person has not accepted; null for
       * none.
       */
      envWords: envWords.nullable(),
      /** Null when unknown: git runs in trusted folders only. */
      hasRepository: z.boolean().nullable(),
      worktree: z.strictObject({
        isWanted: z.boolean(),
        branch: z.string().max(300).nullable(),
        refusal: line.nullable(),
        /**
         * The top of the git repository where it lies above the project and must be trusted first; null where it needs
         * no trust.
         */
        untrustedTop: z.string().max(4096).nullable(),
      }),
      options: chosenOptionsSchema,
    }),
    deadline: 20_000,
  }),
  /**
   * Tries an agent with one short prompt in an empty folder, and reads its answer as this run would. May cost a little.
   */
  'loops.testAgent': bridgeCommand({
    effect: 'governs',
    input: oneLoop.extend({ agent: agentNameSchema }),
    output: agentTestResultSchema,
    deadline: 150_000,
  }),
  /**
   * Makes a git repository with a first commit, where the project's folder is in none. @throws FORBIDDEN when it is not
   * trusted
   */
  'loops.createRepository': bridgeCommand({
    effect: 'governs',
    input: oneLoop.pick({ project: true }),
    output: z.strictObject({ state: z.enum(['committed', 'there']) }),
    page: false,
    deadline: 60_000,
  }),
  /** Writes the first files of a new run; overwrites nothing. @throws CONFLICT when they are all there */
  'loops.init': bridgeCommand({
    effect: 'governs',
    input: oneLoop.pick({ project: true }).extend({
      system: z.enum(runLoopSystems),
      name: line.min(1).regex(/^\P{Cc}+$/u, { error: 'a name has no line breaks' }),
      idea: z
        .string()
        .min(1)
        .max(20_000)
        .regex(/^[^\0]*$/),
    }),
    output: z.strictObject({ created: z.array(z.string().max(4096)).max(200) }),
    deadline: 20_000,
  }),
  'loops.assign': bridgeCommand({
    effect: 'governs',
    input: oneLoop.extend({ agents: assignments }),
    output: z.strictObject({}),
  }),
  /** Accepts `envWords` for every run in the folder. @throws CONFLICT when its `.env` has changed */
  'loops.acceptEnv': bridgeCommand({
    effect: 'governs',
    input: oneLoop.extend({ words: envWords.min(1) }),
    output: z.strictObject({}),
  }),
  /**
   * Options for this run's starts from the window; options not named stay. @throws AppError INVALID for what its format
   * does not take
   */
  'loops.chooseOptions': bridgeCommand({
    effect: 'governs',
    input: oneLoop.extend({ changed: changedOptionsSchema }),
    output: z.strictObject({}),
  }),
  /** @throws UNSUPPORTED where the agents cannot have a worktree */
  'loops.wantWorktree': bridgeCommand({
    effect: 'governs',
    input: oneLoop.extend({ isWanted: z.boolean() }),
    output: z.strictObject({}),
  }),
  /** Those that Bridgedeck made in the repositories of the project and of its runs. @throws FORBIDDEN when it is not trusted */
  'loops.worktrees': bridgeCommand({
    effect: 'reads',
    input: oneLoop.pick({ project: true }),
    output: z.strictObject({
      worktrees: z
        .array(
          z.strictObject({
            path: z.string().max(4096),
            branch: z.string().max(300),
            head: hash,
            isMissing: z.boolean(),
            run: z.string().max(4096).nullable(),
          }),
        )
        .max(200),
    }),
    deadline: 60_000,
  }),
  /** What removing it would lose: nothing of this is in what is checked out. */
  'loops.worktree': bridgeCommand({
    effect: 'governs',
    input: oneWorktree,
    output: z.strictObject({
      commits: z.array(z.strictObject({ commit: hash, subject: line })).max(200),
      files: z.array(z.string().max(4096)).max(2_000),
      uncommitted: z.array(z.string().max(4096)).max(200),
    }),
    deadline: 60_000,
  }),
  /**
   * Removes a worktree that no run works in, with its branch; refs keep both. @throws CONFLICT where a run works in it
   */
  'loops.removeWorktree': bridgeCommand({
    effect: 'governs',
    input: oneWorktree,
    output: removedWorktreeSchema,
    page: false,
    deadline: 60_000,
  }),
  /**
   * @throws FORBIDDEN when the folder is not trusted, CONFLICT when it runs already (whoever runs it), INVALID when no
   * agent is set up
   */
  'loops.start': bridgeCommand({ effect: 'governs', input: loopStart, output: one, deadline: 20_000 }),
  'loops.dispatch': bridgeCommand({
    effect: 'governs',
    input: oneLoop.omit({ system: true }).extend({ options: typedMaestroOptions }),
    output: one,
    page: false,
    deadline: 20_000,
  }),
  /** Starts no further agent, and ends once those at work have ended; a later start goes on from there. */
  'loops.pause': bridgeCommand({ effect: 'governs', input: oneLoop, output: one }),
  /** Resolves once the whole process tree of its agent is gone, or is known to be still alive. */
  'loops.stop': bridgeCommand({ effect: 'governs', input: oneLoop, output: one, deadline: 30_000 }),
  /**
   * Reverts the commits of a task and sets it back; with `isTrial` only tells what would change. For the command line.
   */
  'loops.rollBack': bridgeCommand({
    effect: 'governs',
    input: oneLoop.extend({
      task: z
        .string()
        .min(1)
        .max(200)
        .regex(/^\P{Cc}+$/u),
      isTrial: z.boolean(),
    }),
    output: z.strictObject({
      commits: z.array(z.strictObject({ commit: line, subject: line })).max(200),
      files: z
        .array(z.strictObject({ path: z.string().max(4096), added: count.nullable(), deleted: count.nullable() }))
        .max(2_000),
      obstacles: z.array(z.string().max(4_000)).max(100),
      /** Null when nothing was done; otherwise the ref under which the branch is kept as it was. */
      result: z.strictObject({ backup: line }).nullable(),
    }),
    page: false,
    deadline: 120_000,
  }),
  'loops.turn': bridgeCommand({
    effect: 'reads',
    input: oneLoop.extend({ run: agentRunId }),
    output: z.strictObject({ turn: turnSchema.nullable() }),
  }),
  'loops.commits': bridgeCommand({
    effect: 'reads',
    input: oneRun.extend({ turns: z.array(agentRunId).max(MAX_COMMITTING_TURNS) }),
    output: z.strictObject({
      commits: z.array(hash).max(MAX_TURNS_COMMITS),
      moreCommits: count,
      /** Turns without a record: whether they committed is unknown. */
      unrecorded: count,
    }),
  }),
  'loops.failedStarts': bridgeCommand({
    effect: 'reads',
    input: oneLoop.pick({ project: true }),
    output: z.strictObject({ starts: z.array(failedStartSchema).max(MAX_FAILED_STARTS) }),
  }),
  'loops.hookDecisions': bridgeCommand({
    effect: 'reads',
    input: oneLoop.pick({ project: true }),
    output: z.strictObject({
      decisions: z.array(hookDecisionSchema).max(MAX_HOOK_DECISIONS),
      own: z
        .array(z.strictObject({ file: z.string().max(4096), events: z.array(z.string().max(100)).max(10) }))
        .max(10),
    }),
  }),
  /**
   * What would change in the person's own settings of Gemini CLI; no file where nothing would. @throws INVALID for a
   * file that is not its settings
   */
  'loops.previewOwnHooks': bridgeCommand({ effect: 'reads', input: ownHooksChange, output: previewSchema }),
  /** @throws CONFLICT where the change differs from what was shown */
  'loops.writeOwnHooks': bridgeCommand({
    effect: 'governs',
    input: ownHooksChange.extend({ token: previewSchema.shape.token }),
    output: writtenOwnHooks,
    page: false,
  }),
  /** Only after a native dialog was agreed to; null when it was not. */
  'loops.changeOwnHooks': mainCommand({
    input: ownHooksChange.extend({ token: previewSchema.shape.token }),
    output: writtenOwnHooks.nullable(),
    deadline: 0,
  }),
  /**
   * Restores the file from before Bridgedeck's last change. @throws NOT_FOUND where it made none, CONFLICT where the
   * file was changed since
   */
  'loops.undoOwnHooks': bridgeCommand({ effect: 'governs', input: z.strictObject({}), output: writtenOwnHooks }),
  'loops.lines': bridgeCommand({
    effect: 'reads',
    input: oneLoop.extend({ after: z.int().min(0).max(1_000_000_000) }),
    output: z.strictObject({ loop: loopSchema, lines: z.array(loopLineSchema).max(MAX_LOOP_LINE_PAGE) }),
  }),
} as const

export const loopsEvents = {
  'loops.changed': z.strictObject({ loops: z.array(loopSchema).max(500) }),
} as const
