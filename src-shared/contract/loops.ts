/**
 * The loops that Bridgedeck runs itself: a Meta-Shell session, an ncrew crew, a Maestro batch, a tuning run. Each is named by its project, format and place (see
 * `loopPlace`). Times are ms since 1970.
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
 * `pausing`: once the agent at work has ended. `stopping`: its process tree is being ended. `paused`, `stopped`: by the person, `paused` also
 * after the turns that were asked for.
 * `ended`: by itself, and `outcome` says how. `failed`: it could not go on, and `message` says why. `interrupted`: the Bridgedeck
 * that ran it ended before it did.
 */
const loopStates = ['running', 'pausing', 'stopping', 'paused', 'stopped', 'ended', 'failed', 'interrupted'] as const
export type LoopState = (typeof loopStates)[number]

/**
 * `gate` waits for an approval, `waiting` for anything else from a person; `limit` used up its turns, its time or its cost; `breaker`
 * was stopped because it repeats itself.
 */
const loopOutcomes = ['done', 'gate', 'waiting', 'failed', 'limit', 'breaker'] as const
export type LoopOutcome = (typeof loopOutcomes)[number]

/** What a run needs first, in this order. */
const setupSteps = ['trust', 'trustRepository', 'env', 'agent'] as const

/** At work in one loop that are listed. */
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
  /** In this state. */
  since: time,
  reason: line,
  /** Under which it is stopped alone; null until it was asked for. */
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
  /** What it is at: `Executing Task 02-01: Add an index`. */
  step: line.nullable(),
  /** Those at work, in the order in which they were asked for. */
  agents: z.array(loopAgent).max(MAX_LOOP_AGENTS),
  startedAt: time,
  /** Since when it is in this state. */
  since: time,
  /** Its newest line, or why it ended. */
  message: line,
  /** What to do about it. */
  hint: line.nullable(),
  /** How it ended, where its format has exit codes of its own. */
  code: z.int().min(0).max(255).optional(),
  /** Lines of its log so far. */
  lines: count,
})
export type Loop = z.infer<typeof loopSchema>

/** A start that came to nothing, before any agent had a turn. */
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

/** Commits and files of a turn that are listed. */
export const MAX_TURN_COMMITS = 50
export const MAX_TURN_FILES = 200
/** Turns whose commits are asked for at once, and the commits that are listed. */
export const MAX_COMMITTING_TURNS = 2_000
export const MAX_TURNS_COMMITS = 500
/** Agents that worked at once, and groups of them. */
export const MAX_TURN_SHARERS = 50

const turnSchema = z.strictObject({
  /** Made in it on what is checked out, the newest first. */
  commits: z.array(hash).max(MAX_TURN_COMMITS),
  /** Beyond those. */
  moreCommits: count,
  /** Made in it on other branches, the newest first. */
  elsewhere: z.array(hash).max(MAX_TURN_COMMITS),
  /** Files that it left uncommitted. */
  uncommitted: z.array(z.string().max(1000)).max(MAX_TURN_FILES),
  /** Null where none was checked out. */
  branchBefore: branch,
  branchAfter: branch,
  /** What came while others worked too, so that it is one of theirs or its own. */
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
  /** Why the run could not work with it; none when it can. */
  problems: z.array(line).max(10),
  /** What it cannot be held to. */
  notes: z.array(line).max(10),
  /** Of its log among the agents' runs; null where an earlier version did not keep it. */
  log: agentRunId.nullable(),
})
export type AgentTestResult = z.infer<typeof agentTestResultSchema>

/** What a hook of Maestro answered. */
export const hookDecisionSchema = z.strictObject({
  time,
  /** As hosts name it. */
  event: z.string().max(100),
  /** That it was about; null where none was at work. */
  agent: z.string().max(100).nullable(),
  answer: z.enum(['none', 'allow', 'deny']),
  /** Why it was denied, and what went wrong. */
  reason: z.string().max(500),
})
export type HookDecision = z.infer<typeof hookDecisionSchema>
export const MAX_HOOK_DECISIONS = 100

const one = z.strictObject({ loop: loopSchema })
const envWords = z
  .string()
  .max(20_000)
  .regex(/^[^\0]*$/)
/** Agents by the role that they have. */
/** Null: no agent has the role any more. */
const assignments = z.record(roleName, agentNameSchema.nullable())

const ownHooksChange = z.strictObject({ action: z.enum(['install', 'remove']), format: z.enum(hookFormats) })
/** A warning where another program wrote the file at the same time. */
const writtenOwnHooks = z.strictObject({ file: z.string().max(4096), warning: z.string().max(2_000).nullable() })

export const loopsCommands = {
  /** Those that run, and those that ended since Bridgedeck started. */
  'loops.list': bridgeCommand({
    effect: 'reads',
    input: z.strictObject({}),
    output: z.strictObject({ loops: z.array(loopSchema).max(500) }),
  }),
  /** What a loop would run with, and what is still missing before it can. */
  'loops.setup': bridgeCommand({
    effect: 'reads',
    input: oneLoop,
    output: z.strictObject({
      roles: z.array(z.strictObject({ role: roleName, agent: agentNameSchema.nullable() })).max(200),
      /** A role without an agent is left out. */
      hasOptionalRoles: z.boolean(),
      /** Those that are set up. */
      agents: z.array(agentNameSchema).max(200),
      missing: z.array(z.strictObject({ step: z.enum(setupSteps), what: line, hint: line })).max(20),
      /** Of the agents that have a role; null for one that was not tested for this run in its current form. */
      tests: z.array(z.strictObject({ agent: agentNameSchema, result: agentTestResultSchema.nullable() })).max(200),
      /** As it would start now; empty where its format has none. */
      settings: z.array(maestroSetting.extend({ name: z.string().max(100) })).max(50),
      /** Lines of the project's `.env` that go on agents' command lines, and that the person has not accepted; null for none. */
      envWords: envWords.nullable(),
      /** Null when unknown: git runs in trusted folders only. */
      hasRepository: z.boolean().nullable(),
      worktree: z.strictObject({
        /** The next start makes one. */
        isWanted: z.boolean(),
        /** Of the one that the run has; null where it has none. */
        branch: z.string().max(300).nullable(),
        /** Why it cannot have one; null where it can. */
        refusal: line.nullable(),
        /** The top of the git repository, which has to be trusted first as it lies above the project; null where it needs no trust. */
        untrustedTop: z.string().max(4096).nullable(),
      }),
      /** For all starts from the window. */
      options: chosenOptionsSchema,
    }),
    deadline: 20_000,
  }),
  /** Tries an agent with one short prompt in an empty folder, and reads its answer as this run would. It may cost a little. */
  'loops.testAgent': bridgeCommand({
    effect: 'governs',
    input: oneLoop.extend({ agent: agentNameSchema }),
    output: agentTestResultSchema,
    deadline: 150_000,
  }),
  /** A git repository with a first commit, where the project's folder is in none. @throws FORBIDDEN when it is not trusted */
  'loops.createRepository': bridgeCommand({
    effect: 'governs',
    input: oneLoop.pick({ project: true }),
    output: z.strictObject({ state: z.enum(['committed', 'there']) }),
    page: false,
    deadline: 60_000,
  }),
  /** The first files of a new run in the project's folder; overwrites nothing. @throws CONFLICT when they are all there */
  'loops.init': bridgeCommand({
    effect: 'governs',
    input: oneLoop.pick({ project: true }).extend({
      system: z.enum(runLoopSystems),
      /** Of what is built. */
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
  /** Which agent has which role in this run, from its next start on. */
  'loops.assign': bridgeCommand({
    effect: 'governs',
    input: oneLoop.extend({ agents: assignments }),
    output: z.strictObject({}),
  }),
  /** Accepts `envWords` for every run in the folder. @throws CONFLICT when its `.env` says something else by now */
  'loops.acceptEnv': bridgeCommand({
    effect: 'governs',
    input: oneLoop.extend({ words: envWords.min(1) }),
    output: z.strictObject({}),
  }),
  /** With what the window starts this run from now on; what is not named stays. @throws AppError INVALID for what its format does not take */
  'loops.chooseOptions': bridgeCommand({
    effect: 'governs',
    input: oneLoop.extend({ changed: changedOptionsSchema }),
    output: z.strictObject({}),
  }),
  /** Whether the next start of this run makes a worktree for its agents. @throws UNSUPPORTED where they cannot have one */
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
            /** Its folder is gone. */
            isMissing: z.boolean(),
            /** Whose agents work in it; null where no run knows it any more. */
            run: z.string().max(4096).nullable(),
          }),
        )
        .max(200),
    }),
    deadline: 60_000,
  }),
  /** What would go with one: nothing of it is in what is checked out. */
  'loops.worktree': bridgeCommand({
    effect: 'governs',
    input: oneWorktree,
    output: z.strictObject({
      /** The newest first. */
      commits: z.array(z.strictObject({ commit: hash, subject: line })).max(200),
      files: z.array(z.string().max(4096)).max(2_000),
      uncommitted: z.array(z.string().max(4096)).max(200),
    }),
    deadline: 60_000,
  }),
  /** Removes one that no run works in, with its branch; refs keep both. @throws CONFLICT where a run works in it */
  'loops.removeWorktree': bridgeCommand({
    effect: 'governs',
    input: oneWorktree,
    output: removedWorktreeSchema,
    page: false,
    deadline: 60_000,
  }),
  /** @throws FORBIDDEN when the folder is not trusted, CONFLICT when it runs already (whoever runs it), INVALID when no agent is set up */
  'loops.start': bridgeCommand({ effect: 'governs', input: loopStart, output: one, deadline: 20_000 }),
  /** Runs the prompts of a Maestro batch, in a folder with `prompts/`, or a Maestro session. @throws as `loops.start` */
  'loops.dispatch': bridgeCommand({
    effect: 'governs',
    input: oneLoop.omit({ system: true }).extend({ options: typedMaestroOptions }),
    output: one,
    page: false,
    deadline: 20_000,
  }),
  /** It starts no further agent, and ends once those at work have ended; a start goes on from there. */
  'loops.pause': bridgeCommand({ effect: 'governs', input: oneLoop, output: one }),
  /** Resolves once the whole process tree of its agent is gone, or known to be alive still. */
  'loops.stop': bridgeCommand({ effect: 'governs', input: oneLoop, output: one, deadline: 30_000 }),
  /** Reverts the commits of a task and sets it back; with `isTrial` it only tells what that would change. For the command line: the window has its own way. */
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
      /** The newest first. */
      commits: z.array(z.strictObject({ commit: line, subject: line })).max(200),
      files: z
        .array(z.strictObject({ path: z.string().max(4096), added: count.nullable(), deleted: count.nullable() }))
        .max(2_000),
      /** Why it cannot be done as things stand. */
      obstacles: z.array(z.string().max(4_000)).max(100),
      /** Null when nothing was done; otherwise the ref under which the branch is kept as it was. */
      result: z.strictObject({ backup: line }).nullable(),
    }),
    page: false,
    deadline: 120_000,
  }),
  /** What git says that a turn did; null where it was not recorded. @param run of its agent */
  'loops.turn': bridgeCommand({
    effect: 'reads',
    input: oneLoop.extend({ run: agentRunId }),
    output: z.strictObject({ turn: turnSchema.nullable() }),
  }),
  /** The commits that turns of a run made, by what git had before and after each, the newest first. */
  'loops.commits': bridgeCommand({
    effect: 'reads',
    input: oneRun.extend({ turns: z.array(agentRunId).max(MAX_COMMITTING_TURNS) }),
    output: z.strictObject({
      commits: z.array(hash).max(MAX_TURNS_COMMITS),
      /** Beyond those. */
      moreCommits: count,
      /** Turns without a record: whether they committed is unknown. */
      unrecorded: count,
    }),
  }),
  /** Of a project, the newest first; open or not. */
  'loops.failedStarts': bridgeCommand({
    effect: 'reads',
    input: oneLoop.pick({ project: true }),
    output: z.strictObject({ starts: z.array(failedStartSchema).max(MAX_FAILED_STARTS) }),
  }),
  /** What Maestro's hooks answered in a project, the newest first. */
  'loops.hookDecisions': bridgeCommand({
    effect: 'reads',
    input: oneLoop.pick({ project: true }),
    output: z.strictObject({
      decisions: z.array(hookDecisionSchema).max(MAX_HOOK_DECISIONS),
      /** Files of the person's own that have hooks of ours, for all projects. */
      own: z
        .array(z.strictObject({ file: z.string().max(4096), events: z.array(z.string().max(100)).max(10) }))
        .max(10),
    }),
  }),
  /** What would change in the person's own settings of Gemini CLI; no file where nothing would. @throws INVALID for a file that is not its settings */
  'loops.previewOwnHooks': bridgeCommand({ effect: 'reads', input: ownHooksChange, output: previewSchema }),
  /** @throws CONFLICT where it is not what was shown any more */
  'loops.writeOwnHooks': bridgeCommand({
    effect: 'governs',
    input: ownHooksChange.extend({ token: previewSchema.shape.token }),
    output: writtenOwnHooks,
    page: false,
  }),
  /** As that, once a native dialog was agreed to; null when it was not. */
  'loops.changeOwnHooks': mainCommand({
    input: ownHooksChange.extend({ token: previewSchema.shape.token }),
    output: writtenOwnHooks.nullable(),
    deadline: 0,
  }),
  /** The file as it was before the last change of this Bridgedeck. @throws NOT_FOUND where it made none, CONFLICT where the file was changed since */
  'loops.undoOwnHooks': bridgeCommand({ effect: 'governs', input: z.strictObject({}), output: writtenOwnHooks }),
  /** Of its log those after a number; 0 for all that are kept. */
  'loops.lines': bridgeCommand({
    effect: 'reads',
    input: oneLoop.extend({ after: z.int().min(0).max(1_000_000_000) }),
    output: z.strictObject({ loop: loopSchema, lines: z.array(loopLineSchema).max(MAX_LOOP_LINE_PAGE) }),
  }),
} as const

export const loopsEvents = {
  /** Those that changed, coalesced. */
  'loops.changed': z.strictObject({ loops: z.array(loopSchema).max(500) }),
} as const
