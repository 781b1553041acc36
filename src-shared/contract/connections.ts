import { z } from 'zod'
import { bridgeCommand, mainCommand } from './define'
import { machineNameSchema, machineStateSchema } from './machine'
import { describeKind } from './machineKinds'
import { readMachineName, readPlainAddress } from './machineName'
import { bytesSchema } from './memory'

export function takesPassword(machine: string): boolean {
  const address = readMachineName(machine)
  return address !== undefined && describeKind(address.kind).takesPassword === true
}

/** Printable ASCII: it goes into a header of HTTP as it is. */
export const passwordPattern = /^[ -~]{1,100}$/

export const passwordSchema = z
  .string()
  .regex(passwordPattern, { error: 'a password has 1 to 100 letters, digits and signs of ASCII' })

const title = z.string().regex(/^[^\p{Cc}]{1,100}$/u)
const text = z.string().max(300)

const profileSchema = z.strictObject({ machine: machineNameSchema, title, hasPassword: z.boolean() })
export type Profile = z.infer<typeof profileSchema>

const foundMachineSchema = z.strictObject({
  machine: machineNameSchema,
  title: text,
  about: text,
  asksForPassword: z.boolean(),
})
export type FoundMachine = z.infer<typeof foundMachineSchema>

const machineAtAddressSchema = foundMachineSchema.extend({
  limit: text.nullable(),
})
export type MachineAtAddress = z.infer<typeof machineAtAddressSchema>

const portSchema = z.strictObject({
  device: z.string().max(1000),
  vendor: text.nullable(),
  product: text.nullable(),
  board: text.nullable(),
  machines: z.array(machineNameSchema).max(5),
})
export type Port = z.infer<typeof portSchema>

const configuredMachineSchema = z.strictObject({
  machine: machineNameSchema,
  title: text,
  source: text,
  hasPassword: z.boolean(),
})

const connectionsSchema = z.strictObject({
  profiles: z.array(profileSchema).max(500),
  network: z.strictObject({
    searching: z.boolean(),
    /** End of the last search, ms since 1970; null before the first. */
    searched: z.number().nullable(),
    found: z.array(foundMachineSchema).max(100),
    problem: text.nullable(),
  }),
  vice: z.strictObject({
    executable: z.string().max(4096).nullable(),
    version: text.nullable(),
    problem: text.nullable(),
  }),
  serial: z.strictObject({ ports: z.array(portSchema).max(100), problem: text.nullable() }),
  configured: z.strictObject({ machines: z.array(configuredMachineSchema).max(10), problems: z.array(text).max(20) }),
})
export type Connections = z.infer<typeof connectionsSchema>

const plainAddressSchema = z
  .string()
  .max(200)
  .refine((address) => readPlainAddress(address) !== undefined, {
    error: 'an address is 192.168.1.64, c64u or c64u:80',
  })

const stepOutcomes = ['running', 'ok', 'failed', 'skipped'] as const

const selfTestStepSchema = z.strictObject({
  title: z.string().max(100),
  outcome: z.enum(stepOutcomes),
  text: z.string().max(2000),
})
export type SelfTestStep = z.infer<typeof selfTestStepSchema>

const steps = z.array(selfTestStepSchema).max(20)
const nothing = z.strictObject({})
const machine = z.strictObject({ machine: machineNameSchema })
const uniqueId = z.string().regex(/^[ -~]{1,100}$/)
/** A password sealed by the system's secret store. */
const sealed = bytesSchema(4096)

export const connectionsCommands = {
  'connections.list': bridgeCommand({ effect: 'reads', input: nothing, output: connectionsSchema }),
  'connections.search': bridgeCommand({
    effect: 'connects',
    input: nothing,
    output: connectionsSchema,
    deadline: 15_000,
  }),
  'connections.probe': bridgeCommand({
    effect: 'connects',
    input: z.strictObject({ address: plainAddressSchema }),
    output: z.strictObject({ found: z.array(machineAtAddressSchema).max(10) }),
    deadline: 20_000,
  }),
  'connections.save': bridgeCommand({ effect: 'governs', input: machine.extend({ title }), output: nothing }),
  /** Leaves the machine connected or not, as it was. */
  'connections.selfTest': bridgeCommand({
    effect: 'switches',
    input: machine,
    output: z.strictObject({ steps }),
    deadline: 60_000,
  }),

  'connections.forget': mainCommand({ input: machine, output: nothing }),
  /**
   * A password that works is known until the app ends; with `remember` the system's secret store keeps it, with the
   * machine, for this device alone.
   */
  'connections.authenticate': mainCommand({
    input: machine.extend({ password: passwordSchema, remember: z.boolean() }),
    output: machineStateSchema,
    deadline: 30_000,
  }),
  'connections.forgetPassword': mainCommand({ input: machine, output: nothing }),
  'connections.secretStore': mainCommand({ input: nothing, output: z.strictObject({ limit: text.nullable() }) }),

  /**
   * Sets the password for the machine's next connections, until it is disconnected. `onlyFor` names the one device that
   * may get it; null for whatever answers at that address.
   */
  'connections.usePassword': bridgeCommand({
    effect: 'connects',
    input: machine.extend({ password: passwordSchema, onlyFor: uniqueId.nullable() }),
    output: nothing,
    page: false,
  }),
  'connections.identity': bridgeCommand({
    effect: 'connects',
    input: machine,
    output: z.strictObject({ uniqueId: uniqueId.nullable() }),
    page: false,
  }),
  'connections.sealedPassword': bridgeCommand({
    effect: 'governs',
    input: machine,
    output: z.strictObject({ kept: z.strictObject({ sealed, uniqueId: uniqueId.nullable() }).nullable() }),
    page: false,
  }),
  'connections.keepPassword': bridgeCommand({
    effect: 'governs',
    input: machine.extend({ kept: z.strictObject({ sealed, uniqueId: uniqueId.nullable() }).nullable() }),
    output: nothing,
    page: false,
  }),
  'connections.remove': bridgeCommand({ effect: 'governs', input: machine, output: nothing, page: false }),
} as const

export const connectionsEvents = {
  'connections.changed': connectionsSchema,
  'connections.selfTest': z.strictObject({ machine: machineNameSchema, steps, running: z.boolean() }),
} as const
