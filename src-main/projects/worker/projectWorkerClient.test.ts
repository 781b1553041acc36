import { afterEach, describe, expect, it, vi } from 'vitest'
import { ProjectWorkerClient } from './projectWorkerClient'

/** A worker that says what a test has it say. */
class Worker {
  readonly orders: { readonly id: number; readonly command: string; readonly input: unknown }[] = []
  readonly #say: (message: unknown) => void
  readonly #end: (reason: string) => void
  hasEnded = false

  constructor(say: (message: unknown) => void, end: (reason: string) => void) {
    this.#say = say
    this.#end = end
  }

  post(message: unknown): void {
    const order = message as {
      readonly kind: string
      readonly id: number
      readonly command: string
      readonly input: unknown
    }
    if (order.kind === 'call') this.orders.push(order)
  }

  say(message: unknown): void {
    this.#say(message)
  }

  /** Answers the first order of this name. */
  answer(command: string): void {
    const order = this.orders.find((candidate) => candidate.command === command)
    this.#say({ kind: 'reply', id: order?.id, result: { ok: true, data: {} } })
  }

  end(): Promise<void> {
    this.hasEnded = true
    this.#end('it was ended')
    return Promise.resolve()
  }
}

const opened: ProjectWorkerClient[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const client of opened.splice(0)) await client.end()
})

function create(limit: number) {
  const workers: Worker[] = []
  const told: string[] = []
  const client = new ProjectWorkerClient({
    start: (onMessage, onEnd) => {
      const worker = new Worker(onMessage, onEnd)
      workers.push(worker)
      return worker
    },
    onSummary: () => undefined,
    onRuns: () => undefined,
    onOverwritten: () => undefined,
    onEdited: () => undefined,
    onRefused: (project, run, file) => told.push(`refused ${project} ${run} ${file}`),
    onLost: (project) => told.push(`lost ${project}`),
    onLoaded: (project) => told.push(`told ${project}`),
    log: (message) => told.push(message),
    limit,
  })
  opened.push(client)
  return { client, workers, told }
}

describe('the worker that follows projects', () => {
  it('is started in the place of one that comes to no end with a run, and does not read that version again', async () => {
    const { client, workers, told } = create(50)
    const opening = client.open(1, '/projects/one')
    workers[0]?.say({ notice: 'reading', project: 1, run: 'tuning:deep', version: 'v1' })
    await expect.poll(() => workers).toHaveLength(2)
    expect(workers[0]?.hasEnded).toBe(true)
    expect(workers[1]?.orders).toMatchObject([
      {
        command: 'open',
        input: { project: 1, place: '/projects/one', avoid: [{ run: 'tuning:deep', version: 'v1' }] },
      },
    ])
    workers[1]?.say({ notice: 'refused', project: 1, run: 'tuning:deep', file: 'state.json' })
    workers[1]?.answer('open')
    await opening
    expect(told).toEqual([
      'The reading of projects starts afresh: it was ended, at tuning:deep',
      'lost 1',
      'refused 1 tuning:deep state.json',
      'told 1',
    ])
  })

  it('has all the time it needs when it says something meanwhile', async () => {
    vi.useFakeTimers()
    const { client, workers } = create(200)
    const opening = client.open(1, '/projects/one')
    for (let run = 0; run < 5; run++) {
      workers[0]?.say({ notice: 'reading', project: 1, run: `tuning:${run}`, version: 'v1' })
      await vi.advanceTimersByTimeAsync(150)
    }
    workers[0]?.answer('open')
    await opening
    expect(workers).toHaveLength(1)
  })

  it('opens all projects again when it ended by itself, and counts their revisions from another number', async () => {
    const { client, workers, told } = create(10_000)
    const both = Promise.all([client.open(1, '/one'), client.open(2, '/two')])
    for (const { id } of workers[0]?.orders ?? [])
      workers[0]?.say({ kind: 'reply', id, result: { ok: true, data: {} } })
    await both
    const asked = client.ask('projects.file', { project: 1, file: 'a', line: 1 })
    void workers[0]?.end()
    await expect(asked).rejects.toMatchObject({ code: 'LOST' })
    await expect.poll(() => workers[1]?.orders.map(({ input }) => input)).toHaveLength(2)
    expect(workers[1]?.orders[0]?.input).toMatchObject({ project: 1, place: '/one', avoid: [] })
    const revisions = workers.map(({ orders }) => (orders[0]?.input as { firstRevision: number }).firstRevision)
    expect(new Set(revisions).size).toBe(2)
    expect(told.filter((what) => what.startsWith('lost'))).toEqual(['lost 1', 'lost 2'])
  })

  it('does not open again what was closed', async () => {
    const { client, workers } = create(50)
    const opening = client.open(1, '/one')
    workers[0]?.answer('open')
    await opening
    const closing = client.close(1)
    workers[0]?.answer('close')
    await closing
    void workers[0]?.end()
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    expect(workers).toHaveLength(1)
  })
})
