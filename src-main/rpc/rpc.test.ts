import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { AppError } from '@shared/contract/errors'
import { defineProtocol, type Nothing, type RequestHandlers } from './protocol'
import { receiver } from './serveWorker'
import { connectWorker } from './startWorker'

interface Channel {
  readonly requests: {
    double(input: { readonly value: number }): number
    wait(input: Nothing): Nothing
    fail(input: Nothing): Nothing
  }
  readonly posts: { readonly add: number }
  readonly notices: { readonly added: number }
}
const protocol = defineProtocol<Channel>('The worker')

const untilAborted = (signal: AbortSignal): Promise<Nothing> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))

/** Both ends in this thread, with messages cloned as a thread's border would. */
function start(handlers: Partial<RequestHandlers<Channel>> = {}) {
  const events = new EventEmitter()
  const faults: string[] = []
  const added: number[] = []
  const lost: AppError[] = []
  const send = (message: unknown) => {
    const copy: unknown = structuredClone(message)
    queueMicrotask(() => events.emit('message', copy))
  }
  const receive = receiver<Channel>(
    protocol.name,
    {
      requests: {
        double: ({ value }) => 2 * value,
        wait: (_input, signal) => untilAborted(signal),
        fail: () => {
          throw new AppError('BUSY', 'Not now.', { hint: 'Later.' })
        },
        ...handlers,
      },
      posts: { add: (value) => send({ kind: 'notice', name: 'added', payload: value }) },
      onFault: (command) => faults.push(command),
    },
    send,
  )
  const worker = connectWorker(
    protocol,
    {
      postMessage: (message) => receive(structuredClone(message)),
      on: (event, listener) => events.on(event, listener),
      terminate: () => Promise.resolve(events.emit('exit', 1)),
    },
    {
      notices: {
        added: (value) => {
          if (value < 0) throw new Error('a bad notice')
          added.push(value)
        },
      },
      onLost: (error) => lost.push(error),
      lossHint: 'Try again.',
      onFault: (what) => faults.push(what),
    },
  )
  return { worker, events, faults, added, lost }
}

describe('a request to a worker', () => {
  it('is answered with what its handler returns, each with its own', async () => {
    const { worker } = start()
    expect(await Promise.all([1, 2, 3].map((value) => worker.call('double', { value })))).toEqual([2, 4, 6])
  })

  it('is rejected with the error of its handler, whole', async () => {
    const { worker, faults } = start()
    await expect(worker.call('fail', {})).rejects.toMatchObject({ code: 'BUSY', message: 'Not now.', hint: 'Later.' })
    expect(faults).toEqual([])
  })

  it('carries nothing of an error that nobody expected, which is a fault', async () => {
    const { worker, faults } = start({
      double: () => {
        throw new Error('secret')
      },
    })
    const error: unknown = await worker.call('double', { value: 1 }).catch((error: unknown) => error)
    expect(error).toMatchObject({ code: 'INTERNAL' })
    expect(String(error)).not.toContain('secret')
    expect(faults).toEqual(['double'])
  })

  it('that the worker does not know is NOT_FOUND', async () => {
    const { worker } = start()
    for (const name of ['unknown', 'toString', '__proto__']) {
      await expect(worker.call(name as 'wait', {})).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
  })

  it('ends at its signal, and in the worker too', async () => {
    const { worker, faults } = start()
    const controller = new AbortController()
    const waiting = worker.call('wait', {}, { signal: controller.signal })
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' })
    await expect.poll(() => faults).toEqual(['wait'])
  })

  it('ends at its deadline', async () => {
    const { worker } = start()
    await expect(worker.call('wait', {}, { deadlineMs: 10 })).rejects.toMatchObject({ code: 'TIMEOUT' })
  })

  it('is rejected as LOST when the worker ends by itself, as is every later one', async () => {
    const { worker, events, lost } = start()
    const waiting = worker.call('wait', {})
    events.emit('error', new Error('out of luck'))
    events.emit('exit', 1)
    const error = { code: 'LOST', message: 'The worker stopped unexpectedly: out of luck', hint: 'Try again.' }
    await expect(waiting).rejects.toMatchObject(error)
    await expect(worker.call('double', { value: 1 })).rejects.toMatchObject(error)
    expect(lost).toMatchObject([error])
  })

  it('is rejected with the reason when the worker is ended', async () => {
    const { worker, lost } = start()
    const waiting = worker.call('wait', {})
    await Promise.all([
      expect(waiting).rejects.toMatchObject({ code: 'CANCELLED', message: 'Enough.' }),
      worker.end(new AppError('CANCELLED', 'Enough.')),
    ])
    expect(lost).toEqual([])
  })
})

describe('notices', () => {
  it('go both ways in the order in which they were sent', async () => {
    const { worker, added } = start()
    for (const value of [1, 2, 3]) worker.post('add', value)
    await expect.poll(() => added).toEqual([1, 2, 3])
  })

  it('that cannot be handled are a fault, and no more than that', async () => {
    const { worker, events, added, faults, lost } = start()
    for (const value of [1, -1, 2]) worker.post('add', value)
    await expect.poll(() => added).toEqual([1, 2])
    events.emit('message', null)
    expect(faults).toHaveLength(2)
    expect(await worker.call('double', { value: 4 })).toBe(8)
    expect(lost).toEqual([])
  })

  it('of a worker that was ended are dropped', async () => {
    const { worker, events, added } = start()
    await worker.end(new AppError('CANCELLED', 'Enough.'))
    events.emit('message', { kind: 'notice', name: 'added', payload: 1 })
    worker.post('add', 2)
    await Promise.resolve()
    expect(added).toEqual([])
  })
})
