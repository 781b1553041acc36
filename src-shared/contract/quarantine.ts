import { z } from 'zod'
import { bridgeCommand } from './define'

export const quarantinedKinds = ['project', 'recording', 'machine'] as const
export type QuarantinedKind = (typeof quarantinedKinds)[number]

const nothing = z.strictObject({})
const name = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^\P{Cc}+$/u)
/** A project by its folder, a recording by its task's id, a machine by its canonical name. */
const one = z.strictObject({ kind: z.enum(quarantinedKinds), name })

const quarantinedSchema = one.extend({
  reason: z.string().max(1000),
})
export type Quarantined = z.infer<typeof quarantinedSchema>

const all = z.strictObject({ items: z.array(quarantinedSchema).max(200) })

export const quarantineCommands = {
  'quarantine.list': bridgeCommand({ effect: 'reads', input: nothing, output: all }),
  /** Opens it in spite of the quarantine. @throws NOT_FOUND when it is in no quarantine, and as opening does */
  'quarantine.open': bridgeCommand({ effect: 'governs', input: one, output: nothing, deadline: 20_000 }),
} as const

export const quarantineEvents = { 'quarantine.changed': all } as const
