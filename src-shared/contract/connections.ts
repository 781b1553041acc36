import { z } from 'zod'
import { bridgeCommand, mainCommand } from './define'
import { machineNameSchema, machineStateSchema } from './machine'
import { describeKind } from './machineKinds'
import { readMachineName, readPlainAddress } from './machineName'
import { bytesSchema } from './memory'

/** Whether machines of this name's kind can ask for a password. */
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

/** A machine that the person keeps. Its name says its kind and its address. */
const profileSchema = z.strictObject({ machine: machineNameSchema, title, hasPassword: z.boolean() })
export type Profile = z.infer<typeof profileSchema>

/** A machine that answered a search of the local network. */
const foundMachineSchema = z.strictObject({
  machine: machineNameSchema,
  /** Its host name, or its address where it has none. */
  title: text,
  /** Product and firmware as it tells them. */
  about: text,
  asksForPassword: z.boolean(),
})
export type FoundMachine = z.infer<typeof foundMachineSchema>

/** A machine that answers at an address that the person typed. */
const machineAtAddressSchema = foundMachineSchema.extend({
  /** Why it cannot be connected, with what to do; null where it can. */
  limit: text.nullable(),
})
export type MachineAtAddress = z.infer<typeof machineAtAddressSchema>

const portSchema = z.strictObject({
  /** As the system names it. */
  device: z.string().max(1000),
  /** Who made it and what it is, as USB tells; null where it does not. */
  vendor: text.nullable(),
  product: text.nullable(),
  /** What we know it to be; null for a port like any other. */
  board: text.nullable(),
  /** What it can be connected as, the likeliest first. */
  machines: z.array(machineNameSchema).max(5),
})
export type Port = z.infer<typeof portSchema>

/** A machine that c64bridge's configuration or its environment variables name. */
const configuredMachineSchema = z.strictObject({
  machine: machineNameSchema,
  title: text,
  /** The file's name, or the variables'. */
  source: text,
  hasPassword: z.boolean(),
})

/** Every way to a machine that is known; small, and sent whole. A problem is one sentence with what to do. */
const connectionsSchema = z.strictObject({
  profiles: z.array(profileSchema).max(500),
  network: z.strictObject({
    searching: z.boolean(),
    /** When the last search ended, ms since 1970; null before the first. */
    searched: z.number().nullable(),
    found: z.array(foundMachineSchema).max(100),
    problem: text.nullable(),
  }),
  /** The VICE on this computer that would be started; null with a problem where there is none. */
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
  /** What is tried, in a few words. */
  title: z.string().max(100),
  outcome: z.enum(stepOutcomes),
  /** What came of it, in one sentence; empty while it runs. */
  text: z.string().max(2000),
})
export type SelfTestStep = z.infer<typeof selfTestStepSchema>

const steps = z.array(selfTestStepSchema).max(20)
const nothing = z.strictObject({})
const machine = z.strictObject({ machine: machineNameSchema })
/** A device's own serial number, which it keeps when its address changes. */
const uniqueId = z.string().regex(/^[ -~]{1,100}$/)
/** A password as the system's secret store has sealed it. */
const sealed = bytesSchema(4096)

export const connectionsCommands = {
  'connections.list': bridgeCommand({ effect: 'reads', input: nothing, output: connectionsSchema }),
  /** Looks for machines on the local network; those found come by `connections.changed`, and at the end here. */
  'connections.search': bridgeCommand({
    effect: 'connects',
    input: nothing,
    output: connectionsSchema,
    deadline: 15_000,
  }),
  /** Asks a host, or one port of it, for every kind of machine that is reached over the network. */
  'connections.probe': bridgeCommand({
    effect: 'connects',
    input: z.strictObject({ address: plainAddressSchema }),
    output: z.strictObject({ found: z.array(machineAtAddressSchema).max(10) }),
    deadline: 20_000,
  }),
  /** Keeps a machine under a title, or gives a kept one another. */
  'connections.save': bridgeCommand({ effect: 'governs', input: machine.extend({ title }), output: nothing }),
  /** Tries what a machine can do, step by step, told by `connections.selfTest`. Leaves it connected or not as it was. */
  'connections.selfTest': bridgeCommand({
    effect: 'switches',
    input: machine,
    output: z.strictObject({ steps }),
    deadline: 60_000,
  }),

  /** Drops a machine from those kept, with its password. */
  'connections.forget': mainCommand({ input: machine, output: nothing }),
  /**
   * Connects with a password that the person has typed. One that works is known until the app ends; `remember` has the
   * system's secret store keep it, with the machine, for this device alone.
   */
  'connections.authenticate': mainCommand({
    input: machine.extend({ password: passwordSchema, remember: z.boolean() }),
    output: machineStateSchema,
    deadline: 30_000,
  }),
  'connections.forgetPassword': mainCommand({ input: machine, output: nothing }),
  /** Whether passwords can be kept over a restart; why not, in one sentence. */
  'connections.secretStore': mainCommand({ input: nothing, output: z.strictObject({ limit: text.nullable() }) }),

  /**
   * Hands over the password for the machine's next connections, until it is disconnected. `onlyFor` names the one
   * device that may get it; null for whatever answers at that address.
   */
  'connections.usePassword': bridgeCommand({
    effect: 'connects',
    input: machine.extend({ password: passwordSchema, onlyFor: uniqueId.nullable() }),
    output: nothing,
    page: false,
  }),
  /** Who answers at the machine's address. */
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
  /** Keeps a sealed password with the machine, which is kept with it; null drops it. */
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
  /** The steps of a self-test so far, whole. */
  'connections.selfTest': z.strictObject({ machine: machineNameSchema, steps, running: z.boolean() }),
} as const
