import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { formatRange } from '@shared/c64/address'
import { describeFailure, toFailure } from '@shared/contract/errors'
import {
  newCheckpointSchema,
  type Binding,
  type Checkpoint,
  type CheckpointChanges,
  type NewCheckpoint,
} from '@shared/contract/checkpoints'
import type { MachineState } from '@shared/contract/machine'
import { SerialQueue } from '@shared/serialQueue'
import { storedJson } from '@shared/storedJson'
import { requireFacet } from '../machine/machine'
import type { MachineManager } from '../machine/manager'
import type { NoteStore } from '../storage/notes'
import type { BoundCheckpoints } from './boundCheckpoints'

const MAX_PROGRAMS = 50
const MAX_CHECKPOINTS = 1_000
const MAX_LOST_TEXT = 20_000
const DEADLINE_MS = 20_000

const programPath = z.string().min(1).max(4096).nullable()
const keptSchema = z.strictObject({
  program: programPath,
  programs: z
    .array(z.strictObject({ path: programPath, checkpoints: z.array(newCheckpointSchema).max(MAX_CHECKPOINTS) }))
    .max(MAX_PROGRAMS + 1),
})

interface Kept {
  checkpoint: NewCheckpoint
  number: number | null
}

interface OfMachine {
  readonly queue: SerialQueue
  program: string | null
  readonly programs: Map<string | null, Kept[]>
  isLive: boolean
  /** Until this bridge has set its checkpoints, the machine may have some of another bridge, which tell less. */
  wasPutBack: boolean
}

interface KeptOptions {
  readonly bound: Pick<BoundCheckpoints, 'set' | 'change' | 'enable' | 'boundTo' | 'follow' | 'onFollowed'>
  readonly machines: Pick<MachineManager, 'live'>
  readonly notes: NoteStore
  readonly isPersons: () => boolean
  readonly onChanged: (machine: string, lost: string | null) => void
  readonly log: (message: string, error?: unknown) => void
}

export class KeptCheckpoints {
  readonly #options: KeptOptions
  readonly #machines = new Map<string, OfMachine>()

  constructor(options: KeptOptions) {
    this.#options = options
    options.bound.onFollowed = (machine, before, now) => this.#followed(machine, before, now)
  }

  set(machine: string, checkpoint: NewCheckpoint, signal: AbortSignal): Promise<Checkpoint> {
    const isPersons = this.#options.isPersons()
    return this.#inOrder(machine, async (of) => {
      const set = await this.#options.bound.set(machine, checkpoint, signal)
      if (isPersons) keep(of, { checkpoint, number: set.number })
      return set
    })
  }

  change(machine: string, number: number, changes: CheckpointChanges, signal: AbortSignal): Promise<Checkpoint> {
    const { bound, isPersons } = this.#options
    const becomesPersons = isPersons()
    return this.#inOrder(machine, async (of) => {
      const changed = await bound.change(machine, number, changes, signal)
      const checkpoint = wantedAgain(changed, bound.boundTo(machine, changed))
      const kept = keptOf(of, number)
      if (kept) Object.assign(kept, { checkpoint, number: changed.number })
      else if (becomesPersons) keep(of, { checkpoint, number: changed.number })
      return changed
    })
  }

  enable(machine: string, number: number, enabled: boolean, signal: AbortSignal): Promise<string | null> {
    const isPersons = this.#options.isPersons()
    return this.#inOrder(machine, async (of) => {
      const unbound = await this.#options.bound.enable(machine, number, enabled, signal)
      const kept = keptOf(of, number)
      if (kept && isPersons) kept.checkpoint = { ...kept.checkpoint, enabled }
      return unbound
    })
  }

  delete(machine: string, number: number, signal: AbortSignal): Promise<void> {
    return this.#inOrder(machine, async (of) => {
      await requireFacet(this.#options.machines.live(machine), 'checkpoints').delete(number, signal)
      forget(of, (kept) => kept.number === number)
    })
  }

  boundTo(machine: string, checkpoint: Checkpoint): Binding {
    return this.#options.bound.boundTo(machine, checkpoint)
  }

  follow(machine: string): Promise<void> {
    return this.#options.bound.follow(machine)
  }

  /** To be called before the program runs, once its labels are known. */
  async programLoaded(machine: string, path: string): Promise<void> {
    const of = this.#of(machine)
    if (of.program === path) return
    of.program = path
    const own = of.programs.get(path) ?? []
    of.programs.delete(path)
    of.programs.set(path, own)
    this.#store(machine, of)
    await this.#putBack(machine)
  }

  statesChanged(states: readonly Pick<MachineState, 'machine' | 'connection'>[]): void {
    for (const { machine, connection } of states) {
      if (connection === 'stale' || (connection !== 'live' && !this.#machines.has(machine))) continue
      const of = this.#of(machine)
      const wasLive = of.isLive
      of.isLive = connection === 'live'
      if (of.isLive && !wasLive) void this.#putBack(machine)
    }
  }

  async #inOrder<T>(machine: string, task: (of: OfMachine) => Promise<T>): Promise<T> {
    const of = this.#of(machine)
    const result = await of.queue.run(() => task(of))
    this.#store(machine, of)
    this.#options.onChanged(machine, null)
    return result
  }

  #of(machine: string): OfMachine {
    const known = this.#machines.get(machine)
    if (known) return known
    const stored = storedJson(this.#options.notes.get(noteOf(machine)), keptSchema)
    const programs = (stored?.programs ?? []).map(
      ({ path, checkpoints }) => [path, checkpoints.map((checkpoint) => ({ checkpoint, number: null }))] as const,
    )
    const of: OfMachine = {
      queue: new SerialQueue(),
      program: stored?.program ?? null,
      programs: new Map<string | null, Kept[]>(programs),
      isLive: false,
      wasPutBack: false,
    }
    this.#machines.set(machine, of)
    return of
  }

  #store(machine: string, { program, programs }: OfMachine): void {
    const kept = [...programs].flatMap(([path, checkpoints]) =>
      checkpoints.length === 0 ? [] : [{ path, checkpoints: checkpoints.map(({ checkpoint }) => checkpoint) }],
    )
    const { notes, log } = this.#options
    try {
      if (kept.length === 0 && program === null) notes.delete(noteOf(machine))
      else notes.set(noteOf(machine), JSON.stringify({ program, programs: kept.slice(-MAX_PROGRAMS) }))
    } catch (error) {
      log(`The checkpoints of ${machine} could not be kept`, error)
    }
  }

  async #putBack(machine: string): Promise<void> {
    const of = this.#of(machine)
    const wanted = () => [...new Set([null, of.program])].flatMap((program) => of.programs.get(program) ?? [])
    if (wanted().length === 0) {
      of.wasPutBack = true
      return
    }
    try {
      const lost = await of.queue.run(() => this.#putAllBack(machine, of, wanted()))
      this.#store(machine, of)
      this.#options.onChanged(machine, lost.length === 0 ? null : lost.join('\n').slice(0, MAX_LOST_TEXT))
    } catch (error) {
      this.#options.log(`The checkpoints of ${machine} could not be put back`, error)
    }
  }

  async #putAllBack(machine: string, of: OfMachine, wanted: readonly Kept[]): Promise<string[]> {
    const { bound, machines } = this.#options
    const control = machines.live(machine).checkpoints
    if (control === undefined) return []
    const signal = AbortSignal.timeout(DEADLINE_MS)
    const listed = await control.list(signal)
    const standing = ({ number, checkpoint }: Kept) =>
      listed.find((other) => other.number === number && other.start === checkpoint.start)
    for (const kept of [...of.programs.values()].flat()) if (!standing(kept)) kept.number = null
    const lost: string[] = []
    for (const kept of wanted) {
      const { checkpoint } = kept
      // VICE tells no conditions after a reconnect, and another bridge does not know what is logged and followed.
      const before = standing(kept) ?? (of.wasPutBack ? undefined : listed.find((other) => isAt(other, checkpoint)))
      if (before && before.number === kept.number && before.condition === checkpoint.condition) continue
      try {
        kept.number = (await bound.set(machine, checkpoint, signal)).number
        if (before) await control.delete(before.number, signal)
      } catch (error) {
        const failure = toFailure(error)
        if (failure.code !== 'INVALID' && failure.code !== 'UNSUPPORTED') throw error
        forget(of, (other) => other === kept)
        lost.push(`${describe(checkpoint)}: ${describeFailure(failure)}`)
      }
      if (before) listed.splice(listed.indexOf(before), 1)
    }
    of.wasPutBack = true
    return lost
  }

  #followed(machine: string, before: number, now: Checkpoint): void {
    const of = this.#machines.get(machine)
    const kept = of && keptOf(of, before)
    if (!of || !kept) return
    const { label, line } = this.#options.bound.boundTo(machine, now)
    const { start, end, number } = now
    Object.assign(kept, { number, checkpoint: { ...kept.checkpoint, start, end, label, line } })
    this.#store(machine, of)
  }
}

const noteOf = (machine: string): string => `checkpoints of ${machine}`

function keep(of: OfMachine, kept: Kept): void {
  if (kept.checkpoint.temporary) return
  of.programs.set(of.program, [...(of.programs.get(of.program) ?? []), kept].slice(-MAX_CHECKPOINTS))
}

function forget({ programs }: OfMachine, isOne: (kept: Kept) => boolean): void {
  for (const [program, kept] of programs)
    programs.set(
      program,
      kept.filter((each) => !isOne(each)),
    )
}

const keptOf = ({ programs }: OfMachine, number: number): Kept | undefined =>
  [...programs.values()].flat().find((kept) => kept.number === number)

function wantedAgain({ number: _, hits: __, ...checkpoint }: Checkpoint, binding: Binding): NewCheckpoint {
  const { label, line, enabledAgain } = binding
  return { ...checkpoint, enabled: enabledAgain ?? checkpoint.enabled, label, line }
}

const isAt = (one: Checkpoint, { start, end, operations }: NewCheckpoint): boolean =>
  one.start === start && one.end === end && isDeepStrictEqual([...one.operations].sort(), [...operations].sort())

const describe = ({ start, end, condition }: NewCheckpoint): string =>
  `${formatRange({ start, end: end + 1 })}${condition === null ? '' : ` if ${condition}`}`
