import { z } from 'zod'
import { c64Keys, joystickInputs } from '../c64/keyboardMatrix'
import { bridgeCommand, mainCommand } from './define'
import { machineKinds } from './machineKinds'
import { canonicalMachineName, machineNamesHint, readMachineName } from './machineName'

/** A machine's name as `machineNamesHint` spells them; parsing gives its one canonical name. */
export const machineNameSchema = z
  .string()
  .max(200)
  .transform((name, context) => {
    const address = readMachineName(name)
    if (address) return canonicalMachineName(address)
    context.addIssue({ code: 'custom', message: machineNamesHint })
    return z.NEVER
  })

/** What a machine can honestly do. Callers ask for the capability, never for the kind of machine. */
export const capabilities = [
  'readMemory',
  'writeMemory',
  'ramUnderRom',
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
  'createImage',
  'runFile',
  'videoStream',
  'audioStream',
  'debugStream',
] as const
export type Capability = (typeof capabilities)[number]

/** `null`: the machine can. A sentence: why not on this machine. */
export const capabilitiesSchema = z.record(z.enum(capabilities), z.string().max(500).nullable())
export type Capabilities = z.infer<typeof capabilitiesSchema>

const connectionStates = ['idle', 'connecting', 'live', 'stale', 'lost'] as const
const executionStates = ['running', 'paused', 'jammed', 'unknown'] as const
export const samplingModes = ['off', 'free', 'lockStep'] as const
export type SamplingMode = (typeof samplingModes)[number]
export const streamKinds = ['video', 'audio', 'debug'] as const
/** What a machine can send by itself: its picture, its sound, every access of its bus. */
export type StreamKind = (typeof streamKinds)[number]
export const videoStandards = ['pal', 'ntsc'] as const
export type VideoStandard = (typeof videoStandards)[number]

/** The program that was run last. */
const programStateSchema = z.strictObject({
  name: z.string().max(300),
  /** Whether it is run again when its file is rebuilt. */
  watched: z.boolean(),
  /** When it was run last, ms since 1970. */
  startedAt: z.number(),
  /** How often it was run again because it was rebuilt. */
  reruns: z.int().min(0),
  /** Why what was built last does not run; null when it does. */
  problem: z.string().max(4000).nullable(),
})

/** The whole visible state of one machine: small, sent whole, so that a missed event heals with the next. */
export const machineStateSchema = z.strictObject({
  machine: machineNameSchema,
  kind: z.enum(machineKinds),
  title: z.string().max(200),
  connection: z.enum(connectionStates),
  /** Why it is in this state, in one sentence; null when there is nothing to say. */
  reason: z.string().max(1000).nullable(),
  /** What to do about the reason; null when nothing is to be done. */
  hint: z.string().max(1000).nullable(),
  /** Whether it was live since the person asked for it: tells a lost connection from one that never came. */
  wasLive: z.boolean(),
  /**
   * While it is tried again by itself: how many attempts failed, and when the next one starts, ms since 1970; null while
   * that one is under way.
   */
  retry: z.strictObject({ failures: z.int().min(0), next: z.number().nullable() }).nullable(),
  execution: z.enum(executionStates),
  standard: z.enum(videoStandards).nullable(),
  /** Emulated time per real time over the last second (1 = the real machine's speed); null when unknown. */
  speed: z.number().min(0).nullable(),
  warp: z.boolean(),
  sampling: z.strictObject({
    mode: z.enum(samplingModes),
    /** Wanted samples per second. */
    rate: z.number().min(0).max(100),
    /** Samples per second over the last second. */
    measured: z.number().min(0),
  }),
  /** The streams that run now. */
  streams: z
    .array(z.strictObject({ stream: z.enum(streamKinds), packets: z.int().min(0), lost: z.int().min(0) }))
    .max(3),
  /** Share of the machine's time that sampling takes, 0 to 1; null when unknown. */
  cost: z.number().min(0).max(1).nullable(),
  capabilities: capabilitiesSchema,
  /** The machine's own version text, such as `VICE 3.7.1`. */
  version: z.string().max(200).nullable(),
  program: programStateSchema.nullable(),
  /** Things the person should know while this machine is in front: resumed from, ROMs in use, VICE too old. */
  notices: z.array(z.string().max(500)).max(10),
})
export type MachineState = z.infer<typeof machineStateSchema>

/** As VICE counts them, 32 bits. */
const checkpointNumber = z.int().min(0).max(0xffff_ffff)

const checkpointSchema = z.strictObject({
  number: checkpointNumber,
  start: z.int().min(0).max(0xffff),
  end: z.int().min(0).max(0xffff),
  operations: z
    .array(z.enum(['load', 'store', 'exec']))
    .min(1)
    .max(3),
  stop: z.boolean(),
  enabled: z.boolean(),
  temporary: z.boolean(),
  hits: z.int().min(0),
  condition: z.string().max(255).nullable(),
})
export type Checkpoint = z.infer<typeof checkpointSchema>

export const driveModes = ['1541', '1571', '1581'] as const
export const mountModes = ['readwrite', 'readonly', 'unlinked'] as const

/** A floppy drive takes images and can be another model; a folder drive is switched and reset only; any other is just told of. */
const driveRoles = ['floppy', 'folder', 'other'] as const

const driveSchema = z.strictObject({
  /** As the machine names it: `a`, `b`, `softiec`. */
  drive: z.string().min(1).max(40),
  role: z.enum(driveRoles),
  enabled: z.boolean(),
  /** Device number on the serial bus; null where the machine does not tell. */
  busId: z.int().min(0).max(31).nullable(),
  /** The model that it plays, such as 1541; null where the machine does not tell. */
  type: z.string().max(40).nullable(),
  /** The file name of the image in it; null when there is none. */
  image: z.string().max(1000).nullable(),
})
export type Drive = z.infer<typeof driveSchema>

const configurationItemSchema = z.strictObject({
  item: z.string().max(200),
  value: z.union([z.string().max(1000), z.number()]),
  /** What it may be set to; null where anything of its kind may. */
  choices: z.array(z.string().max(1000)).max(500).nullable(),
  minimum: z.number().nullable(),
  maximum: z.number().nullable(),
})
export type ConfigurationItem = z.infer<typeof configurationItemSchema>

const machineFileSchema = z.strictObject({
  name: z.string().max(1000),
  size: z.int().min(0).nullable(),
  folder: z.boolean(),
})
export type MachineFile = z.infer<typeof machineFileSchema>

const drive = z.string().regex(/^[a-z0-9]{1,20}$/)
/** In the machine's own words, none of which has control characters. */
const machineText = z.string().regex(/^\P{Cc}*$/u)
/** A path on the machine's own storage. */
const machinePath = machineText.min(1).max(1000)

const nothing = z.strictObject({})
const machine = z.strictObject({ machine: machineNameSchema })
const path = z.string().min(1).max(4096)
/** Stands for a file that the person chose or dropped: the page never names a path. */
const fileGrant = z.string().min(16).max(64)

export const machineCommands = {
  /** Every machine that is connected or can be, the built-in one first. */
  'machine.list': bridgeCommand({
    input: nothing,
    output: z.strictObject({ machines: z.array(machineStateSchema).max(50) }),
  }),
  /** The bridge gives up after 20 s and says why; the caller waits a little longer. */
  'machine.connect': bridgeCommand({ input: machine, output: machineStateSchema, deadline: 25_000 }),
  'machine.disconnect': bridgeCommand({ input: machine, output: nothing, deadline: 10_000 }),
  /** Disconnects a machine that nobody looks at; for callers that connected it for one call only. */
  'machine.release': bridgeCommand({ input: machine, output: nothing, page: false, deadline: 10_000 }),
  'machine.pause': bridgeCommand({ input: machine, output: nothing }),
  'machine.resume': bridgeCommand({ input: machine, output: nothing }),
  'machine.step': bridgeCommand({
    input: machine.extend({ count: z.int().min(1).max(65_535), over: z.boolean() }),
    output: nothing,
  }),
  'machine.reset': bridgeCommand({ input: machine.extend({ kind: z.enum(['soft', 'power']) }), output: nothing }),
  'machine.setWarp': bridgeCommand({ input: machine.extend({ warp: z.boolean() }), output: nothing }),
  'machine.setStandard': bridgeCommand({
    input: machine.extend({ standard: z.enum(videoStandards) }),
    output: nothing,
  }),
  'machine.setSampling': bridgeCommand({
    input: machine.extend({ mode: z.enum(samplingModes), rate: z.number().min(0.1).max(60) }),
    output: nothing,
  }),
  /** The first start after a pause may take a second and more: the machine has to find this computer. */
  'machine.setStream': bridgeCommand({
    input: machine.extend({ stream: z.enum(streamKinds), on: z.boolean() }),
    output: nothing,
    deadline: 10_000,
  }),
  'machine.typeText': bridgeCommand({
    input: machine.extend({ text: z.string().max(16_384) }),
    output: nothing,
    deadline: 20_000,
  }),
  /** The whole set of keys held down; an empty set releases all. */
  'machine.setKeys': bridgeCommand({
    input: machine.extend({ keys: z.array(z.enum(c64Keys)).max(20) }),
    output: nothing,
  }),
  'machine.setJoystick': bridgeCommand({
    input: machine.extend({
      port: z.union([z.literal(1), z.literal(2)]),
      inputs: z.array(z.enum(joystickInputs)).max(5),
    }),
    output: nothing,
  }),
  'machine.runProgram': bridgeCommand({
    input: machine.extend({ path, watch: z.boolean() }),
    output: z.strictObject({ name: z.string().max(300) }),
    page: false,
    deadline: 20_000,
  }),
  'machine.stopWatching': bridgeCommand({ input: machine, output: nothing }),
  'machine.saveState': bridgeCommand({
    input: machine.extend({ path }),
    output: nothing,
    page: false,
    deadline: 10_000,
  }),
  'machine.loadState': bridgeCommand({
    input: machine.extend({ path }),
    output: nothing,
    page: false,
    deadline: 10_000,
  }),
  'machine.quit': bridgeCommand({
    input: machine,
    output: nothing,
    confirm: ({ machine }) => ({
      message: `Quit ${machine}?`,
      detail: 'The emulator ends, and what runs in it is lost.',
      button: 'Quit the emulator',
    }),
  }),
  'machine.checkpoints': bridgeCommand({
    input: machine,
    output: z.strictObject({ checkpoints: z.array(checkpointSchema).max(1000) }),
  }),
  'machine.setCheckpoint': bridgeCommand({
    input: machine.extend({ checkpoint: checkpointSchema.omit({ number: true, hits: true }) }),
    output: checkpointSchema,
  }),
  'machine.deleteCheckpoint': bridgeCommand({ input: machine.extend({ number: checkpointNumber }), output: nothing }),
  'machine.enableCheckpoint': bridgeCommand({
    input: machine.extend({ number: checkpointNumber, enabled: z.boolean() }),
    output: nothing,
  }),
  /** VICE's own resources by name; for the command line and agents. */
  'machine.getResource': bridgeCommand({
    input: machine.extend({ name: z.string().min(1).max(255) }),
    output: z.strictObject({ value: z.union([z.string().max(255), z.int32()]) }),
    page: false,
  }),
  'machine.setResource': bridgeCommand({
    input: machine.extend({ name: z.string().min(1).max(255), value: z.union([z.string().max(255), z.int32()]) }),
    output: nothing,
    page: false,
  }),

  'machine.reboot': bridgeCommand({
    input: machine,
    output: nothing,
    confirm: ({ machine }) => ({
      message: `Reboot ${machine}?`,
      detail: 'What runs in the C64 is lost.',
      button: 'Reboot',
    }),
  }),
  'machine.powerOff': bridgeCommand({
    input: machine,
    output: nothing,
    confirm: ({ machine }) => ({
      message: `Switch ${machine} off?`,
      detail: 'What runs in the C64 is lost, and it is switched on again only at the machine itself.',
      button: 'Switch off',
    }),
  }),
  'machine.pressMenuButton': bridgeCommand({ input: machine, output: nothing }),
  'machine.drives': bridgeCommand({ input: machine, output: z.strictObject({ drives: z.array(driveSchema).max(10) }) }),
  /** Puts a disk image of this computer into a drive. */
  'machine.mountImage': bridgeCommand({
    input: machine.extend({ drive, path, mode: z.enum(mountModes) }),
    output: nothing,
    page: false,
    deadline: 20_000,
  }),
  'machine.removeImage': bridgeCommand({ input: machine.extend({ drive }), output: nothing }),
  'machine.setDriveMode': bridgeCommand({
    input: machine.extend({ drive, mode: z.enum(driveModes) }),
    output: nothing,
  }),
  'machine.setDriveEnabled': bridgeCommand({ input: machine.extend({ drive, enabled: z.boolean() }), output: nothing }),
  'machine.resetDrive': bridgeCommand({ input: machine.extend({ drive }), output: nothing }),
  'machine.configurationCategories': bridgeCommand({
    input: machine,
    output: z.strictObject({ categories: z.array(z.string().max(200)).max(200) }),
  }),
  'machine.configuration': bridgeCommand({
    input: machine.extend({ category: machineText.min(1).max(200) }),
    output: z.strictObject({ items: z.array(configurationItemSchema).max(500) }),
    deadline: 20_000,
  }),
  'machine.setConfiguration': bridgeCommand({
    input: machine.extend({
      category: machineText.min(1).max(200),
      item: machineText.min(1).max(200),
      value: z.union([machineText.max(1000), z.number()]),
    }),
    output: nothing,
  }),
  /** What a folder of the machine's own storage holds (`folders`), or what one file is. */
  'machine.files': bridgeCommand({
    input: machine.extend({ path: machinePath }),
    output: z.strictObject({ files: z.array(machineFileSchema).max(5_000) }),
    deadline: 20_000,
  }),
  /** An empty disk image on the machine's own storage; the path's ending says which kind. */
  'machine.createImage': bridgeCommand({
    input: machine.extend({ path: machinePath, title: machineText.max(16) }),
    output: nothing,
    deadline: 20_000,
  }),

  /** Runs or plays a file of the machine's own storage. */
  'machine.runFile': bridgeCommand({ input: machine.extend({ path: machinePath }), output: nothing, deadline: 20_000 }),

  /** A native file dialog, then `machine.mountImage`; `name` is null when the person cancelled. */
  'drive.choose': mainCommand({
    input: machine.extend({ drive, mode: z.enum(mountModes) }),
    output: z.strictObject({ name: z.string().max(300).nullable() }),
    deadline: 0,
  }),
  /** A native file dialog, then `machine.runProgram`; `name` is null when the person cancelled. */
  'program.choose': mainCommand({
    input: machine.extend({ watch: z.boolean() }),
    output: z.strictObject({ name: z.string().max(300).nullable() }),
    deadline: 0,
  }),
  /** Saves the serial stub's PRG where the person says; `name` is null when they cancelled. */
  'program.saveStub': mainCommand({
    input: nothing,
    output: z.strictObject({ name: z.string().max(300).nullable() }),
    deadline: 0,
  }),
  'program.runGranted': mainCommand({
    input: machine.extend({ grant: fileGrant, watch: z.boolean() }),
    output: z.strictObject({ name: z.string().max(300) }),
    deadline: 20_000,
  }),
  'state.save': mainCommand({
    input: machine,
    output: z.strictObject({ name: z.string().max(300).nullable() }),
    deadline: 0,
  }),
  'state.load': mainCommand({
    input: machine,
    output: z.strictObject({ name: z.string().max(300).nullable() }),
    deadline: 0,
  }),
} as const

export const machineEvents = {
  /** Something that nobody asked for went wrong: a rebuilt program does not run, settings had to start afresh. */
  'machine.notice': z.strictObject({ message: z.string().max(2000), hint: z.string().max(2000).nullable() }),
  'machine.states': z.strictObject({ machines: z.array(machineStateSchema).max(50) }),
} as const
