import { z } from 'zod'
import { runningKeySets } from '../runningKeys'
import { c64Keys, joystickInputs } from '../c64/keyboardMatrix'
import { agentSchema, MAX_AGENTS } from './agents'
import { bridgeCommand, mainCommand } from './define'
import {
  ciaModels,
  defaultHistory,
  defaultModels,
  historyLimitsSchema,
  samplingModes,
  vicModels,
  videoStandards,
} from './machine'

const usd = z.number().min(0).max(1_000_000).nullable()
const hours = z.number().min(0).max(1_000_000).nullable()

const path = z.string().min(1).max(4096)

/** Files and programs: changed only by a native dialog of main or the command line, never by the page alone. */
export const pathSettings = ['viceExecutable', 'kernalRom', 'basicRom', 'characterRom'] as const
export type PathSetting = (typeof pathSettings)[number]

/** More than any keyboard has. */
const fewKeys = (keys: object): boolean => Object.keys(keys).length <= 200

/** A host key by its `KeyboardEvent.code`, such as `KeyA` or `ArrowUp`. */
const hostKey = z.string().regex(/^[A-Za-z0-9]{1,30}$/)

const viceSamplingModes = ['auto', ...samplingModes] as const

const hourOfDay = z.int().min(0).max(23).nullable()

export const settingsSchema = z.strictObject({
  viceExecutable: path.nullable(),
  kernalRom: path.nullable(),
  basicRom: path.nullable(),
  characterRom: path.nullable(),
  /** Use the Commodore ROMs of an installed VICE for the built-in C64 where no files are chosen. */
  useViceRoms: z.boolean(),
  standard: z.enum(videoStandards),
  /** Which CIAs and which VIC-II the built-in C64 has. */
  ciaModel: z.enum(ciaModels),
  vicModel: z.enum(vicModels),
  /** How much of its time the built-in C64 keeps to go back in: whichever is reached first. Taken up at its next start. */
  history: historyLimitsSchema,
  /** `auto`: lock-step for a VICE that Bridgedeck starts, free-running for one that runs already. */
  viceSampling: z.strictObject({ mode: z.enum(viceSamplingModes), rate: z.number().min(0.1).max(60) }),
  /** Of machines whose CPU stops while it is read: real hardware. */
  hardwareSampling: z.strictObject({
    rate: z.number().min(0.1).max(60),
    /** The share of the machine's time that reading it may take, 0 to 1. */
    budget: z.number().min(0.001).max(0.5),
    /** Whether registers are read whose reading changes the machine, such as the collision registers. */
    sideEffects: z.boolean(),
  }),
  /** `symbolic`: a host key types its own character. `positional`: it presses the C64 key in its place. */
  keyMapping: z.enum(['symbolic', 'positional']),
  /** Host keys that press a C64 key whatever the mapping says. */
  keyOverrides: z.record(hostKey, z.enum(c64Keys)).refine(fewKeys),
  /** Host keys that move a joystick while joystick keys are on. */
  joystickKeys: z.record(hostKey, z.enum(joystickInputs)).refine(fewKeys),
  joystickPort: z.union([z.literal(1), z.literal(2)]),
  /** Which keys of the window run, pause and step a machine. */
  runningKeys: z.enum(runningKeySets),
  /** How long recordings are kept: the oldest that is not pinned is deleted first. Null for no limit. */
  recordings: z.strictObject({
    /** What all of them together may take, bytes. */
    maxBytes: z.int().min(1).nullable(),
    /** Days after the last frame. */
    maxDays: z.number().min(1).max(36_500).nullable(),
  }),
  /** The folder of tasks.json and its tasks; null for `~/.c64bridge`. Taken up at the bridge's next start. */
  tasksHome: path.nullable(),
  tasks: z.strictObject({
    /** What becomes of our background tasks that a restart or a lost machine interrupted. */
    resume: z.enum(['ask', 'always', 'never']),
    /** Whether each bridge run groups its tasks in `sessions/<id>/session.json`. */
    sessions: z.boolean(),
  }),
  /** Whether the desktop tells of what waits for a person and of what tasks came to. */
  notifications: z.boolean(),
  /** Whole hours of the computer's day, between which it tells nothing; none where one of them is null. Settings of before have none. */
  quietHours: z.strictObject({ from: hourOfDay, to: hourOfDay }).default({ from: null, to: null }),
  /** Agents that the person set up; changed by `agents.save`, which asks, never by the page alone. */
  agents: z.array(agentSchema).max(MAX_AGENTS),
  /** How many agents may run at once. */
  mostAgents: z.int().min(1).max(64),
  /** What a run does after a turn that left changes uncommitted, unless it has a rule of its own. */
  uncommittedChanges: z.enum(['report', 'ask']),
  /** What becomes of the pause, warp, checkpoints and frozen values that an agent at a machine leaves when it goes. */
  agentsLeave: z.enum(['name', 'takeBack']),
  /** What agents may use before their run waits for the person: USD, and hours at work. Null for no limit. */
  agentLimits: z.strictObject({
    runCost: usd,
    runHours: hours,
    dayCost: usd,
    dayHours: hours,
    /** From noon to noon. Settings of before have none. */
    nightCost: usd.default(null),
    nightHours: hours.default(null),
    totalCost: usd,
    totalHours: hours,
  }),
})
export type Settings = z.infer<typeof settingsSchema>

export const defaultSettings: Settings = {
  viceExecutable: null,
  kernalRom: null,
  basicRom: null,
  characterRom: null,
  useViceRoms: true,
  standard: 'pal',
  ciaModel: defaultModels.ciaModel,
  vicModel: defaultModels.vicModel,
  history: defaultHistory,
  viceSampling: { mode: 'auto', rate: 10 },
  hardwareSampling: { rate: 10, budget: 0.05, sideEffects: false },
  keyMapping: 'symbolic',
  keyOverrides: {},
  joystickKeys: {
    ArrowUp: 'up',
    ArrowDown: 'down',
    ArrowLeft: 'left',
    ArrowRight: 'right',
    ControlRight: 'fire',
    Space: 'fire',
  },
  joystickPort: 2,
  runningKeys: 'standard',
  recordings: { maxBytes: 10 * 1024 ** 3, maxDays: null },
  tasksHome: null,
  tasks: { resume: 'ask', sessions: false },
  notifications: true,
  quietHours: { from: null, to: null },
  agents: [],
  mostAgents: 4,
  uncommittedChanges: 'report',
  agentsLeave: 'name',
  agentLimits: {
    runCost: null,
    runHours: null,
    dayCost: null,
    dayHours: null,
    nightCost: null,
    nightHours: null,
    totalCost: null,
    totalHours: null,
  },
}

const pathChanges = settingsSchema
  .pick({ viceExecutable: true, kernalRom: true, basicRom: true, characterRom: true, tasksHome: true })
  .partial()
const otherChanges = settingsSchema
  .omit({ viceExecutable: true, kernalRom: true, basicRom: true, characterRom: true, tasksHome: true, agents: true })
  .partial()

export const settingsCommands = {
  'settings.get': bridgeCommand({ effect: 'reads', input: z.strictObject({}), output: settingsSchema }),
  'settings.set': bridgeCommand({ effect: 'governs', input: otherChanges, output: settingsSchema }),
  'settings.setPaths': bridgeCommand({ effect: 'governs', input: pathChanges, output: settingsSchema, page: false }),
  /** A native file dialog, then `settings.setPaths`. */
  'settings.choosePath': mainCommand({
    input: z.strictObject({ setting: z.enum(pathSettings) }),
    output: settingsSchema,
    deadline: 0,
  }),
  'settings.clearPath': mainCommand({
    input: z.strictObject({ setting: z.enum(pathSettings) }),
    output: settingsSchema,
  }),
} as const

export const settingsEvents = { 'settings.changed': settingsSchema } as const
