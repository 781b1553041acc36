import { z } from 'zod'
import { bridgeCommand, mainCommand } from './define'
import { fileGrant, machineNameSchema, song } from './machine'
import { savedOutput } from './savedFile'

export const driveModes = ['1541', '1571', '1581'] as const
export const mountModes = ['readwrite', 'readonly', 'unlinked'] as const
/** What happens with a configuration and its copy in flash; `reset` sets the defaults and does not save them. */
export const flashActions = ['load', 'save', 'reset'] as const

const driveRoles = ['floppy', 'folder', 'other'] as const

const driveSchema = z.strictObject({
  drive: z.string().min(1).max(40),
  role: z.enum(driveRoles),
  enabled: z.boolean(),
  /** Device number on the serial bus; null where it is unknown. */
  busId: z.int().min(0).max(31).nullable(),
  type: z.string().max(40).nullable(),
  image: z.string().max(1000).nullable(),
})
export type Drive = z.infer<typeof driveSchema>

const configurationItemSchema = z.strictObject({
  item: z.string().max(200),
  value: z.union([z.string().max(1000), z.number()]),
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
const machineText = z.string().regex(/^\P{Cc}*$/u)
const machinePath = machineText.min(1).max(1000)

/** An Ultimate copies some hundred KiB a second. ms. */
const TRANSFER_DEADLINE_MS = 300_000

const nothing = z.strictObject({})
const machine = z.strictObject({ machine: machineNameSchema })
const path = z.string().min(1).max(4096)

export const machineStorageCommands = {
  'machine.drives': bridgeCommand({
    effect: 'reads',
    input: machine,
    output: z.strictObject({ drives: z.array(driveSchema).max(10) }),
  }),
  'machine.mountImage': bridgeCommand({
    effect: 'switches',
    input: machine.extend({ drive, path, mode: z.enum(mountModes) }),
    output: nothing,
    page: false,
    deadline: 20_000,
  }),
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
  'machine.keepConfiguration': bridgeCommand({
    effect: 'switches',
    input: machine.extend({ action: z.enum(flashActions), category: machineText.min(1).max(200).nullable() }),
    output: nothing,
    page: false,
    deadline: 20_000,
  }),
  'machine.loadDriveRom': bridgeCommand({
    effect: 'switches',
    input: machine.extend({ drive, path }),
    output: nothing,
    page: false,
    deadline: 20_000,
  }),
  'machine.files': bridgeCommand({
    effect: 'reads',
    input: machine.extend({ path: machinePath }),
    output: z.strictObject({ files: z.array(machineFileSchema).max(5_000) }),
    deadline: 20_000,
  }),
  /** @throws CONFLICT where the file is already there */
  'machine.uploadFile': bridgeCommand({
    effect: 'writes',
    input: machine.extend({ path, folder: machinePath, replace: z.boolean() }),
    output: z.strictObject({ path: machinePath, size: z.int().min(0) }),
    page: false,
    deadline: TRANSFER_DEADLINE_MS,
  }),
  'machine.downloadFile': bridgeCommand({
    effect: 'reads',
    input: machine.extend({ from: machinePath, path }),
    output: z.strictObject({ size: z.int().min(0) }),
    page: false,
    deadline: TRANSFER_DEADLINE_MS,
  }),
  /** The path's extension tells the kind of disk image. */
  'machine.createImage': bridgeCommand({
    effect: 'switches',
    input: machine.extend({ path: machinePath, title: machineText.max(16) }),
    output: nothing,
    deadline: 20_000,
  }),
  'machine.runFile': bridgeCommand({
    effect: 'runs',
    input: machine.extend({ path: machinePath, song: song.optional() }),
    output: nothing,
    deadline: 20_000,
  }),

  'drive.choose': mainCommand({
    input: machine.extend({ drive, mode: z.enum(mountModes) }),
    output: z.strictObject({ name: z.string().max(300).nullable() }),
    deadline: 0,
  }),
  'drive.mountGranted': mainCommand({
    input: machine.extend({ grant: fileGrant, drive, mode: z.enum(mountModes) }),
    output: nothing,
    deadline: 20_000,
  }),
  /** Asks before it replaces a file. */
  'files.upload': mainCommand({
    input: machine.extend({ folder: machinePath }),
    output: z.strictObject({ name: z.string().max(300).nullable() }),
    deadline: 0,
  }),
  'files.download': mainCommand({
    input: machine.extend({ path: machinePath }),
    output: savedOutput,
    deadline: 0,
  }),
} as const
