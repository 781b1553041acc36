/** What an agent printed is foreign text. Times are ms since 1970; `null` is unknown. */
import { z } from 'zod'
import { commandText, presetNames } from '../agentPresets'
import { loopSystems } from '../formats/systems'
import { bridgeCommand } from './define'
import { MAX_LINE_CHARACTERS } from './fact'
import { projectId } from './orchestration'

const agentName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/, { error: 'an agent’s name has 1 to 40 of A-Z, a-z, 0-9, _ and -' })
/** Part of a command line: a model must not be taken for an option. */
export const modelSchema = z
  .string()
  .regex(/^\w[\w.:/@+-]{0,199}$/, { error: 'a model’s name has letters, digits and . : / @ + - _ only' })
const word = z
  .string()
  .max(4_000)
  .regex(/^[^\0]*$/)

/** What an agent started by Bridgedeck may do at the machines without asking; each right includes the one before. */
export const machineRights = ['none', 'look', 'change', 'power'] as const
export type MachineRights = (typeof machineRights)[number]

export const agentSchema = z.strictObject({
  name: agentName,
  preset: z.enum(presetNames),
  command: z
    .string()
    .min(1)
    .max(4096)
    .regex(/^\P{Cc}+$/u, { error: 'no line breaks or other control characters' }),
  model: modelSchema.nullable(),
  args: z.array(word).max(100),
  environment: z
    .array(
      z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,199}$/, { error: 'a variable’s name has letters, digits and _ only' }),
    )
    .max(100),
  /** Seconds. */
  timeLimit: z.int().min(1).max(86_400),
  maxTurns: z.int().min(1).max(10_000).nullable(),
  /** USD. */
  maxCost: z.number().min(0.01).max(10_000).nullable(),
  machines: z.enum(machineRights).exactOptional(),
})
export type Agent = z.infer<typeof agentSchema>

/** An agent that was saved before this setting existed may look. */
export const machineRightsOf = ({ machines = 'look' }: Pick<Agent, 'machines'>): MachineRights => machines

const machineTexts: Readonly<Record<MachineRights, string>> = {
  none: 'It gets no machine of Bridgedeck.',
  look: 'It may look at the machines of Bridgedeck, and asks you before it changes one.',
  change: 'It may change the machines of Bridgedeck, and load and save files of the folder that it works in.',
  power:
    'It may change the machines of Bridgedeck, switch and configure them, connect others, and load and save files of the folder that it works in.',
}

export const MAX_AGENTS = 50

export const agentRunId = z.string().regex(/^[0-9a-z-]{1,60}$/)
const count = z.int().min(0)
const time = z.number().nullable()
const sentence = z.string().max(2_000)
const pids = z.array(z.int().min(1)).max(1_000)

/** `left`: started by a bridge that has ended, and still running. */
const agentRunStates = ['waiting', 'running', 'stopping', 'left', 'ended'] as const
const agentStatuses = ['success', 'error', 'timeout', 'limit', 'stopped'] as const
export const agentStreams = ['output', 'errors'] as const
export const logStreams = ['prompt', ...agentStreams] as const
export type LogStream = (typeof logStreams)[number]

const logSize = z.strictObject({ bytes: count, lines: count })

export const agentTurnSchema = z.strictObject({
  project: projectId,
  system: z.enum(loopSystems),
  place: z.string().max(1000),
  folder: z.string().max(300),
  role: z.string().max(100),
  task: z.string().max(MAX_LINE_CHARACTERS).nullable(),
  /** The run as its files named it then, as its place may change; absent where it had no name. */
  run: z
    .strictObject({
      id: z.string().max(MAX_LINE_CHARACTERS).nullable(),
      title: z.string().max(MAX_LINE_CHARACTERS).nullable(),
    })
    .exactOptional(),
})
export type AgentTurn = Readonly<z.infer<typeof agentTurnSchema>>

const serviceRefusalSchema = z.strictObject({
  /**
   * `unknown`: an error of the service that nobody knows kept the agent from doing anything. `person`: only the person
   * can help, as with a refused key or login. `program`: it could not be started, as in the middle of its update.
   */
  kind: z.enum(['usage-limit', 'unreachable', 'unknown', 'person', 'program']),
  resetsAt: time,
})
export type ServiceRefusal = Readonly<z.infer<typeof serviceRefusalSchema>>

const tokenCount = z.number().min(0).nullable()

/** Tokens of one model, each counted once: `input` excludes what was read from the cache or written into it. */
const tokenUseSchema = z.strictObject({
  model: z.string().max(200).nullable(),
  input: tokenCount,
  /** Includes thinking. */
  output: tokenCount,
  cacheRead: tokenCount,
  cacheWrite: tokenCount,
})
export type TokenUse = Readonly<z.infer<typeof tokenUseSchema>>
export const MAX_TOKEN_USES = 20

/** USD for a million tokens of each kind. */
export const priceSchema = z.strictObject({
  /** `*` stands for any characters. */
  model: z.string().min(1).max(200),
  input: z.number().min(0).max(1_000_000),
  output: z.number().min(0).max(1_000_000),
  cachedRead: z.number().min(0).max(1_000_000).exactOptional(),
  cachedWrite: z.number().min(0).max(1_000_000).exactOptional(),
  date: z.string().regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'a date such as 2026-11-01' }),
  source: z.string().min(1).max(1_000),
})
export type Price = Readonly<z.infer<typeof priceSchema>>
export const MAX_PRICES = 200

export const agentRunSchema = z.strictObject({
  run: agentRunId,
  agent: z.string().max(100),
  preset: z.enum(presetNames),
  purpose: sentence,
  turn: agentTurnSchema.nullable(),
  model: z.string().max(200).nullable(),
  state: z.enum(agentRunStates),
  askedAt: z.number(),
  startedAt: time,
  endedAt: time,
  pid: z.int().nullable(),
  status: z.enum(agentStatuses).nullable(),
  reason: sentence,
  refusal: serviceRefusalSchema.exactOptional(),
  exitCode: z.int().nullable(),
  tokens: z.number().min(0).nullable(),
  uses: z.array(tokenUseSchema).max(MAX_TOKEN_USES).exactOptional(),
  /** USD. */
  cost: z.number().min(0).nullable(),
  /** Date of the person's prices from which `cost` was worked out; absent where the agent told the cost. */
  pricesOf: z.string().max(10).exactOptional(),
  turns: z.number().min(0).nullable(),
  stillAlive: pids,
  output: logSize,
  errors: logSize,
  lastLine: z.string().max(300),
})
export type AgentRun = z.infer<typeof agentRunSchema>

export const MAX_AGENT_RUN_PAGE = 100
const MAX_LOG_PAGE = 500
export const MAX_FOUND_LINES = 200

const nothing = z.strictObject({})
const one = z.strictObject({ run: agentRunId })
const oneLog = one.extend({ stream: z.enum(logStreams) })
const lineNumber = z.int().min(0).max(10_000_000_000)
const logLine = z.strictObject({
  text: z.string().max(5_000),
  /** Bytes of the whole line in the file; `text` may be its start only. */
  bytes: count,
  /** When it was printed, at most a quarter of a second later; null where nobody looked then. */
  at: time,
})
export type LogLine = z.infer<typeof logLine>

export const MAX_STEP_TITLE_CHARACTERS = 200
export const MAX_STEP_PAGE = 500
const logStep = z.strictObject({
  /** Its first line, from 0; it goes on to the next step. */
  line: count,
  kind: z.enum(['message', 'tool', 'text', 'run']),
  title: z.string().max(MAX_STEP_TITLE_CHARACTERS),
  hasFailed: z.boolean(),
  at: time,
})
export type LogStep = z.infer<typeof logStep>

export const agentsCommands = {
  'agents.list': bridgeCommand({
    effect: 'reads',
    input: nothing,
    output: z.strictObject({
      agents: z
        .array(
          agentSchema.extend({
            program: z.string().max(4096).nullable(),
          }),
        )
        .max(MAX_AGENTS),
    }),
  }),
  'agents.find': bridgeCommand({
    effect: 'reads',
    input: nothing,
    output: z.strictObject({
      found: z
        .array(
          z.strictObject({
            preset: z.enum(presetNames),
            program: z.string().max(4096),
            version: z.string().max(100).nullable(),
          }),
        )
        .max(presetNames.length),
    }),
    deadline: 20_000,
  }),
  'agents.prices': bridgeCommand({
    effect: 'reads',
    input: nothing,
    output: z.strictObject({
      path: z.string().max(4096),
      isThere: z.boolean(),
      prices: z.array(priceSchema).max(MAX_PRICES),
      /** While the file has this problem, its prices do not count. */
      problem: sentence.nullable(),
    }),
  }),
  'agents.createPrices': bridgeCommand({
    effect: 'governs',
    input: nothing,
    output: z.strictObject({ path: z.string().max(4096) }),
    page: false,
  }),
  'agents.save': bridgeCommand({
    effect: 'governs',
    input: agentSchema,
    output: nothing,
    confirm: (agent) => ({
      message: `May the agent “${agent.name}” be started by this command?`,
      detail: `${commandText(agent)}\n\nIt gets its prompt on standard input${
        agent.environment.length === 0 ? '' : `, and of your environment also ${agent.environment.join(', ')}`
      }. It can do all that you can do on this computer: read and change your files, run programs, use the network. ${machineTexts[machineRightsOf(agent)]}`,
      button: 'Allow this command',
    }),
  }),
  'agents.remove': bridgeCommand({
    effect: 'governs',
    input: z.strictObject({ name: agentName }),
    output: nothing,
    confirm: ({ name }) => ({
      message: `Remove the agent “${name}”?`,
      detail: 'Its settings are forgotten. Its past runs and their logs stay.',
      button: 'Remove',
    }),
  }),
  'agents.try': bridgeCommand({ effect: 'governs', input: z.strictObject({ name: agentName }), output: one }),
  /**
   * Newest first; `before` is the last page's `next`, null for the first. Listen to `agentRuns.changed` before the
   * call; events with a revision above a page's are newer than the page.
   */
  'agentRuns.list': bridgeCommand({
    effect: 'reads',
    input: z.strictObject({ before: agentRunId.nullable() }),
    output: z.strictObject({
      revision: count,
      runs: z.array(agentRunSchema).max(MAX_AGENT_RUN_PAGE),
      next: agentRunId.nullable(),
    }),
  }),
  /** Lines from this number on, from 0; null for the last lines. */
  'agentRuns.log': bridgeCommand({
    effect: 'reads',
    input: oneLog.extend({ from: lineNumber.nullable(), count: z.int().min(1).max(MAX_LOG_PAGE) }),
    output: z.strictObject({
      lines: z.array(logLine).max(MAX_LOG_PAGE),
      /** Number of the first of `lines`; null while the lines of a long log are still being counted. */
      first: count.nullable(),
      total: count,
      counted: count,
      size: count,
    }),
  }),
  /** None where the output prints no events. The last step may still change. */
  'agentRuns.steps': bridgeCommand({
    effect: 'reads',
    input: one.extend({ from: z.int().min(0).max(1_000_000) }),
    output: z.strictObject({
      steps: z.array(logStep).max(MAX_STEP_PAGE),
      total: count,
      lines: count,
    }),
  }),
  /** Searches from this byte on, a part of the log at a time: `next` is where to go on, null at its end. */
  'agentRuns.search': bridgeCommand({
    effect: 'reads',
    input: oneLog.extend({
      find: z
        .string()
        .min(1)
        .max(1_000)
        .regex(/^[^\0]*$/),
      as: z.enum(['text', 'expression']),
      ignoreCase: z.boolean(),
      from: z.int().min(0).max(100_000_000_000),
    }),
    output: z.strictObject({
      found: z.array(z.strictObject({ line: count, text: z.string().max(5_000) })).max(MAX_FOUND_LINES),
      next: count.nullable(),
      size: count,
    }),
    deadline: 20_000,
  }),
  /** Answers once the whole process tree is gone, or is known to be still alive. */
  'agentRuns.stop': bridgeCommand({
    effect: 'governs',
    input: one,
    output: z.strictObject({ stillAlive: pids }),
    deadline: 30_000,
  }),
  'agentRuns.live': bridgeCommand({
    effect: 'reads',
    input: nothing,
    output: z.strictObject({
      runs: z.array(z.strictObject({ run: agentRunId, agent: z.string().max(100), purpose: sentence })).max(1_000),
    }),
  }),
  'agentRuns.stopAll': bridgeCommand({
    effect: 'governs',
    input: nothing,
    output: z.strictObject({ stillAlive: pids }),
    deadline: 30_000,
  }),
} as const

export const agentsEvents = {
  /** Runs that changed, whole, coalesced over a quarter of a second. */
  'agentRuns.changed': z.strictObject({
    /** The revision before these changes; if it is not the last known one, some were missed: list again. */
    from: count,
    revision: count,
    runs: z.array(agentRunSchema).max(MAX_AGENT_RUN_PAGE),
  }),
} as const
