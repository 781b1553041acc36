import { z } from 'zod'
import { bridgeCommand, mainCommand } from './define'
import { MAX_PATH_CHARACTERS, savedOutput } from './savedFile'

export const dataParts = ['recordings', 'tasks', 'logs', 'cache', 'rest'] as const
export type DataPart = (typeof dataParts)[number]

const nothing = z.strictObject({})
const path = z.string().min(1).max(MAX_PATH_CHARACTERS)
const count = z.int().min(0)

const placesSchema = z.strictObject({
  folder: path,
  /** Other programs may share the folder of tasks and their recordings. */
  tasks: path,
})

const dataSizesSchema = placesSchema.extend({
  parts: z.array(z.strictObject({ part: z.enum(dataParts), bytes: count, files: count })).max(dataParts.length),
})
export type DataSizes = z.infer<typeof dataSizesSchema>

export const MAX_LEFT_FILES = 20

const leftSchema = z.strictObject({
  left: z.array(z.strictObject({ file: z.string().max(1000), reason: z.string().max(1000) })).max(MAX_LEFT_FILES),
  leftCount: count,
})

/** Longer than a backup of any disk takes, ms. */
const BACKUP_DEADLINE_MS = 24 * 60 * 60 * 1000

export const dataCommands = {
  'data.measure': bridgeCommand({ effect: 'reads', input: nothing, output: dataSizesSchema, deadline: 600_000 }),
  /** One archive, without logs, caches, passwords and tokens. */
  'data.backUpTo': bridgeCommand({
    effect: 'governs',
    input: z.strictObject({
      path: z
        .string()
        .min(1)
        .max(4096)
        .regex(/^[^\0]*$/),
    }),
    output: leftSchema.extend({ bytes: count, files: count }),
    page: false,
    deadline: BACKUP_DEADLINE_MS,
  }),
  'data.backUp': mainCommand({ input: nothing, output: savedOutput.extend(leftSchema.shape), deadline: 0 }),
  'data.place': mainCommand({ input: nothing, output: placesSchema.pick({ folder: true }) }),
  'data.showFolder': mainCommand({ input: nothing, output: nothing }),
  /** A native question; then the folder is moved aside, never deleted, and Bridgedeck starts with an empty one. */
  'data.startFresh': mainCommand({ input: nothing, output: z.strictObject({ isAgreed: z.boolean() }), deadline: 0 }),
} as const

export const dataEvents = {
  'data.backedUp': z.strictObject({ percent: z.int().min(0).max(100) }),
} as const
