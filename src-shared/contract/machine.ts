import { z } from 'zod'
import { c64Keys, joystickInputs } from '../c64/keyboardMatrix'
import { MAX_IMAGE_PROGRAMS } from '../c64/programImage'
import { programFileKinds } from '../programFiles'
import {
  checkpointChangesSchema,
  checkpointNumber,
  checkpointStopSchema,
  labelledCheckpointSchema,
  loggedSchema,
  MAX_LINE,
  MAX_LOGGED_LINES,
  newCheckpointSchema,
} from './checkpoints'
import { bridgeCommand, mainCommand } from './define'
import { machineKinds } from './machineKinds'
import { canonicalMachineName, machineNamesHint, readMachineName } from './machineName'
import { savedOutput } from './savedFile'

export const machineNameSchema = z
  .string()
  .max(200)
  .transform((name, context) => {
    const address = readMachineName(name)
    if (address) return canonicalMachineName(address)
    context.addIssue({ code: 'custom', message: machineNamesHint })
    return z.NEVER
  })

/** Callers check for the capability, never for the kind of machine. */
export const capabilities = [
  'readMemory',
  'writeMemory',
  'ramUnderRom',
  'driveMemory',
  'registers',
  'setRegisters',
  'pause',
  'step',
  'reset',
  'warp',
  'standard',
  'runProgram',
  'typeText',
  'keyMatrix',
  'joystick',
  'picture',
  'lockStep',
  'checkpoints',
  'checkpointConditions',
  'logPoints',
  'slowMotion',
  'trace',
  'interrupts',
  'videoFrame',
  'rasterFrame',
  'profile',
  'timeTravel',
  'saveState',
  'resources',
  'quit',
  'reboot',
  'powerOff',
  'menuButton',
  'drives',
  'configuration',
  'files',
  'folders',
  'transferFiles',
  'createImage',
  'runFile',
  'videoStream',
  'audioStream',
  'debugStream',
] as const
export type Capability = (typeof capabilities)[number]

/** `null` where the machine can; otherwise a sentence that says why not. */
export const capabilitiesSchema = z.record(z.enum(capabilities), z.string().max(500).nullable())
export type Capabilities = z.infer<typeof capabilitiesSchema>

const programFilesSchema = z.record(z.enum(programFileKinds), z.string().max(500).nullable())

const connectionStates = ['idle', 'connecting', 'live', 'stale', 'lost'] as const
export const executionStates = ['running', 'paused', 'jammed', 'unknown'] as const
export const samplingModes = ['off', 'free', 'lockStep'] as const
export type SamplingMode = (typeof samplingModes)[number]
export const streamKinds = ['video', 'audio', 'debug'] as const
export type StreamKind = (typeof streamKinds)[number]
export const videoStandards = ['pal', 'ntsc'] as const
export type VideoStandard = (typeof videoStandards)[number]
/** The 6526 is in older C64s; the 8521, in the C64C, interrupts a cycle earlier and is x64sc's default. */
export const ciaModels = ['6526', '8521'] as const
export type CiaModel = (typeof ciaModels)[number]
/** The chip in older C64s (6567 with NTSC), and that in the C64C (8562 with NTSC), which is x64sc's default. */
export const vicModels = ['6569', '8565'] as const
export type VicModel = (typeof vicModels)[number]

export interface ChipModels {
  readonly ciaModel: CiaModel
  readonly vicModel: VicModel
}
export const defaultModels: ChipModels = { ciaModel: '8521', vicModel: '8565' }

const programStateSchema = z.strictObject({
  name: z.string().max(300),
  watched: z.boolean(),
  /** ms since 1970 */
  startedAt: z.number(),
  reruns: z.int().min(0),
  /** Why the last build could not be run; null when it runs. */
  problem: z.string().max(4000).nullable(),
})

export const MAX_PAST_SECONDS = 600
/** Memory that a machine may be allowed for it, MB. */
export const MIN_HISTORY_MEGABYTES = 16
export const MAX_HISTORY_MEGABYTES = 1_000

/** How much of its time a machine keeps to go back in: whichever limit is reached first. */
export const historyLimitsSchema = z.strictObject({
  minutes: z
    .number()
    .min(1)
    .max(MAX_PAST_SECONDS / 60),
  megabytes: z.int().min(MIN_HISTORY_MEGABYTES).max(MAX_HISTORY_MEGABYTES),
})
export type HistoryLimits = z.infer<typeof historyLimitsSchema>

export const defaultHistory: HistoryLimits = { minutes: 10, megabytes: 96 }

const clock = z.number().min(0)

/** Clocks are cycles since the machine was made. */
const pastSchema = z.strictObject({
  start: clock,
  now: clock,
  /** Equals `now` unless the machine went back. */
  end: clock,
  left: z.strictObject({ from: clock, end: clock }).nullable(),
  /** Cycles per second. */
  clockRate: z.number().positive(),
  bytes: z.number().min(0),
})
export type PastSpan = z.infer<typeof pastSchema>

export const MAX_SLOW_RATE = 1_000
export const slowUnits = ['instruction', 'line'] as const
/** Instructions or raster lines a second in slow motion. */
export const slowMotionSchema = z.strictObject({
  unit: z.enum(slowUnits),
  perSecond: z.int().min(1).max(MAX_SLOW_RATE),
})
export type SlowMotion = z.infer<typeof slowMotionSchema>

/** Always sent whole, so that the next event makes up for a missed one. */
export const machineStateSchema = z.strictObject({
  machine: machineNameSchema,
  kind: z.enum(machineKinds),
  title: z.string().max(200),
  connection: z.enum(connectionStates),
  reason: z.string().max(1000).nullable(),
  hint: z.string().max(1000).nullable(),
  /** Whether it was live since the user asked to connect: this tells a lost connection from one that never worked. */
  wasLive: z.boolean(),
  /**
   * While it reconnects: the number of failed attempts, and the start of the next one, ms since 1970; null while one
   * runs.
   */
  retry: z.strictObject({ failures: z.int().min(0), next: z.number().nullable() }).nullable(),
  execution: z.enum(executionStates),
  stop: checkpointStopSchema.nullable(),
  standard: z.enum(videoStandards).nullable(),
  /** Emulated time per real time over the last second (1 = the real machine's speed); null when unknown. */
  speed: z.number().min(0).nullable(),
  warp: z.boolean(),
  slow: slowMotionSchema.nullable(),
  sampling: z.strictObject({
    mode: z.enum(samplingModes),
    rate: z.number().min(0).max(100),
    measured: z.number().min(0),
  }),
  samplingRisk: z.string().max(500).nullable(),
  streams: z
    .array(z.strictObject({ stream: z.enum(streamKinds), packets: z.int().min(0), lost: z.int().min(0) }))
    .max(3),
  /** Share of the machine's time that sampling takes, 0 to 1; null when unknown. */
  cost: z.number().min(0).max(1).nullable(),
  capabilities: capabilitiesSchema,
  programFiles: programFilesSchema,
  /** False where Bridgedeck’s own ROMs run a few statements only. */
  hasBasic: z.boolean(),
  version: z.string().max(200).nullable(),
  program: programStateSchema.nullable(),
  past: pastSchema.nullable(),
  /** Progress while it replays a saved past, 0 to 1. Until that ends the machine stays as it was. */
  replaying: z.number().min(0).max(1).nullable(),
  /** Lines that its checkpoints have logged; reported once a second while it runs. */
  logged: z.int().min(0),
  notices: z.array(z.string().max(500)).max(10),
  /** The notices that say what does not work; they stand first. */
  warnings: z.array(z.string().max(500)).max(10),
})
export type MachineState = z.infer<typeof machineStateSchema>

export const heldKeysSchema = z.array(z.enum(c64Keys)).max(20)
export const heldJoystickSchema = z.strictObject({
  port: z.union([z.literal(1), z.literal(2)]),
  inputs: z.array(z.enum(joystickInputs)).max(5),
})
export type HeldJoystick = z.infer<typeof heldJoystickSchema>

/** A cartridge can write an image into its flash memory for minutes; drivers have shorter deadlines. ms. */
const RUN_DEADLINE_MS = 600_000
const pastSeconds = z.int().min(0).max(MAX_PAST_SECONDS)

const nothing = z.strictObject({})
const machine = z.strictObject({ machine: machineNameSchema })
const path = z.string().min(1).max(4096)
/** Index of a program in a disk or tape image, from 0 in directory order. */
const imageEntry = z
  .int()
  .min(0)
  .max(MAX_IMAGE_PROGRAMS - 1)
const imagePrograms = z.strictObject({
  programs: z
    .array(
      z.strictObject({
        name: z.string().max(16 * 4),
        start: z.int().min(0).max(0xffff),
        length: z.int().min(1).max(0x10_0000),
      }),
    )
    .max(MAX_IMAGE_PROGRAMS),
})
export type ImageContents = z.infer<typeof imagePrograms>
/** A song of a SID file, from 1; absent for the first one, as the file says. */
export const song = z.int().min(1).max(256)
/** Stands for a file that the user chose or dropped: the page never names a path. */
export const fileGrant = z.string().min(16).max(64)

export const machineCommands = {
  'machine.list': bridgeCommand({
    effect: 'reads',
    input: nothing,
    output: z.strictObject({ machines: z.array(machineStateSchema).max(50) }),
  }),
  /**
   * The bridge's own deadline is 20 s, so that its reason arrives before the caller gives up. With `toPrompt`, a
   * built-in C64 that starts for this call runs in warp to its READY. prompt first; one that is already booting is
   * waited for.
   */
  'machine.connect': bridgeCommand({
    effect: 'connects',
    input: machine.extend({ toPrompt: z.literal(true).exactOptional() }),
    output: machineStateSchema,
    deadline: 25_000,
  }),
  'machine.disconnect': bridgeCommand({ effect: 'writes', input: machine, output: nothing, deadline: 10_000 }),
  'machine.release': bridgeCommand({
    effect: 'connects',
    input: machine,
    output: nothing,
    page: false,
    deadline: 10_000,
  }),
  'machine.pause': bridgeCommand({ effect: 'runs', input: machine, output: nothing }),
  'machine.resume': bridgeCommand({ effect: 'runs', input: machine, output: nothing }),
  'machine.step': bridgeCommand({
    effect: 'runs',
    input: machine.extend({ count: z.int().min(1).max(65_535), over: z.boolean() }),
    output: nothing,
  }),
  'machine.reset': bridgeCommand({
    effect: 'runs',
    input: machine.extend({ kind: z.enum(['soft', 'power']) }),
    output: nothing,
  }),
  'machine.setWarp': bridgeCommand({ effect: 'writes', input: machine.extend({ warp: z.boolean() }), output: nothing }),
  'machine.setStandard': bridgeCommand({
    effect: 'replaces',
    input: machine.extend({ standard: z.enum(videoStandards) }),
    output: nothing,
  }),
  'machine.setSampling': bridgeCommand({
    effect: 'writes',
    input: machine.extend({ mode: z.enum(samplingModes), rate: z.number().min(0.1).max(60) }),
    output: nothing,
  }),
  /** The first start may take more than a second, as the machine looks up this computer's address. */
  'machine.setStream': bridgeCommand({
    effect: 'switches',
    input: machine.extend({ stream: z.enum(streamKinds), on: z.boolean() }),
    output: nothing,
    deadline: 10_000,
  }),
  'machine.typeText': bridgeCommand({
    effect: 'runs',
    input: machine.extend({ text: z.string().max(16_384) }),
    output: nothing,
    deadline: 20_000,
  }),
  /** The whole set of keys held down; an empty set releases all. */
  'machine.setKeys': bridgeCommand({
    effect: 'runs',
    input: machine.extend({ keys: heldKeysSchema }),
    output: nothing,
  }),
  'machine.setJoystick': bridgeCommand({
    effect: 'runs',
    input: machine.extend(heldJoystickSchema.shape),
    output: nothing,
  }),
  'machine.runProgram': bridgeCommand({
    effect: 'runs',
    input: machine.extend({
      path,
      watch: z.boolean(),
      song: song.optional(),
      entry: imageEntry.exactOptional(),
      title: z
        .string()
        .min(1)
        .max(300)
        .regex(/^\P{Cc}+$/u)
        .exactOptional(),
    }),
    output: z.strictObject({
      name: z.string().max(300),
      /** Whether its first instruction or line ran; null where the machine does not tell. */
      started: z.boolean().nullable(),
    }),
    page: false,
    deadline: RUN_DEADLINE_MS,
  }),
  'machine.imagePrograms': bridgeCommand({
    effect: 'reads',
    input: z.strictObject({ path }),
    output: imagePrograms,
    page: false,
  }),
  'machine.stopWatching': bridgeCommand({ effect: 'writes', input: machine, output: nothing }),
  'machine.saveState': bridgeCommand({
    effect: 'reads',
    input: machine.extend({ path, past: pastSeconds }),
    output: nothing,
    page: false,
    deadline: 10_000,
  }),
  'machine.loadState': bridgeCommand({
    effect: 'replaces',
    input: machine.extend({ path }),
    output: nothing,
    page: false,
    deadline: RUN_DEADLINE_MS,
  }),
  'machine.quit': bridgeCommand({
    effect: 'switches',
    input: machine,
    output: nothing,
    confirm: ({ machine }) => ({
      message: `Quit ${machine}?`,
      detail: 'The emulator ends, and the program that runs in it is lost.',
      button: 'Quit the emulator',
    }),
  }),
  'machine.checkpoints': bridgeCommand({
    effect: 'reads',
    input: machine,
    output: z.strictObject({ checkpoints: z.array(labelledCheckpointSchema).max(1000) }),
  }),
  'machine.setCheckpoint': bridgeCommand({
    effect: 'writes',
    input: machine.extend({ checkpoint: newCheckpointSchema }),
    output: labelledCheckpointSchema,
  }),
  /** The checkpoint gets a new number, and its hits are counted anew. */
  'machine.changeCheckpoint': bridgeCommand({
    effect: 'writes',
    input: machine.extend({ number: checkpointNumber, changes: checkpointChangesSchema }),
    output: labelledCheckpointSchema,
  }),
  'machine.deleteCheckpoint': bridgeCommand({
    effect: 'writes',
    input: machine.extend({ number: checkpointNumber }),
    output: nothing,
  }),
  'machine.enableCheckpoint': bridgeCommand({
    effect: 'writes',
    input: machine.extend({ number: checkpointNumber, enabled: z.boolean() }),
    output: z.strictObject({ unbound: z.string().max(300).nullable() }),
  }),
  /** Oldest first; the machine keeps the last lines only. */
  'machine.checkpointLog': bridgeCommand({
    effect: 'reads',
    input: machine.extend({ after: z.int().min(0).max(MAX_LINE) }),
    output: z.strictObject({ lines: z.array(loggedSchema).max(MAX_LOGGED_LINES) }),
  }),
  'machine.getResource': bridgeCommand({
    effect: 'reads',
    input: machine.extend({ name: z.string().min(1).max(255) }),
    output: z.strictObject({ value: z.union([z.string().max(255), z.int32()]) }),
    page: false,
  }),
  'machine.setResource': bridgeCommand({
    effect: 'switches',
    input: machine.extend({ name: z.string().min(1).max(255), value: z.union([z.string().max(255), z.int32()]) }),
    output: nothing,
    page: false,
  }),
  'machine.reboot': bridgeCommand({
    effect: 'switches',
    input: machine,
    output: nothing,
    confirm: ({ machine }) => ({
      message: `Reboot ${machine}?`,
      detail: 'The program that runs in the C64 is lost.',
      button: 'Reboot',
    }),
  }),
  'machine.powerOff': bridgeCommand({
    effect: 'switches',
    input: machine,
    output: nothing,
    confirm: ({ machine }) => ({
      message: `Switch ${machine} off?`,
      detail: 'The program that runs in the C64 is lost. You can switch it on again only at the machine itself.',
      button: 'Switch off',
    }),
  }),
  'machine.pressMenuButton': bridgeCommand({ effect: 'switches', input: machine, output: nothing }),

  'program.choose': mainCommand({
    input: nothing,
    output: z.strictObject({ file: z.strictObject({ grant: fileGrant, name: z.string().max(300) }).nullable() }),
    deadline: 0,
  }),
  'program.listGranted': mainCommand({ input: z.strictObject({ grant: fileGrant }), output: imagePrograms }),
  'program.saveStub': mainCommand({
    input: nothing,
    output: savedOutput,
    deadline: 0,
  }),
  /** A file that does not run stays granted, for another machine. */
  'program.runGranted': mainCommand({
    input: machine.extend({ grant: fileGrant, watch: z.boolean(), entry: imageEntry.exactOptional() }),
    output: z.strictObject({ name: z.string().max(300) }),
    deadline: RUN_DEADLINE_MS,
  }),
  'state.save': mainCommand({
    input: machine.extend({ past: pastSeconds }),
    output: savedOutput,
    deadline: 0,
  }),
  'state.load': mainCommand({
    input: machine,
    output: z.strictObject({ name: z.string().max(300).nullable() }),
    deadline: 0,
  }),
  'state.loadGranted': mainCommand({
    input: machine.extend({ grant: fileGrant }),
    output: nothing,
    deadline: RUN_DEADLINE_MS,
  }),
} as const

export const machineEvents = {
  'machine.notice': z.strictObject({ message: z.string().max(2000), hint: z.string().max(2000).nullable() }),
  'machine.states': z.strictObject({ machines: z.array(machineStateSchema).max(50) }),
  'machine.checkpointsChanged': z.strictObject({
    machine: machineNameSchema,
    lost: z.string().max(20_000).nullable(),
  }),
  /** Progress of copying a file to or from the machine's own storage, bytes. */
  'machine.transferred': z.strictObject({
    machine: machineNameSchema,
    path: z.string().max(5000),
    bytes: z.int().min(0),
    total: z.int().min(0).nullable(),
  }),
} as const
