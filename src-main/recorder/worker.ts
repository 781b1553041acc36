/** A worker thread of the recorder: takes frames and answers requests in the order in which they come. */
import { parentPort } from 'node:worker_threads'
import { AppError, toFailure } from '@shared/contract/errors'
import type { z } from 'zod'
import type { Call } from '../bridge/messages'
import { isRequestName, orderSchema, requests, type RequestInput, type RequestName, type RequestOutput, type WorkerEvent } from './messages'
import { Recordings } from './recordings'

const port = parentPort
if (!port) throw new Error('worker.ts runs in a worker thread, started by the recorder')

const post = (event: WorkerEvent): void => port.postMessage(event)
const recordings = new Recordings(post)
port.on('message', (message: unknown) => {
  const order = orderSchema.parse(message)
  if (order.kind === 'call') answer(order)
  // What was begun is ended soon enough.
  else if (order.kind === 'frame') {
    // What is not there is left out, not undefined.
    const { registers, picture, ...frame } = order.frame
    recordings.append(order.handle, { ...frame, ...(registers ? { registers } : {}), ...(picture ? { picture } : {}) })
  }
})

function answer({ id, command, input }: Call): void {
  try {
    post({ kind: 'reply', id, result: { ok: true, data: carryOut(command, input) } })
  } catch (error) {
    // What is no AppError is a mistake in this program: let it end the worker, whose last words the recorder reports.
    if (!(error instanceof AppError)) throw error
    post({ kind: 'reply', id, result: { ok: false, error: toFailure(error) } })
  }
}

/** The same table with each input's type tied to its name. */
const inputs: { readonly [Name in RequestName]: { readonly input: z.ZodType<RequestInput<Name>> } } = requests

const carryOut = (command: string, input: unknown): unknown => {
  if (isRequestName(command)) return carryOutKnown(command, input)
  throw new AppError('INVALID', `The recorder does not know ${command}.`)
}

function carryOutKnown<Name extends RequestName>(name: Name, input: unknown): RequestOutput<Name> {
  const parsed = inputs[name].input.safeParse(input)
  if (!parsed.success) throw new AppError('INVALID', `The recorder was asked for ${name} with something it does not take.`)
  return recordings.handlers[name](parsed.data)
}
