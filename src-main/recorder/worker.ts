/** A worker thread of the recorder: takes frames and answers requests in the order in which they come, but for exports, which take their time. */
import { parentPort } from 'node:worker_threads'
import { AppError, toFailure } from '@shared/contract/errors'
import type { z } from 'zod'
import type { Call } from '../bridge/messages'
import type { Exported } from './export'
import {
  isRequestName,
  orderSchema,
  requests,
  type RequestInput,
  type RequestName,
  type RequestOutput,
  type WorkerEvent,
} from './messages'
import { Recordings } from './recordings'

const port = parentPort
if (!port) throw new Error('worker.ts runs in a worker thread, started by the recorder')

const post = (event: WorkerEvent): void => port.postMessage(event)
const recordings = new Recordings(post)
port.on('message', (message: unknown) => {
  const order = orderSchema.parse(message)
  if (order.kind === 'call') void answer(order)
  else if (order.kind === 'cancel') underWay.delete(order.id)
  else {
    // What is not there is left out, not undefined.
    const { registers, picture, ...frame } = order.frame
    recordings.append(order.handle, { ...frame, ...(registers ? { registers } : {}), ...(picture ? { picture } : {}) })
  }
})

/** Exports that somebody waits for, by the id of the call; everything else is done at once. */
const underWay = new Set<number>()

async function answer({ id, command, input }: Call): Promise<void> {
  try {
    const data = command === 'export' ? await workOff(id, parsed('export', input)) : carryOut(command, input)
    post({ kind: 'reply', id, result: { ok: true, data } })
  } catch (error) {
    // What is no AppError is a mistake in this program: let it end the worker, whose last words the recorder reports.
    if (!(error instanceof AppError)) throw error
    post({ kind: 'reply', id, result: { ok: false, error: toFailure(error) } })
  }
}

/** Step by step, so that questions are answered meanwhile. @throws AppError CANCELLED once nobody waits for it */
async function workOff(id: number, wish: RequestInput<'export'>): Promise<Exported> {
  underWay.add(id)
  const steps = recordings.export(wish)
  let told = -1
  try {
    for (;;) {
      const step = steps.next()
      if (step.done === true) return step.value
      const percent = Math.floor(100 * step.value)
      if (percent > told) post({ kind: 'exported', to: wish.to, percent: (told = percent) })
      await new Promise(setImmediate)
      if (!underWay.has(id)) throw new AppError('CANCELLED', 'The export was cancelled.')
    }
  } finally {
    underWay.delete(id)
    steps.return({ bytes: 0, damages: [] })
  }
}

/** The same table with each input's type tied to its name. */
const inputs: { readonly [Name in RequestName]: { readonly input: z.ZodType<RequestInput<Name>> } } = requests

const carryOut = (command: string, input: unknown): unknown => {
  if (isRequestName(command) && command !== 'export') return carryOutKnown(command, input)
  throw new AppError('INVALID', `The recorder does not know ${command}.`)
}

const carryOutKnown = <Name extends Exclude<RequestName, 'export'>>(name: Name, input: unknown): RequestOutput<Name> =>
  recordings.handlers[name](parsed(name, input))

function parsed<Name extends RequestName>(name: Name, input: unknown): RequestInput<Name> {
  const { data } = inputs[name].input.safeParse(input)
  if (data === undefined)
    throw new AppError('INVALID', `The recorder was asked for ${name} with something it does not take.`)
  return data
}
