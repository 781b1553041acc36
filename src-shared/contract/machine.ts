import { z } from 'zod'
import { c64Keys, joystickInputs } from '../c64/keyboardMatrix'
import { bridgeCommand, mainCommand } from './define'
import { machineKinds } from './machineKinds'
import { canonicalMachineName, machineNamesHint, readMachineName } from './machineName'

/** A machine's name in any spelling of `machineNamesHint`; parses to its canonical name. */
export const machineNameSchema = z
  .string()
  .max(200)
  .transform((name, context) => {
    const address = readMachineName(name)
    if (address) return canonicalMachineName(address)
    context.addIssue({ code: 'custom', message: machineNamesHint })
    return z.NEVER
  })

/** What machines can do. Callers check for the capability, never for the kind of machine. */
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

const connectionStates = ['idle', 'connecting', 'live', 'stale', 'lost'] as const
const executionStates = ['running', 'paused', 'jammed', 'unknown'] as const
export const samplingModes = ['off', 'free', 'lockStep'] as const
export type SamplingMode = (typeof samplingModes)[number]
export const streamKinds = ['video', 'audio', 'debug'] as const
/** What a machine can stream: its picture, its sound, every access of its bus. */
export type StreamKind = (typeof streamKinds)[number]
export const videoStandards = ['pal', 'ntsc'] as const
export type VideoStandard = (typeof videoStandards)[number]

/** The program that was last run. */
const programStateSchema = z.strictObject({
  name: z.string().max(300),
  /** Whether it is run again when its file changes. */
  watched: z.boolean(),
  /** When it was last run, ms since 1970. */
  startedAt: z.number(),
  /** How often it was run again because its file changed. */
  reruns: z.int().min(0),
  /** Why the last build could not be run; null when it runs. */
  problem: z.string().max(4000).nullable(),
})

/** The whole visible state of one machine. Always sent whole, so that the next event makes up for a missed one. */
export const machineStateSchema = z.strictObject({
  machine: machineNameSchema,
  kind: z.enum(machineKinds),
  title: z.string().max(200),
  connection: z.enum(connectionStates),
  /** Why it is in this state, in one sentence. */
  reason: z.string().max(1000).nullable(),
  /** What to do about the reason. */
  hint: z.string().max(1000).nullable(),
  /** Whether it was live since the user asked to connect: distinguishes a lost connection from one that never worked. */
  wasLive: z.boolean(),
  /** While it reconnects: how many attempts failed, and when the next one starts, ms since 1970; null while one runs. */
  retry: z.strictObject({ failures: z.int().min(0), next: z.number().nullable() }).nullable(),
  execution: z.enum(executionStates),
  standard: z.enum(videoStandards).nullable(),
  /** Emulated time per real time over the last second (1 = the real machine's speed); null when unknown. */
  speed: z.number().min(0).nullable(),
  warp: z.boolean(),
  sampling: z.strictObject({
    mode: z.enum(samplingModes),
    /** Requested samples per second. */
    rate: z.number().min(0).max(100),
    /** Measured over the last second. */
    measured: z.number().min(0),
  }),
  /** One sentence where sampling can disturb the program. */
  samplingRisk: z.string().max(500).nullable(),
  /** The running streams. */
  streams: z
    .array(z.strictObject({ stream: z.enum(streamKinds), packets: z.int().min(0), lost: z.int().min(0) }))
    .max(3),
  /** Share of the machine's time that sampling takes, 0 to 1; null when unknown. */
  cost: z.number().min(0).max(1).nullable(),
  capabilities: capabilitiesSchema,
  /** The machine's own version text, such as `VICE 3.7.1`. */
  version: z.string().max(200).nullable(),
  program: programStateSchema.nullable(),
  /** What the user should know while this machine is in front, such as the ROMs in use or that VICE is too old. */
  notices: z.array(z.string().max(500)).max(10),
})
export type MachineState = z.infer<typeof machineStateSchema>

/** VICE's checkpoint numbers have 32 bits. */
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

/** A floppy drive takes images and can change its model; a folder drive can be switched and reset; others are only listed. */
const driveRoles = ['floppy', 'folder', 'other'] as const

const driveSchema = z.strictObject({
  /** The machine's name for it: `a`, `b`, `softiec`. */
  drive: z.string().min(1).max(40),
  role: z.enum(driveRoles),
  enabled: z.boolean(),
  /** Device number on the serial bus; null where it is unknown. */
  busId: z.int().min(0).max(31).nullable(),
  /** The emulated model, such as 1541; null where it is unknown. */
  type: z.string().max(40).nullable(),
  /** The file name of the mounted image. */
  image: z.string().max(1000).nullable(),
})
export type Drive = z.infer<typeof driveSchema>

const configurationItemSchema = z.strictObject({
  item: z.string().max(200),
  value: z.union([z.string().max(1000), z.number()]),
  /** The possible values; null where they are not limited to a list. */
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
/** A name of the machine's own; without control characters. */
const machineText = z.string().regex(/^\P{Cc}*$/u)
/** A path in the machine's own storage. */
const machinePath = machineText.min(1).max(1000)

/** A cartridge writes an image into its flash memory for minutes; drivers have shorter deadlines of their own. */
const RUN_DEADLINE_MS = 600_000

/** An Ultimate takes some hundred KiB a second. */
const TRANSFER_DEADLINE_MS = 300_000

const nothing = z.strictObject({})
const machine = z.strictObject({ machine: machineNameSchema })
const path = z.string().min(1).max(4096)
/** A song of a SID file, from 1; without one its first song is played, as the file says. */
const song = z.int().min(1).max(256)
/** Stands for a file that the user chose or dropped: the page never names a path. */
const fileGrant = z.string().min(16).max(64)

export const machineCommands = {
  /** Every listed machine, connected or not, the built-in one first. */
  'machine.list': bridgeCommand({
    input: nothing,
    output: z.strictObject({ machines: z.array(machineStateSchema).max(50) }),
  }),
  /** The bridge's own deadline is 20 s, so that its reason arrives before the caller gives up. */
  'machine.connect': bridgeCommand({ input: machine, output: machineStateSchema, deadline: 25_000 }),
  'machine.disconnect': bridgeCommand({ input: machine, output: nothing, deadline: 10_000 }),
  /** Disconnects a machine that nobody uses, for callers that connected it for one call. */
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
  /** The first start may take more than a second, as the machine looks up this computer's address. */
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
    input: machine.extend({ path, watch: z.boolean(), song: song.optional() }),
    output: z.strictObject({ name: z.string().max(300) }),
    page: false,
    deadline: RUN_DEADLINE_MS,
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
      detail: 'The emulator ends, and the program that runs in it is lost.',
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
      detail: 'The program that runs in the C64 is lost.',
      button: 'Reboot',
    }),
  }),
  'machine.powerOff': bridgeCommand({
    input: machine,
    output: nothing,
    confirm: ({ machine }) => ({
      message: `Switch ${machine} off?`,
      detail: 'The program that runs in the C64 is lost. You can switch it on again only at the machine itself.',
      button: 'Switch off',
    }),
  }),
  'machine.pressMenuButton': bridgeCommand({ input: machine, output: nothing }),
  'machine.drives': bridgeCommand({ input: machine, output: z.strictObject({ drives: z.array(driveSchema).max(10) }) }),
  /** Mounts a disk image from this computer. */
  'machine.mountImage': bridgeCommand({
    input: machine.extend({ drive, path, mode: z.enum(mountModes) }),
    output: nothing,
    page: false,
    deadline: 20_000,
  }),
  /** Mounts a disk image from the machine's own storage. */
  'machine.mountFile': bridgeCommand({
    input: machine.extend({ drive, path: machinePath, mode: z.enum(mountModes) }),
    output: nothing,
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
  /** The entries of a folder in the machine's own storage (with the capability `folders`), or one file. */
  'machine.files': bridgeCommand({
    input: machine.extend({ path: machinePath }),
    output: z.strictObject({ files: z.array(machineFileSchema).max(5_000) }),
    deadline: 20_000,
  }),
  /** Copies a file of this computer into a folder of the machine's own storage. CONFLICT where one is there already. */
  'machine.uploadFile': bridgeCommand({
    input: machine.extend({ path, folder: machinePath, replace: z.boolean() }),
    output: z.strictObject({ path: machinePath, size: z.int().min(0) }),
    page: false,
    deadline: TRANSFER_DEADLINE_MS,
  }),
  /** Copies a file of the machine's own storage to this computer, and replaces what is there. */
  'machine.downloadFile': bridgeCommand({
    input: machine.extend({ from: machinePath, path }),
    output: z.strictObject({ size: z.int().min(0) }),
    page: false,
    deadline: TRANSFER_DEADLINE_MS,
  }),
  /** Creates an empty disk image in the machine's own storage; the path's extension tells its kind. */
  'machine.createImage': bridgeCommand({
    input: machine.extend({ path: machinePath, title: machineText.max(16) }),
    output: nothing,
    deadline: 20_000,
  }),
  /** Runs or plays a file in the machine's own storage. */
  'machine.runFile': bridgeCommand({
    input: machine.extend({ path: machinePath, song: song.optional() }),
    output: nothing,
    deadline: 20_000,
  }),

  /** Shows a native file dialog, then calls `machine.mountImage`; `name` is null when the user cancels. */
  'drive.choose': mainCommand({
    input: machine.extend({ drive, mode: z.enum(mountModes) }),
    output: z.strictObject({ name: z.string().max(300).nullable() }),
    deadline: 0,
  }),
  /** Shows a native file dialog, then calls `machine.uploadFile`, and asks before it replaces a file. */
  'files.upload': mainCommand({
    input: machine.extend({ folder: machinePath }),
    output: z.strictObject({ name: z.string().max(300).nullable() }),
    deadline: 0,
  }),
  /** Shows a native file dialog, then calls `machine.downloadFile`; `name` is null when the user cancels. */
  'files.download': mainCommand({
    input: machine.extend({ path: machinePath }),
    output: z.strictObject({ name: z.string().max(300).nullable() }),
    deadline: 0,
  }),
  /** Shows a native file dialog, then calls `machine.runProgram`; `name` is null when the user cancels. */
  'program.choose': mainCommand({
    input: machine.extend({ watch: z.boolean() }),
    output: z.strictObject({ name: z.string().max(300).nullable() }),
    deadline: 0,
  }),
  /** Saves the serial stub's PRG where the user chooses; `name` is null when the user cancels. */
  'program.saveStub': mainCommand({
    input: nothing,
    output: z.strictObject({ name: z.string().max(300).nullable() }),
    deadline: 0,
  }),
  'program.runGranted': mainCommand({
    input: machine.extend({ grant: fileGrant, watch: z.boolean() }),
    output: z.strictObject({ name: z.string().max(300) }),
    deadline: RUN_DEADLINE_MS,
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
  /** A problem outside any call, such as a rebuilt program that does not run, or settings that had to be reset. */
  'machine.notice': z.strictObject({ message: z.string().max(2000), hint: z.string().max(2000).nullable() }),
  'machine.states': z.strictObject({ machines: z.array(machineStateSchema).max(50) }),
} as const
