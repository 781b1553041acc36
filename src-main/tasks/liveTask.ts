import { setTimeout as wait } from 'node:timers/promises'
import { AppError, toFailure, type ErrorCode } from '@shared/contract/errors'
import type { Task, TaskType } from '@shared/contract/tasks'
import type { Machine } from '../machine/machine'
import type { MachineManager } from '../machine/manager'
import type { RegexMatcher } from '../regex/matcher'
import type { PreparedTask } from './catalogue'
import { endingWith } from './endingWith'
import { readEntry, type EntryChanges, type RecordedTotal } from './entry'
import { MachineWait } from './machineWait'
import { NotNow, type OperationContext, type OperationOutcome } from './operation'
import type { TaskStore } from './store'
import { RunHistory } from './runHistory'
import { RunFiles } from './runFiles'
import { readArtifactWhole, removeArtifact, writeArtifact } from './taskFolder'
import { onStopRequest } from './stopRequest'
import { TaskLog } from './taskLog'
import { TaskRecorder, type TaskRecording } from './taskRecorder'
import { TaskSaver } from './taskSaver'

export interface EngineParts {
  readonly store: TaskStore
  readonly machines: Pick<MachineManager, 'connect' | 'live' | 'managed' | 'subscribe' | 'acquire'>
  readonly regex: Pick<RegexMatcher, 'match'>
  readonly snapshot: OperationContext['snapshot']
  readonly standInRom: OperationContext['standInRom']
  readonly openRecording: (file: string) => Promise<TaskRecording>
  readonly resumeSetting: () => 'ask' | 'always' | 'never'
  readonly onChange: (id: string) => void
  readonly onLog: (part: { id: string; offset: number; text: string; next: number }) => void
  readonly log: (message: string, error?: unknown) => void
}

/** What a run does after this is ignored. */
const STOP_WAIT_MS = 3_000

const RETRY_DELAY_MS = 500

const CONNECT_DEADLINE_MS = 25_000

const stopped = new AppError('CANCELLED', 'The task was stopped.')
const lossCodes: ReadonlySet<ErrorCode> = new Set(['LOST', 'UNREACHABLE', 'NOT_FOUND'])

export class LiveTask {
  readonly id: string
  readonly type: TaskType
  readonly name: string
  readonly machine: string
  readonly #parts: EngineParts
  readonly #prepared: PreparedTask
  readonly #folder: string
  readonly #log: TaskLog
  readonly #intervalMs: number
  readonly #maxIterations: number
  readonly #isResumed: boolean
  readonly #stop = new AbortController()
  #iterations: number
  #missedTicks = 0
  #nothing: string | null = null
  #nextRunAt: number | null = null
  #progress: Task['progress'] = null
  #wasLive = false
  readonly #recorder: TaskRecorder
  readonly #machineWait: MachineWait
  readonly #saver: TaskSaver
  readonly #runs: RunHistory
  readonly #files = new RunFiles()
  #countedTicks = 0
  readonly ended: Promise<void>

  constructor(
    id: string,
    {
      machine,
      prepared,
      isResumed,
      parts,
    }: { machine: string; prepared: PreparedTask; isResumed: boolean; parts: EngineParts },
  ) {
    const { entry, folder } = parts.store.require(id)
    const { type, name, intervalMs, maxIterations, iterations, startedAt } = readEntry(entry)
    if (folder === null) throw new AppError('NOT_FOUND', `${id} has no folder.`)
    this.id = id
    this.type = type
    this.name = name
    this.machine = machine
    this.#parts = parts
    this.#prepared = prepared
    this.#folder = folder
    this.#intervalMs = Math.max(1, intervalMs ?? 1000)
    this.#maxIterations = maxIterations ?? Infinity
    this.#iterations = iterations ?? 0
    this.#isResumed = isResumed
    this.#log = new TaskLog(folder, {
      onText: (part) => parts.onLog({ id, ...part }),
      onError: (error) => parts.log(`The log of ${id} could not be written`, error),
    })
    this.#recorder = new TaskRecorder({
      open: () => parts.openRecording(folder),
      subscribe: (subscription, listener) => parts.machines.subscribe(machine, subscription, listener),
    })
    this.#machineWait = new MachineWait({
      isConnected: () => this.#isConnected(),
      needsPerson: () => prepared.operation.writes || parts.resumeSetting() === 'never',
      limitSeconds: prepared.waitForMachine,
      signal: this.#stop.signal,
      onChange: () => parts.onChange(id),
      say: (line) => this.#log.say(line),
    })
    this.#saver = new TaskSaver({ id, folder, store: parts.store, log: parts.log })
    this.#runs = new RunHistory({
      folder,
      startedAt: startedAt ?? Date.now(),
      say: (line) => this.#log.say(line),
      note: (line) => this.#log.note(line),
    })
    this.ended = this.#live()
  }

  get state(): Pick<Task, 'nextRunAt' | 'missedTicks' | 'progress' | 'recorded' | 'waiting'> & {
    iterations: number
    waitsForPerson: boolean
  } {
    return {
      iterations: this.#iterations,
      nextRunAt: this.#nextRunAt,
      missedTicks: this.#missedTicks,
      progress: this.#progress,
      recorded: this.#recordedTotal,
      waiting: this.#machineWait.reason ?? this.#nothing,
      waitsForPerson: this.#machineWait.waitsForPerson,
    }
  }

  get #recordedTotal(): RecordedTotal | null {
    const { frames, durationMs } = this.#recorder.recorded ?? {}
    return frames === undefined || durationMs === undefined ? null : { frames, durationMs }
  }

  async stop(): Promise<void> {
    this.#stop.abort(stopped)
    await this.ended
  }

  resume(): void {
    this.#machineWait.resume()
  }

  async #live(): Promise<void> {
    const { signal } = this.#stop
    const release = this.#parts.machines.acquire(this.machine)
    const ignoreRequests = onStopRequest(this.#folder, () => this.#stop.abort(stopped))
    try {
      // After the constructor, so that whoever made it already knows it.
      await Promise.resolve()
      if (this.#isResumed) {
        this.#log.say(`resumed after iterations=${this.#iterations}`)
        await this.#runs.resume()
      }
      await (this.type === 'background' ? this.#recur() : this.#runOnce())
      await this.#end('completed', null)
    } catch (error) {
      if (signal.aborted) await this.#end('stopped', null)
      else await this.#end('error', error)
    } finally {
      ignoreRequests()
      release()
    }
  }

  async #runOnce(): Promise<void> {
    for (let failures = 0; ; failures++) {
      try {
        const outcome = await this.#run()
        this.#saver.keep(() => outcome)
        return
      } catch (error) {
        this.#throwUnlessRetried(error, failures)
        await wait(RETRY_DELAY_MS, undefined, { signal: this.#stop.signal })
      }
    }
  }

  /** A late run does not shift those after it, and one that takes too long skips some. */
  async #recur(): Promise<void> {
    let start = performance.now()
    let tick = 0
    let failures = 0
    let lostSince: number | undefined
    while (this.#iterations < this.#maxIterations) {
      await this.#until(start + tick * this.#intervalMs)
      try {
        const outcome = await this.#run()
        for (const path of this.#files.settle(outcome.artifacts)) await removeArtifact(this.#folder, path)
        this.#countRun(outcome)
        failures = 0
        lostSince = undefined
        if (outcome.done === true) return
        this.#saver.schedule(this.#iterations)
      } catch (error) {
        if (this.#isLoss(error)) {
          lostSince ??= performance.now()
          this.#recorder.stopFrames()
          this.#nextRunAt = null
          await this.#machineWait.untilBack(error, lostSince)
          start = performance.now()
          tick = 0
          continue
        }
        this.#throwUnlessRetried(error, failures++)
      }
      const next = Math.max(tick + 1, Math.ceil((performance.now() - start) / this.#intervalMs))
      this.#missedTicks += next - tick - 1
      tick = next
      this.#parts.onChange(this.id)
    }
  }

  /** Never counts a run that came to nothing; the log says so once. */
  #countRun(outcome: OperationOutcome): void {
    const { nothing } = outcome
    if (nothing === undefined) this.#runs.add(++this.#iterations, outcome, this.#newlyMissed())
    else if (nothing !== this.#nothing) this.#log.say(nothing)
    this.#nothing = nothing ?? null
    // Read when it is written: runs that were left out since count too.
    this.#saver.keep(() => this.#runs.resultOf(outcome, this.#iterations, this.#missedTicks - this.#countedTicks))
  }

  #newlyMissed(): number {
    const missed = this.#missedTicks - this.#countedTicks
    this.#countedTicks = this.#missedTicks
    return missed
  }

  async #until(time: number): Promise<void> {
    const { signal } = this.#stop
    const delay = time - performance.now()
    this.#nextRunAt = Date.now() + Math.max(0, delay)
    // Waits in every run, so that stopping and other tasks get their turn when this one is always late.
    await wait(Math.max(0, delay), undefined, { signal })
  }

  /** @throws the error itself when it is not tried again */
  #throwUnlessRetried(error: unknown, failures: number): void {
    const { retries } = this.#prepared
    const { code, message } = toFailure(error)
    if (this.#stop.signal.aborted || failures >= retries || code === 'UNSUPPORTED' || code === 'INVALID') throw error
    this.#log.say(`failed, is tried again (${failures + 1} of ${retries}): ${message}`)
  }

  async #run(): Promise<OperationOutcome> {
    const { machines } = this.#parts
    const lost = new AbortController()
    const signal = AbortSignal.any([this.#stop.signal, lost.signal])
    if (!this.#wasLive)
      await machines.connect(this.machine, AbortSignal.any([signal, AbortSignal.timeout(CONNECT_DEADLINE_MS)]))
    const machine = machines.live(this.machine)
    this.#wasLive = true
    const stopListening = machine.onStatus(() => {
      const { connection, reason } = machine.status
      if (connection === 'lost' || connection === 'idle')
        lost.abort(new AppError('LOST', reason ?? `${machine.status.title} is no longer connected.`))
    })
    const frames: (() => void)[] = []
    try {
      const run = this.#prepared.run(this.#context(machine, signal, frames))
      return await endingWith(run, signal, STOP_WAIT_MS)
    } catch (error) {
      if (lost.signal.aborted) throw lost.signal.reason
      if (this.type === 'background' && error instanceof NotNow) return { summary: {}, nothing: error.message }
      throw error
    } finally {
      stopListening()
      for (const unsubscribe of frames) unsubscribe()
      this.#progress = null
    }
  }

  #context(machine: Machine, signal: AbortSignal, frames: (() => void)[]): OperationContext {
    const { machines, store, regex, snapshot, standInRom, onChange } = this.#parts
    return {
      machine,
      signal,
      task: this.id,
      iteration: this.#iterations + 1,
      recurring: this.type === 'background',
      subscribe: (subscription, listener) => {
        const unsubscribe = machines.subscribe(this.machine, subscription, listener)
        frames.push(unsubscribe)
        return unsubscribe
      },
      artifact: async (path, content) => {
        this.#files.note(path)
        await writeArtifact(this.#folder, path, content)
      },
      readArtifact: async (task, path) => {
        const { folder } = store.require(task)
        if (folder === null) throw new AppError('NOT_FOUND', `The task ${task} has no folder.`)
        return readArtifactWhole(folder, `artifacts/${path}`)
      },
      snapshot,
      standInRom,
      openRecording: () => this.#recorder.open(),
      record: (moment) =>
        this.#recorder.record({ ...moment, machine: this.machine, epoch: machines.managed(this.machine).epoch }),
      recordFrames: (subscription) => this.#recorder.recordFrames(subscription, signal),
      log: (line) => this.#log.note(line),
      progress: (done, total, text = '') => {
        this.#progress = { share: total > 0 ? Math.min(1, Math.max(0, done / total)) : null, text: text.slice(0, 200) }
        onChange(this.id)
      },
      match: (pattern, flags, text) => regex.match(pattern, flags, text),
    }
  }

  #isLoss(error: unknown): boolean {
    // A machine that never came is an error; one that was there before a restart is waited for.
    if (this.#stop.signal.aborted || !(this.#wasLive || this.#isResumed)) return false
    return !this.#isConnected() || toFailure(error).code === 'LOST'
  }

  #isConnected(): boolean {
    try {
      this.#parts.machines.live(this.machine)
      return true
    } catch (error) {
      if (lossCodes.has(toFailure(error).code)) return false
      throw error
    }
  }

  async #end(status: 'completed' | 'stopped' | 'error', error: unknown): Promise<void> {
    const failure = error === null ? null : toFailure(error)
    const parting: Record<typeof status, string> = {
      completed: this.type === 'background' ? `completed iterations=${this.#iterations}` : 'completed',
      stopped: this.type === 'background' ? `stopped iterations=${this.#iterations}` : 'stopped',
      error: `error: ${failure?.message ?? ''}`,
    }
    if (failure?.code === 'INTERNAL') this.#parts.log(`${this.id} failed`, error)
    this.#nextRunAt = null
    this.#machineWait.clear()
    const now = Date.now()
    this.#recorder.stopFrames()
    try {
      await this.#saver.stop()
      await this.#runs.settled()
      await this.#recorder.close()
    } catch (closing) {
      this.#parts.log(`The recording of ${this.id} could not be closed`, closing)
    }
    try {
      if (this.#recorder.recorded) this.#saver.addToSummary({ ...this.#recorder.recorded })
      await this.#saver.writeResult(status, now)
      if (this.#missedTicks > 0)
        this.#log.say(
          `${this.#missedTicks === 1 ? '1 run was' : `${this.#missedTicks} runs were`} skipped because the run before took too long`,
        )
      this.#log.say(parting[status])
      await this.#log.settled()
    } catch (writing) {
      this.#parts.log(`The result of ${this.id} could not be written`, writing)
    }
    const recorded = this.#recordedTotal ?? undefined
    const changes: EntryChanges = { status, updatedAt: now, stoppedAt: now, lastError: failure?.message ?? null }
    await this.#saver.writeEnd(
      this.type === 'background' ? { ...changes, iterations: this.#iterations } : changes,
      recorded,
    )
  }
}
