import { MAX_LOCATION } from '../banking'

export const frameKinds = ['start', 'call', 'irq', 'nmi', 'brk'] as const
export type FrameKind = (typeof frameKinds)[number]

export interface CallNode {
  /** The index of the calling node; null for the first one and for interrupts. */
  readonly parent: number | null
  readonly kind: FrameKind
  readonly entry: number | null
  readonly from: number | null
  readonly calls: number
  /** Pairs: an address, then the cycles that its instruction took here. */
  readonly cycles: number[]
}

export interface CallTreeBounds {
  readonly nodes: number
  readonly places: number
}

const LOCATIONS = MAX_LOCATION + 1
const BOUNDS: CallTreeBounds = { nodes: 10_000, places: 100_000 }

interface Node extends Omit<CallNode, 'calls' | 'cycles'> {
  calls: number
  readonly cycles: Map<number, number>
  readonly callees: Map<number, number>
}

const nodeOf = (parent: number | null, kind: FrameKind, entry: number | null, from: number | null): Node => ({
  parent,
  kind,
  entry,
  from,
  calls: 0,
  cycles: new Map(),
  callees: new Map(),
})

export class CallTree {
  readonly #bounds: CallTreeBounds
  readonly #nodes: Node[] = [nodeOf(null, 'start', null, null)]
  readonly #open: { readonly node: number; readonly end: number }[] = []
  #present = 0
  #places = 0
  #isCut = false

  constructor(bounds = BOUNDS) {
    this.#bounds = bounds
  }

  /**
   * Whether the limits were reached: later cycles then count for the caller, or for the routine's first instruction.
   */
  get isCut(): boolean {
    return this.#isCut
  }

  /** `sp` is the stack pointer after the instruction. */
  ran(pc: number, cycles: number, sp: number): void {
    this.#add(pc, cycles)
    while (sp >= (this.#open.at(-1)?.end ?? Infinity)) this.#open.pop()
    this.#present = this.#open.at(-1)?.node ?? 0
  }

  /**
   * @param from the calling instruction
   * @param sp the stack pointer before the call
   */
  enter(kind: Exclude<FrameKind, 'start'>, entry: number, from: number, sp: number): void {
    const node = this.#find(kind, entry, from)
    this.#open.push({ node, end: sp })
    this.#present = node
    const entered = this.#nodes[node]
    if (entered?.entry === entry) entered.calls++
  }

  get nodes(): CallNode[] {
    return this.#nodes.map(({ parent, kind, entry, from, calls, cycles }) => ({
      parent,
      kind,
      entry,
      from,
      calls,
      cycles: [...cycles].flat(),
    }))
  }

  #add(pc: number, cycles: number): void {
    const node = this.#nodes[this.#present]
    if (!node) return
    const before = node.cycles.get(pc)
    if (before !== undefined) {
      node.cycles.set(pc, before + cycles)
      return
    }
    if (this.#places < this.#bounds.places) {
      this.#places++
      node.cycles.set(pc, cycles)
      return
    }
    this.#isCut = true
    const place = node.entry ?? pc
    node.cycles.set(place, (node.cycles.get(place) ?? 0) + cycles)
  }

  /** An interrupt is not a call by the routine that it interrupts. */
  #find(kind: FrameKind, entry: number, from: number): number {
    const isCall = kind === 'call'
    const parent = isCall ? this.#present : 0
    const key = isCall ? from * LOCATIONS + entry : -1 - (frameKinds.indexOf(kind) * LOCATIONS + entry)
    const caller = this.#nodes[parent]
    const known = caller?.callees.get(key)
    if (known !== undefined) return known
    if (this.#nodes.length >= this.#bounds.nodes) {
      this.#isCut = true
      return parent
    }
    this.#nodes.push(isCall ? nodeOf(parent, kind, entry, from) : nodeOf(null, kind, entry, null))
    caller?.callees.set(key, this.#nodes.length - 1)
    return this.#nodes.length - 1
  }
}
