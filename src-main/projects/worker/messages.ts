/** What the bridge and the worker that follows its projects say to each other. */
import { commands, type CommandName, type Commands } from '@shared/contract/contract'
import { editsEvents } from '@shared/contract/edits'
import { runSchema, projectSchema } from '@shared/contract/orchestration'
import { z } from 'zod'

const count = z.int().min(0)
const text = z.string().max(4096)
const nothing = z.strictObject({})

/** Commands of the contract that the bridge hands on as they come: the worker has what they ask of a project. */
export const relayed = [
  'projects.run',
  'projects.rows',
  'projects.details',
  'projects.graph',
  'projects.file',
  'projects.journal',
  'projects.moments',
  'projects.compare',
  'projects.actions',
  'projects.preview',
  'projects.write',
  'projects.writeWithGit',
  'projects.edits',
  'projects.undo',
  'projects.draft',
  'projects.keepDraft',
] as const satisfies readonly CommandName[]
export type Relayed = (typeof relayed)[number]

const pick = <Name extends CommandName>(names: readonly Name[]): Pick<Commands, Name> =>
  Object.fromEntries(names.map((name) => [name, commands[name]])) as Pick<Commands, Name>

/** What the worker is asked for. All of it is answered. */
const orders = {
  /** Answered when all of its runs are read and told of. */
  open: {
    input: z.strictObject({
      project: count,
      place: text,
      /** From which the revisions of its runs count: a worker that comes after another knows none of those. */
      firstRevision: count,
      /** Versions of runs that are not to be read, as `reading` named them. */
      avoid: z.array(z.strictObject({ run: text, version: z.string() })),
    }),
    output: nothing,
  },
  close: { input: z.strictObject({ project: count }), output: nothing },
  /** What is remembered beside a run's files changed. */
  reread: { input: z.strictObject({ project: count, run: text }), output: nothing },
  /** Whether the person trusts a project changed. */
  trustChanged: { input: z.strictObject({ project: count }), output: nothing },
  /** The agents that are at work in a project now. */
  agents: { input: z.strictObject({ project: count, names: z.array(z.string()) }), output: nothing },
  /** In all open projects. */
  'projects.search': commands['projects.search'],
  ...pick(relayed),
} as const

type Orders = typeof orders
export type OrderName = keyof Orders
export type OrderInput<Name extends OrderName> = z.infer<Orders[Name]['input']>
export type OrderOutput<Name extends OrderName> = z.infer<Orders[Name]['output']>
export const isOrderName = (name: string): name is OrderName => Object.hasOwn(orders, name)

/** The same table with the types of one name tied together. */
export const orderTable: {
  readonly [Name in OrderName]: {
    readonly input: z.ZodType<OrderInput<Name>>
    readonly output: z.ZodType<OrderOutput<Name>>
  }
} = orders

export const summarySchema = projectSchema.omit({ project: true, openedAt: true, trusted: true })
export type Summary = z.infer<typeof summarySchema>

/** What the worker says unasked. */
export const noticeSchema = z.discriminatedUnion('notice', [
  z.strictObject({
    notice: z.literal('summary'),
    project: count,
    root: text,
    identity: z.string().nullable(),
    summary: summarySchema,
  }),
  z.strictObject({
    notice: z.literal('runs'),
    project: count,
    changed: z.array(runSchema),
    removed: z.array(z.string()),
  }),
  /** A run is read from now on, until anything else is said. */
  z.strictObject({ notice: z.literal('reading'), project: count, run: z.string(), version: z.string() }),
  /** A run that was to be avoided was not read. */
  z.strictObject({ notice: z.literal('refused'), project: count, run: z.string(), file: z.string() }),
  z.strictObject({ notice: z.literal('overwritten'), event: editsEvents['projects.overwritten'] }),
  z.strictObject({ notice: z.literal('edited'), event: editsEvents['projects.edited'] }),
  z.strictObject({ notice: z.literal('log'), message: z.string(), error: z.string().nullable() }),
])
export type Notice = z.infer<typeof noticeSchema>
