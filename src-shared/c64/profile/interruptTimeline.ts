export interface InterruptSpan {
  readonly kind: 'irq' | 'nmi'
  readonly entry: number
  /** Where the KERNAL's entry jumped by its vector; else the entry. */
  readonly handler: number
  /** Cycles since the first line of the first frame. */
  readonly start: number
  /** Null where it was still running when the last frame ended. */
  readonly end: number | null
  readonly cycles: number
  readonly depth: number
  /** Most cycles since its request; null where that was before the first frame, or the machine does not tell. */
  readonly waited: number | null
}

export const MAX_INTERRUPT_SPANS = 5_000

const KERNAL = 0xe000

interface OpenSpan extends Omit<InterruptSpan, 'handler' | 'end' | 'cycles'> {
  handler: number
  end: number | null
  cycles: number
  readonly sp: number
}

export class InterruptTimeline {
  readonly #spans: OpenSpan[] = []
  readonly #open: OpenSpan[] = []
  #isCut = false

  get isCut(): boolean {
    return this.#isCut
  }

  get isInInterrupt(): boolean {
    return this.#open.length > 0
  }

  get present(): { readonly entry: number; readonly sp: number } | undefined {
    return this.#open.at(-1)
  }

  /** @param sp the stack pointer before the interrupt */
  enter(span: Pick<InterruptSpan, 'kind' | 'entry' | 'start' | 'waited'>, sp: number): void {
    const open = { ...span, handler: span.entry, depth: this.#open.length, end: null, cycles: 0, sp }
    if (this.#spans.length < MAX_INTERRUPT_SPANS) this.#spans.push(open)
    else this.#isCut = true
    this.#open.push(open)
  }

  /**
   * Call after an instruction, or the sequence that takes an interrupt.
   * @param sp the stack pointer after it
   */
  ran(cycles: number, sp: number, now: number): void {
    const present = this.#open.at(-1)
    if (!present) return
    present.cycles += cycles
    for (let ended = this.#open.at(-1); ended && sp >= ended.sp; ended = this.#open.at(-1)) {
      ended.end = now
      this.#open.pop()
    }
  }

  jumped(from: number, to: number): void {
    const present = this.#open.at(-1)
    if (present && (from & 0xffff) >= KERNAL && present.handler === present.entry) present.handler = to
  }

  get spans(): InterruptSpan[] {
    return this.#spans.map(({ kind, entry, handler, start, end, cycles, depth, waited }) => ({
      kind,
      entry,
      handler,
      start,
      end,
      cycles,
      depth,
      waited,
    }))
  }
}

export interface InterruptShare {
  readonly kind: InterruptSpan['kind']
  readonly handler: number
  readonly count: number
  readonly cycles: number
  readonly maxWaited: number | null
}

export function interruptShares(spans: readonly InterruptSpan[]): InterruptShare[] {
  const shares = new Map<string, InterruptShare>()
  for (const { kind, handler, cycles, waited } of spans) {
    const key = `${kind} ${handler}`
    const known = shares.get(key) ?? { kind, handler, count: 0, cycles: 0, maxWaited: null }
    const maxWaited = waited === null ? known.maxWaited : Math.max(waited, known.maxWaited ?? 0)
    shares.set(key, { ...known, count: known.count + 1, cycles: known.cycles + cycles, maxWaited })
  }
  return [...shares.values()].sort((a, b) => b.cycles - a.cycles)
}
