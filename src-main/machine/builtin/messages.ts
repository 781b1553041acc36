/** What the driver and the worker of the built-in C64 say to each other. */
import { c64Keys, joystickInputs } from '@shared/c64/keyboardMatrix'
import { checkpointSchema, executionStates, samplingModes, videoStandards } from '@shared/contract/machine'
import { address, bytesSchema, pictureSchema, registerSchema, spaces } from '@shared/contract/memory'
import { z } from 'zod'
import { replySchema } from '../../bridge/messages'
import { romPathsSchema } from './roms'

const nothing = z.strictObject({})
const state = bytesSchema(4 * 1024 * 1024)
const registers = z.array(registerSchema).max(64)

/** What the driver asks; every request is answered. */
export const requests = {
  start: {
    input: z.strictObject({
      resources: z.string(),
      roms: romPathsSchema,
      standard: z.enum(videoStandards),
      statePath: z.string().nullable(),
      autorun: z.string().nullable(),
    }),
    output: z.strictObject({ notices: z.array(z.string()) }),
  },
  /** Keeps the state; the worker does nothing more. */
  stop: { input: nothing, output: nothing },
  pause: { input: nothing, output: nothing },
  resume: { input: nothing, output: nothing },
  step: { input: z.strictObject({ count: z.int().min(1).max(65_535), over: z.boolean() }), output: nothing },
  reset: { input: z.strictObject({ kind: z.enum(['soft', 'power']) }), output: nothing },
  setWarp: { input: z.strictObject({ warp: z.boolean() }), output: nothing },
  setStandard: { input: z.strictObject({ standard: z.enum(videoStandards) }), output: nothing },
  setSampling: {
    input: z.strictObject({ mode: z.enum(samplingModes), spaces: z.array(z.enum(spaces)), picture: z.boolean() }),
    output: nothing,
  },
  readMemory: {
    input: z.strictObject({ space: z.enum(spaces), address, length: z.int().min(1).max(0x10000) }),
    output: bytesSchema(0x10000),
  },
  writeMemory: {
    input: z.strictObject({ space: z.enum(spaces), address, bytes: bytesSchema(0x10000) }),
    output: nothing,
  },
  readRegisters: { input: nothing, output: registers },
  writeRegister: {
    input: z.strictObject({ name: z.string().max(20), value: z.int().min(0).max(0xffff) }),
    output: registers,
  },
  runProgram: { input: z.strictObject({ bytes: bytesSchema(1024 * 1024) }), output: nothing },
  typeText: { input: z.strictObject({ text: z.string() }), output: nothing },
  setKeys: { input: z.strictObject({ keys: z.array(z.enum(c64Keys)) }), output: nothing },
  setJoystick: {
    input: z.strictObject({ port: z.union([z.literal(1), z.literal(2)]), inputs: z.array(z.enum(joystickInputs)) }),
    output: nothing,
  },
  picture: { input: nothing, output: pictureSchema },
  saveState: { input: nothing, output: state },
  listCheckpoints: { input: nothing, output: z.array(checkpointSchema) },
  setCheckpoint: { input: checkpointSchema.omit({ number: true, hits: true }), output: checkpointSchema },
  deleteCheckpoint: { input: z.strictObject({ number: z.int() }), output: nothing },
  enableCheckpoint: { input: z.strictObject({ number: z.int(), enabled: z.boolean() }), output: nothing },
  loadState: { input: z.strictObject({ state }), output: nothing },
} as const

export type Requests = typeof requests
export type RequestName = keyof Requests
export type RequestInput<Name extends RequestName> = z.infer<Requests[Name]['input']>
export type RequestOutput<Name extends RequestName> = z.infer<Requests[Name]['output']>

export const isRequestName = (name: string): name is RequestName => Object.hasOwn(requests, name)

export const workerStatusSchema = z.strictObject({
  execution: z.enum(executionStates),
  /** Why the machine stands, when that was not asked for. */
  reason: z.string().nullable(),
  hint: z.string().nullable(),
  standard: z.enum(videoStandards),
  speed: z.number().min(0).nullable(),
  warp: z.boolean(),
})
export type WorkerStatus = z.infer<typeof workerStatusSchema>

/** What the worker says. */
export const eventSchema = z.discriminatedUnion('kind', [
  replySchema,
  z.strictObject({ kind: z.literal('status'), status: workerStatusSchema }),
  z.strictObject({ kind: z.literal('notice'), notice: z.string() }),
  z.strictObject({
    kind: z.literal('sample'),
    sample: z.strictObject({
      time: z.number(),
      segments: z.array(z.strictObject({ space: z.enum(spaces), address, bytes: bytesSchema(0x10000) })),
      registers,
      picture: pictureSchema.optional(),
    }),
  }),
])
export type WorkerEvent = z.infer<typeof eventSchema>
