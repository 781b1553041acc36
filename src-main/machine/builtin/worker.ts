/** The worker thread of the built-in C64: answers the driver's requests in order, and sends what the emulation tells. */
import { parentPort } from 'node:worker_threads'
import { AppError, toFailure } from '@shared/contract/errors'
import type { z } from 'zod'
import { Emulation } from './emulation'
import { callSchema, type Call } from '../../bridge/messages'
import {
  isRequestName,
  requests,
  type RequestInput,
  type RequestName,
  type RequestOutput,
  type WorkerEvent,
} from './messages'

const port = parentPort
if (!port) throw new Error('worker.ts runs in a worker thread, started by the driver')

const emulation = new Emulation(post)
port.on('message', (message: unknown) => {
  const call = callSchema.safeParse(message)
  if (call.success) void answer(call.data)
})

async function answer({ id, command, input }: Call): Promise<void> {
  try {
    post({ kind: 'reply', id, result: { ok: true, data: await carryOut(command, input) } })
  } catch (error) {
    // What is no AppError is a mistake in this program: let it end the worker, whose last words the driver reports.
    if (!(error instanceof AppError)) throw error
    post({ kind: 'reply', id, result: { ok: false, error: toFailure(error) } })
  }
}

/** The same table with each input's type tied to its name. */
const inputs: { readonly [Name in RequestName]: { readonly input: z.ZodType<RequestInput<Name>> } } = requests

const carryOut = (command: string, input: unknown): Promise<unknown> => {
  if (isRequestName(command)) return carryOutKnown(command, input)
  throw new AppError('INVALID', `The built-in C64 does not know ${command}.`)
}

async function carryOutKnown<Name extends RequestName>(name: Name, input: unknown): Promise<RequestOutput<Name>> {
  const parsed = inputs[name].input.safeParse(input)
  if (!parsed.success)
    throw new AppError('INVALID', `The built-in C64 was asked for ${name} with something it does not take.`)
  return emulation.handlers[name](parsed.data)
}

/** Samples are moved, not copied: the worker makes them afresh each time. */
function post(event: WorkerEvent): void {
  port?.postMessage(event, event.kind === 'sample' ? buffersOf(event.sample) : [])
}

function buffersOf({ segments, picture }: Extract<WorkerEvent, { kind: 'sample' }>['sample']): ArrayBuffer[] {
  const views = [...segments.map(({ bytes }) => bytes), ...(picture ? [picture.pixels] : [])]
  return views.flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : []))
}
