/** A machine's drives, configuration and own storage. */
import { z } from 'zod'
import { bridgeCommand, mainCommand } from './define'
import { fileGrant, machineNameSchema, song } from './machine'
import { savedOutput } from './savedFile'

export const driveModes = ['1541', '1571', '1581'] as const
export const mountModes = ['readwrite', 'readonly', 'unlinked'] as const
/** What happens with a configuration and its copy in flash; `reset` sets the defaults and does not save them. */
export const flashActions = ['load', 'save', 'reset'] as const

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

/** An Ultimate takes some hundred KiB a second. */
const TRANSFER_DEADLINE_MS = 300_000

const nothing = z.strictObject({})
const machine = z.strictObject({ machine: machineNameSchema })
/** A path of this computer. */
const path = z.string().min(1).max(4096)

export const machineStorageCommands = {
  'machine.drives': bridgeCommand({
    effect: 'reads',
    input: machine,
    output: z.strictObject({ drives: z.array(driveSchema).max(10) }),
  }),
  /** Mounts a disk image from this computer. */
  'machine.mountImage': bridgeCommand({
    effect: 'switches',
    input: machine.extend({ drive, path, mode: z.enum(mountModes) }),
    output: nothing,
    page: false,
    deadline: 20_000,
  }),
  /** Mounts a disk image from the machine's own storage. */
  'machine.mountFile': bridgeCommand({
    effect: 'switches',
    input: machine.extend({ drive, path: machinePath, mode: z.enum(mountModes) }),
    output: nothing,
    deadline: 20_000,
  }),
  'machine.removeImage': bridgeCommand({ effect: 'switches', input: machine.extend({ drive }), output: nothing }),
  'machine.setDriveMode': bridgeCommand({
    effect: 'switches',
    input: machine.extend({ drive, mode: z.enum(driveModes) }),
    output: nothing,
  }),
  'machine.setDriveEnabled': bridgeCommand({
    effect: 'switches',
    input: machine.extend({ drive, enabled: z.boolean() }),
    output: nothing,
  }),
  'machine.resetDrive': bridgeCommand({ effect: 'switches', input: machine.extend({ drive }), output: nothing }),
  'machine.configurationCategories': bridgeCommand({
    effect: 'reads',
    input: machine,
    output: z.strictObject({ categories: z.array(z.string().max(200)).max(200) }),
  }),
  'machine.configuration': bridgeCommand({
    effect: 'reads',
    input: machine.extend({ category: machineText.min(1).max(200) }),
    output: z.strictObject({ items: z.array(configurationItemSchema).max(500) }),
    deadline: 20_000,
  }),
  'machine.setConfiguration': bridgeCommand({
    effect: 'switches',
    input: machine.extend({
      category: machineText.min(1).max(200),
      item: machineText.min(1).max(200),
      value: z.union([machineText.max(1000), z.number()]),
    }),
    output: nothing,
  }),
  /** For the command line and agents. */
  'machine.keepConfiguration': bridgeCommand({
    effect: 'switches',
    input: machine.extend({ action: z.enum(flashActions), category: machineText.min(1).max(200).nullable() }),
    output: nothing,
    page: false,
    deadline: 20_000,
  }),
  /** Loads a ROM of this computer into a drive. */
  'machine.loadDriveRom': bridgeCommand({
    effect: 'switches',
    input: machine.extend({ drive, path }),
    output: nothing,
    page: false,
    deadline: 20_000,
  }),
  /** The entries of a folder in the machine's own storage (with the capability `folders`), or one file. */
  'machine.files': bridgeCommand({
    effect: 'reads',
    input: machine.extend({ path: machinePath }),
    output: z.strictObject({ files: z.array(machineFileSchema).max(5_000) }),
    deadline: 20_000,
  }),
  /** Copies a file of this computer into a folder of the machine's own storage. CONFLICT where one is there already. */
  'machine.uploadFile': bridgeCommand({
    effect: 'writes',
    input: machine.extend({ path, folder: machinePath, replace: z.boolean() }),
    output: z.strictObject({ path: machinePath, size: z.int().min(0) }),
    page: false,
    deadline: TRANSFER_DEADLINE_MS,
  }),
  /** Copies a file of the machine's own storage to this computer, and replaces what is there. */
  'machine.downloadFile': bridgeCommand({
    effect: 'reads',
    input: machine.extend({ from: machinePath, path }),
    output: z.strictObject({ size: z.int().min(0) }),
    page: false,
    deadline: TRANSFER_DEADLINE_MS,
  }),
  /** Creates an empty disk image in the machine's own storage; the path's extension tells its kind. */
  'machine.createImage': bridgeCommand({
    effect: 'switches',
    input: machine.extend({ path: machinePath, title: machineText.max(16) }),
    output: nothing,
    deadline: 20_000,
  }),
  /** Runs or plays a file in the machine's own storage. */
  'machine.runFile': bridgeCommand({
    effect: 'runs',
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
  /** As `machine.mountImage`, for a file that was dropped. */
  'drive.mountGranted': mainCommand({
    input: machine.extend({ grant: fileGrant, drive, mode: z.enum(mountModes) }),
    output: nothing,
    deadline: 20_000,
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
    output: savedOutput,
    deadline: 0,
  }),
} as const
