import { isDeepStrictEqual } from 'node:util'
import type { NamedAddress } from '@shared/c64/labels/names'
import { AppError, toFailure } from '@shared/contract/errors'
import { MAX_SOURCE_CODE, type SourceCode } from '@shared/contract/labels'
import type {
  Binding,
  Checkpoint,
  CheckpointChanges,
  CheckpointLine,
  NewCheckpoint,
} from '@shared/contract/checkpoints'
import { SerialQueue } from '@shared/serialQueue'
import type { CheckpointControl } from '../machine/facets'
import { requireFacet } from '../machine/machine'
import type { MachineManager } from '../machine/manager'
import { followLine } from './followLine'
import type { Labels } from './labels'
import { sourceTextOf } from './sourceText'

interface SourceBuild {
  readonly text: string | null
  readonly code: readonly SourceCode[] | null
}

interface BoundLine {
  readonly at: CheckpointLine
  readonly source: SourceBuild
  readonly unbound: { readonly why: string; readonly enabledAgain: boolean } | null
}

interface Bound {
  readonly label: string | null
  readonly line: BoundLine | null
  readonly start: number
  readonly names: readonly NamedAddress[]
}

interface BoundOptions {
  readonly machines: MachineManager
  readonly labels: Labels
  readonly log: (message: string, error?: unknown) => void
}

const DEADLINE_MS = 5_000

export class BoundCheckpoints {
  readonly #options: BoundOptions
  readonly #bound = new Map<string, Map<number, Bound>>()
  readonly #queue = new SerialQueue()
  trustedRoots: () => readonly string[] = () => []
  onFollowed: (machine: string, before: number, now: Checkpoint) => void = () => undefined

  constructor(options: BoundOptions) {
    this.#options = options
  }

  /** @throws AppError INVALID for a condition or a message that cannot be read, and what the machine refuses */
  set(machine: string, wanted: NewCheckpoint, signal: AbortSignal): Promise<Checkpoint> {
    // Not while others follow: labels that change meanwhile would be missed.
    return this.#queue.run(async () => {
      const control = requireFacet(this.#options.machines.live(machine), 'checkpoints')
      const { line: at, ...rest } = wanted
      const line = at && { at, source: await this.#sourceFor(machine, at, signal), unbound: null }
      return this.#set(control, machine, { ...rest, line }, await this.#namesOf(machine, wanted), signal)
    })
  }

  async #set(
    control: CheckpointControl,
    machine: string,
    { label, line, ...wanted }: Omit<NewCheckpoint, 'line'> & { line: BoundLine | null },
    names: Bound['names'],
    signal: AbortSignal,
  ): Promise<Checkpoint> {
    const checkpoint = await control.set({ ...wanted, names }, signal)
    if (label !== null || line !== null || names.length > 0)
      this.#bind(machine, checkpoint.number, { label, line, start: checkpoint.start, names })
    return checkpoint
  }

  /**
   * It gets another number, and counts anew.
   * @throws AppError NOT_FOUND, INVALID for an unreadable condition or message, and what the machine refuses
   */
  change(machine: string, number: number, changes: CheckpointChanges, signal: AbortSignal): Promise<Checkpoint> {
    return this.#queue.run(async () => {
      const control = requireFacet(this.#options.machines.live(machine), 'checkpoints')
      const before = (await control.list(signal)).find((listed) => listed.number === number)
      if (!before) throw new AppError('NOT_FOUND', `There is no checkpoint ${number}.`)
      const bound = this.#bound.get(machine)?.get(number)
      const { label, line } = bound?.start === before.start ? bound : { label: null, line: null }
      const { number: _, hits: __, ...same } = before
      const stop = changes.log === null && (before.stop || before.log !== null)
      const wanted = { ...same, ...changes, stop, label, line }
      // Set before the old one is deleted, so that none is lost where the machine refuses.
      const changed = await this.#set(control, machine, wanted, await this.#namesOf(machine, wanted), signal)
      await control.delete(number, signal)
      this.#bound.get(machine)?.delete(number)
      return changed
    })
  }

  #bind(machine: string, number: number, to: Bound): void {
    const bound = this.#bound.get(machine) ?? new Map<number, Bound>()
    this.#bound.set(machine, bound.set(number, to))
  }

  async #sourceFor(machine: string, at: CheckpointLine, signal: AbortSignal): Promise<SourceBuild> {
    const now = await this.#present(machine, at, signal)
    const others = [...(this.#bound.get(machine)?.values() ?? [])].flatMap(({ line }) => (line ? [line] : []))
    const same = others.find((other) => sourceKey(other.at) === sourceKey(at) && isDeepStrictEqual(other.source, now))
    return same?.source ?? now
  }

  async #present(machine: string, { debugFile, file }: CheckpointLine, signal: AbortSignal): Promise<SourceBuild> {
    const source = { debugFile, file }
    const asked = { machine, ...source, limit: MAX_SOURCE_CODE }
    const code = await this.#options.labels.ask('sourceCode', machine, asked, signal)
    const text = await sourceTextOf(source, this.trustedRoots(), signal).catch(() => null)
    signal.throwIfAborted()
    return { text, code }
  }

  #presentOnce(machine: string, signal: AbortSignal): (at: CheckpointLine) => Promise<SourceBuild> {
    const sources = new Map<string, Promise<SourceBuild>>()
    return (at) => {
      const key = sourceKey(at)
      const source = sources.get(key) ?? this.#present(machine, at, signal)
      sources.set(key, source)
      return source
    }
  }

  async #namesOf(machine: string, { condition, log }: Pick<Checkpoint, 'condition' | 'log'>): Promise<Bound['names']> {
    if (condition === null && log === null) return []
    return this.#options.labels.ask('expressionNames', machine, { machine, condition, log })
  }

  async #namesNow(machine: string, checkpoint: Checkpoint, before: Bound['names']): Promise<Bound['names']> {
    if (before.length === 0) return before
    try {
      return await this.#namesOf(machine, checkpoint)
    } catch (error) {
      if (toFailure(error).code === 'INVALID') return before
      throw error
    }
  }

  boundTo(machine: string, { number, start }: Checkpoint): Binding {
    const bound = this.#bound.get(machine)?.get(number)
    if (bound?.start !== start) return { label: null, line: null, unbound: null, enabledAgain: null }
    const { label, line } = bound
    const { why: unbound = null, enabledAgain = null } = line?.unbound ?? {}
    return { label, line: line?.at ?? null, unbound, enabledAgain }
  }

  enable(machine: string, number: number, enabled: boolean, signal: AbortSignal): Promise<string | null> {
    return this.#queue.run(async () => {
      const control = requireFacet(this.#options.machines.live(machine), 'checkpoints')
      const bound = this.#bound.get(machine)?.get(number)
      const unbound = bound?.line?.unbound
      if (!unbound || !(await isListed(control, number, bound.start, signal))) {
        await control.enable(number, enabled, signal)
        return null
      }
      const line = { ...bound.line, unbound: { ...unbound, enabledAgain: enabled } }
      this.#bind(machine, number, { ...bound, line })
      return unbound.why
    })
  }

  follow(machine: string): Promise<void> {
    return this.#queue
      .run(() => this.#follow(machine))
      .catch((error: unknown) =>
        this.#options.log(`The checkpoints of ${machine} could not follow their labels and lines`, error),
      )
  }

  async #follow(machine: string): Promise<void> {
    const bound = this.#bound.get(machine)
    if (bound === undefined || bound.size === 0) return
    const { machines, labels } = this.#options
    const signal = AbortSignal.timeout(DEADLINE_MS)
    const control = requireFacet(machines.live(machine), 'checkpoints')
    const listed = await control.list(signal)
    const present = this.#presentOnce(machine, signal)
    for (const [number, before] of [...bound]) {
      const { label, start, names } = before
      const checkpoint = listed.find((other) => other.number === number && other.start === start)
      if (!checkpoint) {
        bound.delete(number)
        continue
      }
      const line = before.line && lineNow(before.line, await present(before.line.at), checkpoint)
      const namesNow = await this.#namesNow(machine, checkpoint, names)
      if (line?.unbound) {
        if (checkpoint.enabled) await control.enable(number, false, signal)
        this.#bind(machine, number, { ...before, line })
        this.onFollowed(machine, number, checkpoint)
        continue
      }
      const atLabel = label === null ? null : await labels.addressOf(machine, label)
      const to = atLabel ?? (line === null ? null : codeStart(line)) ?? start
      const enabled = before.line?.unbound?.enabledAgain ?? checkpoint.enabled
      if (to === start && enabled === checkpoint.enabled && isDeepStrictEqual(namesNow, names)) {
        this.#bind(machine, number, { ...before, line })
        this.onFollowed(machine, number, checkpoint)
        continue
      }
      const { number: _, hits: __, ...wanted } = checkpoint
      // Set before the old one is deleted, so that none is lost where the machine refuses.
      const end = Math.min(0xffff, to + (wanted.end - start))
      const moved = { ...wanted, enabled, label, line, start: to, end }
      const now = await this.#set(control, machine, moved, namesNow, signal)
      this.onFollowed(machine, number, now)
      await control.delete(number, signal)
      bound.delete(number)
    }
  }
}

function lineNow(before: BoundLine, now: SourceBuild, { enabled }: Checkpoint): BoundLine {
  const { source } = before
  // The source alone says nothing yet: addresses change with the debug file.
  if (isDeepStrictEqual(now.code, source.code)) return before
  const enabledAgain = before.unbound?.enabledAgain ?? enabled
  const unbound = (why: string): BoundLine => ({
    ...before,
    source: { text: source.text, code: now.code },
    unbound: { why, enabledAgain },
  })
  const known = source.text !== null && now.text !== null
  const line = known ? followLine(source.text, now.text, before.at.line) : before.at.line
  if (line === null) return unbound(`line ${before.at.line} is gone`)
  const bound = { source: now, at: { ...before.at, line }, unbound: null }
  return codeStart(bound) === null ? unbound(`line ${line} has no code`) : bound
}

const isListed = async (control: CheckpointControl, number: number, start: number, signal: AbortSignal) =>
  (await control.list(signal)).some((listed) => listed.number === number && listed.start === start)

const sourceKey = ({ debugFile, file }: CheckpointLine): string => `${debugFile}\0${file}`

const codeStart = ({ at, source }: BoundLine): number | null =>
  source.code?.find(({ line }) => line === at.line)?.start ?? null
