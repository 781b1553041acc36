import { EventEmitter } from 'node:events'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Call, Cancel, Notice } from '../../rpc/messages'
import { connectWorker, type Thread } from '../../rpc/startWorker'
import { projectProtocol } from './messages'
import { ProjectWorkerClient } from './projectWorkerClient'

/** A worker thread that sends what a test has it send. */
class FakeThread extends EventEmitter implements Thread {
  readonly calls: Call[] = []
  hasEnded = false

  postMessage(message: Call | Cancel | Notice): void {
    if (message.kind === 'call') this.calls.push(message)
  }

  notify(name: string, payload: unknown): void {
    this.emit('message', { kind: 'notice', name, payload })
  }

  reply(id: number | undefined): void {
    this.emit('message', { kind: 'reply', id, result: { ok: true, data: {} } })
  }

  /** Answers the first call of this name. */
  answer(command: string): void {
    this.reply(this.calls.find((call) => call.command === command)?.id)
  }

  terminate(): Promise<void> {
    this.hasEnded = true
    this.emit('exit', 1)
    return Promise.resolve()
  }
}

const opened: ProjectWorkerClient[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const client of opened.splice(0)) await client.end()
})

function create(limit: number) {
  const workers: FakeThread[] = []
  const calls: string[] = []
  const client = new ProjectWorkerClient({
    start: (events) => {
      const worker = new FakeThread()
      workers.push(worker)
      return connectWorker(projectProtocol, worker, events)
    },
    onSummary: () => undefined,
    onRuns: () => undefined,
    onOverwritten: () => undefined,
    onEdited: () => undefined,
    onRefused: (project, run, file) => calls.push(`refused ${project} ${run} ${file}`),
    onLost: (project) => calls.push(`lost ${project}`),
    onLoaded: (project) => calls.push(`loaded ${project}`),
    log: (message) => calls.push(message),
    limit,
  })
  opened.push(client)
  return { client, workers, calls }
}

describe('the worker that follows projects', () => {
  it('is started in the place of one that comes to no end with a run, and does not read that version again', async () => {
    const { client, workers, calls } = create(50)
    const opening = client.open(1, '/projects/one')
    workers[0]?.notify('reading', { project: 1, run: 'tuning:deep', version: 'v1' })
    await expect.poll(() => workers).toHaveLength(2)
    expect(workers[0]?.hasEnded).toBe(true)
    expect(workers[1]?.calls).toMatchObject([
      {
        command: 'open',
        input: { project: 1, place: '/projects/one', avoid: [{ run: 'tuning:deep', version: 'v1' }] },
      },
    ])
    workers[1]?.notify('refused', { project: 1, run: 'tuning:deep', file: 'state.json' })
    workers[1]?.answer('open')
    await opening
    expect(calls).toEqual([
      'Restarting the project reader: no progress for 0.05 s, at tuning:deep',
      'lost 1',
      'refused 1 tuning:deep state.json',
      'loaded 1',
    ])
  })

  it('has all the time it needs when it says something meanwhile', async () => {
    vi.useFakeTimers()
    const { client, workers } = create(200)
    const opening = client.open(1, '/projects/one')
    for (let run = 0; run < 5; run++) {
      workers[0]?.notify('reading', { project: 1, run: `tuning:${run}`, version: 'v1' })
      await vi.advanceTimersByTimeAsync(150)
    }
    workers[0]?.answer('open')
    await opening
    expect(workers).toHaveLength(1)
  })

  it('opens all projects again when it ended by itself, and counts their revisions from another number', async () => {
    const { client, workers, calls } = create(10_000)
    const both = Promise.all([client.open(1, '/one'), client.open(2, '/two')])
    for (const { id } of workers[0]?.calls ?? []) workers[0]?.reply(id)
    await both
    const asked = client.ask('projects.file', { project: 1, file: 'a', line: 1 })
    workers[0]?.emit('exit', 1)
    await expect(asked).rejects.toMatchObject({ code: 'LOST' })
    await expect.poll(() => workers[1]?.calls.map(({ input }) => input)).toHaveLength(2)
    expect(workers[1]?.calls[0]?.input).toMatchObject({ project: 1, place: '/one', avoid: [] })
    const revisions = workers.map(({ calls }) => (calls[0]?.input as { firstRevision: number }).firstRevision)
    expect(new Set(revisions).size).toBe(2)
    expect(calls.filter((what) => what.startsWith('lost'))).toEqual(['lost 1', 'lost 2'])
  })

  it('does not open again what was closed', async () => {
    const { client, workers, calls } = create(10_000)
    const both = Promise.all([client.open(1, '/one'), client.open(2, '/two')])
    for (const { id } of workers[0]?.calls ?? []) workers[0]?.reply(id)
    await both
    const closing = client.close(1)
    workers[0]?.answer('close')
    await closing
    workers[0]?.emit('exit', 1)
    // The first would be opened before the second.
    const again = () => workers[1]?.calls.map(({ input }) => input)
    await expect.poll(again).toContainEqual(expect.objectContaining({ project: 2 }))
    expect(again()).toHaveLength(1)
    expect(calls.filter((what) => what.startsWith('lost'))).toEqual(['lost 2'])
  })
})
