import { z } from 'zod'
import { bridgeCommand, mainCommand } from './define'
import { machineNameSchema } from './machine'
import { address, bytesSchema, registerSchema, spaces } from './memory'
import { recordingId, recordingTime } from './recorder'

export const MAX_SNAPSHOTS = 200
export const MAX_DIFFERENCES = 1_000
export const MAX_DIFFERING_BYTES = 64

/** For 64 KiB over a slow line, ms. */
const READ_DEADLINE_MS = 60_000

/** Begins with a letter or digit, so that it is never taken for an option or a machine. */
export const snapshotName = z
  .string()
  .max(60)
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u, 'letters, digits, blanks, dots, dashes and underscores')

export const nameOfSnapshot = (file: string): string =>
  file
    .replace(/[^\p{L}\p{N} ._-]/gu, '-')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .slice(0, 60) || 'snapshot'

const span = z.strictObject({ address, length: z.int().min(1).max(0x10000) })

const snapshotSchema = z.strictObject({
  name: snapshotName,
  source: z.string().max(300),
  /** ms since 1970 */
  time: z.number(),
  ranges: z.array(span.extend({ space: z.enum(spaces) })).max(10),
})
export type MemorySnapshot = z.infer<typeof snapshotSchema>

const originSchema = z.union([
  z.strictObject({ machine: machineNameSchema }),
  z.strictObject({ recording: recordingId, time: recordingTime }),
])
export type SnapshotOrigin = z.infer<typeof originSchema>

const sourceSchema = z.union([z.strictObject({ snapshot: snapshotName }), originSchema])
export type SnapshotSource = z.infer<typeof sourceSchema>

const differenceSchema = span.extend({
  space: z.enum(spaces),
  before: bytesSchema(MAX_DIFFERING_BYTES),
  after: bytesSchema(MAX_DIFFERING_BYTES),
})
export type MemoryDifference = z.infer<typeof differenceSchema>

const differencesSchema = z.strictObject({
  /** In address order: RAM (or what the CPU sees), then colour RAM. */
  differences: z.array(differenceSchema).max(MAX_DIFFERENCES),
  ranges: z.int().min(0),
  bytes: z.int().min(0),
  /** Bytes that were not read in one of the two, and so could not be compared. */
  unread: z.int().min(0),
  registers: z.array(z.strictObject({ name: registerSchema.shape.name, before: z.int(), after: z.int() })).max(100),
})
export type MemoryDifferences = z.infer<typeof differencesSchema>

const named = z.strictObject({ name: snapshotName })
const kept = named.extend({
  /** Replaces a snapshot of that name; otherwise a name that is taken is refused. */
  replaces: z.boolean(),
})

export const snapshotsCommands = {
  'snapshots.list': bridgeCommand({
    effect: 'reads',
    input: z.strictObject({}),
    output: z.strictObject({ snapshots: z.array(snapshotSchema).max(MAX_SNAPSHOTS) }),
  }),
  'snapshots.save': bridgeCommand({
    effect: 'keeps',
    input: kept.extend({ of: originSchema }),
    output: snapshotSchema,
    deadline: READ_DEADLINE_MS,
  }),
  /** A VICE snapshot, a PRG, or bytes that begin at the address. */
  'snapshots.import': bridgeCommand({
    effect: 'keeps',
    input: kept.extend({
      path: z
        .string()
        .min(1)
        .max(4096)
        .regex(/^\P{Cc}*$/u),
      address: address.nullable(),
    }),
    output: snapshotSchema,
    page: false,
  }),
  'snapshots.choose': mainCommand({
    input: z.strictObject({ name: snapshotName.nullable(), replaces: z.boolean() }),
    output: z.strictObject({ snapshot: snapshotSchema.nullable() }),
    deadline: 0,
  }),
  'snapshots.askToDelete': mainCommand({
    input: named,
    output: z.strictObject({ deleted: z.boolean() }),
    deadline: 0,
  }),
  'snapshots.delete': bridgeCommand({ effect: 'keeps', input: named, output: z.strictObject({}), page: false }),
  /** Writes RAM and colour RAM back to a machine where they differ; chips and registers stay. */
  'snapshots.restore': bridgeCommand({
    effect: 'replaces',
    input: named.extend({
      machine: machineNameSchema,
      /** Limits to these; all when empty. */
      within: z.array(span).max(100),
    }),
    output: z.strictObject({ written: z.int().min(0) }),
    page: false,
    deadline: READ_DEADLINE_MS,
  }),
  'snapshots.compare': bridgeCommand({
    effect: 'reads',
    input: z.strictObject({
      before: sourceSchema,
      after: sourceSchema,
      /** Limits to these; all when empty. */
      within: z.array(span).max(100),
      limit: z.int().min(1).max(MAX_DIFFERENCES),
    }),
    output: differencesSchema,
    deadline: READ_DEADLINE_MS,
  }),
} as const

export const snapshotsEvents = {
  'snapshots.changed': z.strictObject({}),
} as const
