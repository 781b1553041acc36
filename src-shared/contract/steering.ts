/** Agents that steer machines: who they are, what they may do, what they did. */
import { z } from 'zod'
import { bridgeCommand } from './define'
import { heldJoystickSchema, heldKeysSchema, machineNameSchema } from './machine'
import { spaces } from './memory'

/** To look; to change a machine; to switch or configure one; to connect others; to use files; to name files that programs run. */
const rights = ['look', 'change', 'power', 'connect', 'files', 'programs'] as const
export type Right = (typeof rights)[number]

/** What an agent is asked for and may be granted; looking needs no question. */
export const grantableRights = ['change', 'power', 'connect', 'files', 'programs'] as const
export type GrantableRight = (typeof grantableRights)[number]

/** `once` is the call that asked, `session` until the agent leaves, `always` for agents of this name from now on. */
const consents = ['once', 'session', 'always', 'refuse'] as const
export type Consent = (typeof consents)[number]

/** The window has as many colours for agents. */
export const AGENT_COLOURS = 6
const MAX_AGENTS = 64
/** Calls in one answer of `steering.calls`. */
export const MAX_TOLD_CALLS = 200

const nothing = z.strictObject({})
/** Characters of an agent's name. */
export const MAX_NAME_LENGTH = 60
/** As an agent names itself: text of a stranger. */
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
/** Of what an agent does, and of what came of it. */
const MAX_CALL_TEXT = 300
/** A text as one line, cut to what a call may say. */
export const callText = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_CALL_TEXT)
/** More than are ever given out. */
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
  /** Not asked again until it is granted. */
  refused: z.array(right).max(grantableRights.length),
  /** The machine that it used last; null before its first. */
  machine: machineNameSchema.nullable(),
  /** The call that runs, such as “run assembly”; null between calls. */
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
  /** What it wants to do. */
  text: line(MAX_CALL_TEXT),
  since: time,
})
export type SteeringQuestion = z.infer<typeof questionSchema>

/** Who may change a machine now; without one, any agent that has the right. */
const leaseSchema = z.strictObject({
  machine: machineNameSchema,
  /** Null for the person, who took it over. */
  agent: agentId.nullable(),
  name: line(60),
  colour: colour.nullable(),
  /** Null until it is handed back. */
  until: time.nullable(),
})
export type SteeringLease = z.infer<typeof leaseSchema>

/** What an agent that has gone left set at a machine. */
const leftSchema = z.strictObject({
  machine: machineNameSchema,
  name: agentNameSchema,
  colour,
  /** When it went. */
  time,
  paused: z.boolean(),
  warp: z.boolean(),
  /** In slow motion. */
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

/** Calls that were never carried out. */
export const isHeldBack = (outcome: CallOutcome): boolean =>
  outcome === 'refused' || outcome === 'unanswered' || outcome === 'cancelled'

export const agentCallSchema = z.strictObject({
  call: z.int().min(1),
  /** Its id where it is still there. */
  agent: agentId.nullable(),
  name: agentNameSchema,
  colour,
  time,
  /** How long it took; null while it runs. */
  ms: z.number().min(0).nullable(),
  machine: machineNameSchema.nullable(),
  /** The tool and its operation, such as “memory write”. */
  title: line(100),
  right: z.enum(rights),
  /** Its arguments, cut. */
  text: line(MAX_CALL_TEXT),
  outcome: z.enum(callOutcomes),
  /** The first line of the answer where it failed. */
  message: line(MAX_CALL_TEXT).nullable(),
  /** Changed bytes of memory that can be put back; 0 where it wrote none. */
  bytes: z.int().min(0),
  /** How it can be undone, with all calls of the agent after it; null where it cannot, or changed nothing. */
  undo: z.enum(['bytes', 'time', 'ram', 'state', 'warp']).nullable(),
  /** Where the machine’s own time stood before it; null where the machine keeps none. */
  clock: z.number().min(0).nullable(),
})
export type AgentCall = z.infer<typeof agentCallSchema>

const callNumber = z.int().min(1).max(MAX_NUMBER)
const agent = z.strictObject({ agent: agentId })
const machine = z.strictObject({ machine: machineNameSchema })

const undone = z.strictObject({
  /** What was put back. */
  text: line(MAX_CALL_TEXT),
})

/** All but those that look or clear are for the person alone: no agent and no command line may call them. */
export const steeringCommands = {
  'steering.state': bridgeCommand({ effect: 'reads', input: nothing, output: stateSchema }),
  /** Newest first. */
  'steering.calls': bridgeCommand({
    effect: 'reads',
    input: z.strictObject({
      before: callNumber.nullable(),
      /** Of the agents of this name alone. */
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
  /** Takes a right back, also one for always, and asks again when it is needed. */
  'steering.revoke': bridgeCommand({ effect: 'governs', input: agent.extend({ right }), output: nothing }),
  /** Its calls wait until it is resumed. */
  'steering.pause': bridgeCommand({ effect: 'governs', input: agent, output: nothing }),
  'steering.resume': bridgeCommand({ effect: 'governs', input: agent, output: nothing }),
  /** No agent changes the machine until it is handed back. */
  'steering.takeOver': bridgeCommand({ effect: 'governs', input: machine, output: nothing }),
  'steering.handBack': bridgeCommand({ effect: 'governs', input: machine, output: nothing }),
  /** Takes back all that agents which have gone left set at the machine: pause, speed, checkpoints, frozen values and held inputs. */
  'steering.clearLeft': bridgeCommand({
    effect: 'runs',
    input: machine,
    output: z.strictObject({
      /** What was taken back. */
      text: line(MAX_CALL_TEXT),
    }),
    deadline: 20_000,
  }),
  /** Undoes a call, and those of the same agent on the machine that came after it. */
  'steering.undo': bridgeCommand({
    effect: 'governs',
    input: z.strictObject({ call: callNumber }),
    output: undone,
    deadline: 60_000,
  }),
} as const

/** How an agent’s own client of the bridge says who it is and what it is about to do. Refused on any other line. */
export const agentLineCommands = {
  /** Once for each line. What the person allowed when they started the server is granted for the session. */
  'agentLine.join': bridgeCommand({
    effect: 'reads',
    input: z.strictObject({
      name: agentNameSchema,
      granted: z.array(right).max(grantableRights.length),
      /** Whose files it may use: absolute paths. */
      folders: z.array(z.string().min(1).max(4096)).max(100),
      /** Whether it waits a while for a machine that another one has, as scripts do, which cannot think of something else. */
      waits: z.boolean(),
    }),
    output: agent,
    page: false,
  }),
  /**
   * What the person allowed in the agent's own program, for the session. @throws FORBIDDEN where a window asks them
   */
  'agentLine.allow': bridgeCommand({
    effect: 'reads',
    input: z.strictObject({ right }),
    output: nothing,
    page: false,
  }),
  /**
   * Before each call of a tool. Answers once it may go on: the agent is not paused, and the person has allowed it.
   * @throws FORBIDDEN where it may not, BUSY where nobody answers
   */
  'agentLine.begin': bridgeCommand({
    effect: 'reads',
    input: z.strictObject({
      /** The caller’s own number of it, larger than those before. */
      call: callNumber,
      title: line(100).min(1),
      /** What it needs for sure, the one of the operation first; its commands may need more. */
      rights: z.array(z.enum(rights)).min(1).max(rights.length),
      text: line(MAX_CALL_TEXT),
    }),
    output: nothing,
    page: false,
    deadline: 0,
  }),
  /**
   * Undoes the last call of the agent that changed something, as the person can.
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
  /** Calls that began or ended; whoever shows the list reads it again. */
  'steering.called': z.strictObject({ calls: z.array(agentCallSchema).max(MAX_TOLD_CALLS) }),
} as const
