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

const fewKeys = (keys: object): boolean => Object.keys(keys).length <= 200

/** A `KeyboardEvent.code`, such as `KeyA` or `ArrowUp`. */
const hostKey = z.string().regex(/^[A-Za-z0-9]{1,30}$/)

const viceSamplingModes = ['auto', ...samplingModes] as const

const hourOfDay = z.int().min(0).max(23).nullable()

export const settingsSchema = z.strictObject({
  viceExecutable: path.nullable(),
  kernalRom: path.nullable(),
  basicRom: path.nullable(),
  characterRom: path.nullable(),
  useViceRoms: z.boolean(),
  standard: z.enum(videoStandards),
  ciaModel: z.enum(ciaModels),
  vicModel: z.enum(vicModels),
  /**
   * How much of its time the built-in C64 keeps to go back in: whichever limit is reached first. Takes effect at its
   * next start.
   */
  history: historyLimitsSchema,
  /** `auto`: lock-step for a VICE that Bridgedeck starts, free-running for one that already runs. */
  viceSampling: z.strictObject({ mode: z.enum(viceSamplingModes), rate: z.number().min(0.1).max(60) }),
  /** For machines whose CPU stops while it is read: real hardware. */
  hardwareSampling: z.strictObject({
    rate: z.number().min(0.1).max(60),
    /** Share of the machine's time that reading it may take, 0 to 1. */
    budget: z.number().min(0.001).max(0.5),
    /** Whether registers are read where reading changes the machine, such as the collision registers. */
    sideEffects: z.boolean(),
  }),
  /** `symbolic`: a host key types its own character. `positional`: it presses the C64 key in its place. */
  keyMapping: z.enum(['symbolic', 'positional']),
  keyOverrides: z.record(hostKey, z.enum(c64Keys)).refine(fewKeys),
  joystickKeys: z.record(hostKey, z.enum(joystickInputs)).refine(fewKeys),
  joystickPort: z.union([z.literal(1), z.literal(2)]),
  runningKeys: z.enum(runningKeySets),
  /** Limits for all recordings: the oldest that is not pinned is deleted first. Null for no limit. */
  recordings: z.strictObject({
    maxBytes: z.int().min(1).nullable(),
    /** Days after the last frame. */
    maxDays: z.number().min(1).max(36_500).nullable(),
  }),
  /** The folder of tasks.json and its tasks; null for `~/.c64bridge`. Takes effect at the bridge's next start. */
  tasksHome: path.nullable(),
  tasks: z.strictObject({
    resume: z.enum(['ask', 'always', 'never']),
    sessions: z.boolean(),
  }),
  notifications: z.boolean(),
  /** Whole hours between which there are no notifications; none where one is null. Older settings lack this. */
  quietHours: z.strictObject({ from: hourOfDay, to: hourOfDay }).default({ from: null, to: null }),
  /** Changed by `agents.save`, which asks, and never by the page alone. */
  agents: z.array(agentSchema).max(MAX_AGENTS),
  mostAgents: z.int().min(1).max(64),
  uncommittedChanges: z.enum(['report', 'ask']),
  agentsLeave: z.enum(['name', 'takeBack']),
  /** Limits after which an agent's run waits for the person: USD, and hours at work. Null for no limit. */
  agentLimits: z.strictObject({
    runCost: usd,
    runHours: hours,
    dayCost: usd,
    dayHours: hours,
    /** From noon to noon. Earlier settings have none. */
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
