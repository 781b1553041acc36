import { z } from 'zod'
import { bridgeCommand } from './define'
import { heldJoystickSchema, heldKeysSchema, machineNameSchema } from './machine'
import { spaces } from './memory'

/**
 * `look` at a machine; `change` it; `power`: switch or configure it; `connect` others; use `files`; `programs`: name
 * files that programs run.
 */
const rights = ['look', 'change', 'power', 'connect', 'files', 'programs'] as const
export type Right = (typeof rights)[number]

export const grantableRights = ['change', 'power', 'connect', 'files', 'programs'] as const
export type GrantableRight = (typeof grantableRights)[number]

/** `once`: the call that asked; `session`: until the agent leaves; `always`: agents of this name from now on. */
const consents = ['once', 'session', 'always', 'refuse'] as const
export type Consent = (typeof consents)[number]

export const AGENT_COLOURS = 6
const MAX_AGENTS = 64
export const MAX_TOLD_CALLS = 200

const nothing = z.strictObject({})
export const MAX_NAME_LENGTH = 60
const agentNameSchema = z
  .string()
  .min(1)
  .max(MAX_NAME_LENGTH)
  .regex(/^\P{Cc}+$/u)
const line = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^\P{Cc}*$/u)
const MAX_CALL_TEXT = 300
export const callText = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_CALL_TEXT)
const MAX_NUMBER = 2 ** 31 - 1
const agentId = z.int().min(1).max(MAX_NUMBER)
const colour = z
  .int()
  .min(0)
  .max(AGENT_COLOURS - 1)
/** ms since 1970 */
const time = z.number().min(0)
const right = z.enum(grantableRights)

const agentSchema = z.strictObject({
  agent: agentId,
  name: agentNameSchema,
  colour,
  since: time,
  paused: z.boolean(),
  granted: z.array(z.strictObject({ right, for: z.enum(['session', 'always']) })).max(grantableRights.length),
  refused: z.array(right).max(grantableRights.length),
  machine: machineNameSchema.nullable(),
  doing: line(100).nullable(),
  calls: z.int().min(0),
})
export type SteeringAgent = z.infer<typeof agentSchema>

const questionSchema = z.strictObject({
  question: z.int().min(1),
  agent: agentId,
  name: agentNameSchema,
  colour,
  right,
  text: line(MAX_CALL_TEXT),
  since: time,
})
export type SteeringQuestion = z.infer<typeof questionSchema>

/** Who may change a machine now; without a lease, any agent that has the right. */
const leaseSchema = z.strictObject({
  machine: machineNameSchema,
  /** Null for the person, who took the machine over. */
  agent: agentId.nullable(),
  name: line(60),
  colour: colour.nullable(),
  until: time.nullable(),
})
export type SteeringLease = z.infer<typeof leaseSchema>

const leftSchema = z.strictObject({
  machine: machineNameSchema,
  name: agentNameSchema,
  colour,
  time,
  paused: z.boolean(),
  warp: z.boolean(),
  slow: z.boolean(),
  keys: heldKeysSchema,
  joysticks: z.array(heldJoystickSchema).max(2),
  checkpoints: z.array(z.int().min(0)).max(1000),
  frozen: z.array(z.strictObject({ space: z.enum(spaces), address: z.int().min(0).max(0xffff) })).max(1000),
})
export type LeftBehind = z.infer<typeof leftSchema>

const stateSchema = z.strictObject({
  agents: z.array(agentSchema).max(MAX_AGENTS),
  questions: z.array(questionSchema).max(MAX_AGENTS),
  leases: z.array(leaseSchema).max(100),
  left: z.array(leftSchema).max(100),
})
export type SteeringState = z.infer<typeof stateSchema>

/** `refused` by the person or their settings, `unanswered` as the person did not answer in time, `cancelled` by the agent before they did. */
const callOutcomes = ['running', 'done', 'failed', 'refused', 'unanswered', 'cancelled'] as const
export type CallOutcome = (typeof callOutcomes)[number]

export const isHeldBack = (outcome: CallOutcome): boolean =>
  outcome === 'refused' || outcome === 'unanswered' || outcome === 'cancelled'

export const agentCallSchema = z.strictObject({
  call: z.int().min(1),
  agent: agentId.nullable(),
  name: agentNameSchema,
  colour,
  time,
  ms: z.number().min(0).nullable(),
  machine: machineNameSchema.nullable(),
  title: line(100),
  right: z.enum(rights),
  text: line(MAX_CALL_TEXT),
  outcome: z.enum(callOutcomes),
  message: line(MAX_CALL_TEXT).nullable(),
  bytes: z.int().min(0),
  /** How it can be undone, with all later calls of the agent; null where it cannot be, or changed nothing. */
  undo: z.enum(['bytes', 'time', 'ram', 'state', 'warp']).nullable(),
  clock: z.number().min(0).nullable(),
})
export type AgentCall = z.infer<typeof agentCallSchema>

const callNumber = z.int().min(1).max(MAX_NUMBER)
const agent = z.strictObject({ agent: agentId })
const machine = z.strictObject({ machine: machineNameSchema })

const undone = z.strictObject({
  text: line(MAX_CALL_TEXT),
})

/** Only the person may call these, no agent and no command line; those that look or clear are the exception. */
export const steeringCommands = {
  'steering.state': bridgeCommand({ effect: 'reads', input: nothing, output: stateSchema }),
  'steering.calls': bridgeCommand({
    effect: 'reads',
    input: z.strictObject({
      before: callNumber.nullable(),
      name: agentNameSchema.nullable(),
    }),
    output: z.strictObject({ calls: z.array(agentCallSchema).max(MAX_TOLD_CALLS), more: z.boolean() }),
  }),
  'steering.answer': bridgeCommand({
    effect: 'governs',
    input: z.strictObject({ question: z.int().min(1).max(MAX_NUMBER), consent: z.enum(consents) }),
    output: nothing,
  }),
  'steering.grant': bridgeCommand({
    effect: 'governs',
    input: agent.extend({ right, for: z.enum(['session', 'always']) }),
    output: nothing,
  }),
  'steering.revoke': bridgeCommand({ effect: 'governs', input: agent.extend({ right }), output: nothing }),
  'steering.pause': bridgeCommand({ effect: 'governs', input: agent, output: nothing }),
  'steering.resume': bridgeCommand({ effect: 'governs', input: agent, output: nothing }),
  /** No agent changes the machine until it is handed back. */
  'steering.takeOver': bridgeCommand({ effect: 'governs', input: machine, output: nothing }),
  'steering.handBack': bridgeCommand({ effect: 'governs', input: machine, output: nothing }),
  'steering.clearLeft': bridgeCommand({
    effect: 'runs',
    input: machine,
    output: z.strictObject({
      text: line(MAX_CALL_TEXT),
    }),
    deadline: 20_000,
  }),
  /** Also undoes later calls of the same agent on the machine. */
  'steering.undo': bridgeCommand({
    effect: 'governs',
    input: z.strictObject({ call: callNumber }),
    output: undone,
    deadline: 60_000,
  }),
} as const

export const agentLineCommands = {
  /** Once for each line. What the person allowed when starting the server is granted for the session. */
  'agentLine.join': bridgeCommand({
    effect: 'reads',
    input: z.strictObject({
      name: agentNameSchema,
      granted: z.array(right).max(grantableRights.length),
      folders: z.array(z.string().min(1).max(4096)).max(100),
      /**
       * Whether it waits a while for a machine that another one has, as scripts do, which cannot do something else
       * meanwhile.
       */
      waits: z.boolean(),
    }),
    output: agent,
    page: false,
  }),
  /**
   * Grants for the session what the person allowed in the agent's own program. @throws FORBIDDEN where a window asks
   * them
   */
  'agentLine.allow': bridgeCommand({
    effect: 'reads',
    input: z.strictObject({ right }),
    output: nothing,
    page: false,
  }),
  /**
   * Called before each tool call. Answers once the agent is not paused and the person has allowed the call.
   * @throws FORBIDDEN where it may not, BUSY where nobody answers
   */
  'agentLine.begin': bridgeCommand({
    effect: 'reads',
    input: z.strictObject({
      /** The caller's own number, larger than those before. */
      call: callNumber,
      title: line(100).min(1),
      /** What it needs for sure, the operation's own right first; its commands may need more. */
      rights: z.array(z.enum(rights)).min(1).max(rights.length),
      text: line(MAX_CALL_TEXT),
    }),
    output: nothing,
    page: false,
    deadline: 0,
  }),
  /**
   * Undoes the agent's last call that changed something.
   * @throws NOT_FOUND where there is none, BUSY while the machine is somebody else's
   */
  'agentLine.undo': bridgeCommand({
    effect: 'replaces',
    input: nothing,
    output: undone,
    page: false,
    deadline: 60_000,
  }),
  'agentLine.end': bridgeCommand({
    effect: 'reads',
    input: z.strictObject({
      call: callNumber,
      outcome: z.enum(['done', 'failed']),
      message: line(MAX_CALL_TEXT).nullable(),
    }),
    output: nothing,
    page: false,
  }),
} as const

export const steeringEvents = {
  'steering.changed': stateSchema,
  'steering.called': z.strictObject({ calls: z.array(agentCallSchema).max(MAX_TOLD_CALLS) }),
} as const
