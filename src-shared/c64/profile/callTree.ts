/** Where the cycles of a running 6510 go: to an instruction, within the calls that led there. Its addresses are locations (`locationOf`). */
import { MAX_LOCATION } from '../banking'

export const frameKinds = ['start', 'call', 'irq', 'nmi', 'brk'] as const
export type FrameKind = (typeof frameKinds)[number]

/** A routine as it was called from one place, itself called from one, up to where the profile or an interrupt began. */
export interface CallNode {
  /** The index of the node that it was called from; null for the first one and for interrupts. */
  readonly parent: number | null
  readonly kind: FrameKind
  /** Its first instruction; null for what ran when the profile began. */
  readonly entry: number | null
  /** The instruction that called it. */
  readonly from: number | null
  readonly calls: number
  /** Each address with the cycles that its instruction took here, one after the other. */
  readonly cycles: number[]
}

export interface CallTreeBounds {
  readonly nodes: number
  /** Addresses of all nodes together. */
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
  /** The node of each call under way, and the stack pointer at which it has ended. */
  readonly #open: { readonly node: number; readonly end: number }[] = []
  #present = 0
  #places = 0
  #isCut = false

  constructor(bounds = BOUNDS) {
    this.#bounds = bounds
  }

  /** True where the bounds were reached: what came later counts for its caller, or for the routine's first instruction. */
  get isCut(): boolean {
    return this.#isCut
  }

  /** An instruction ran; `sp` is the stack pointer after it. */
  ran(pc: number, cycles: number, sp: number): void {
    this.#add(pc, cycles)
    while (sp >= (this.#open.at(-1)?.end ?? Infinity)) this.#open.pop()
    this.#present = this.#open.at(-1)?.node ?? 0
  }

  /** A routine was entered. @param from the instruction that called it @param sp the stack pointer before it was */
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

  /** An interrupt is no call of what it interrupts. */
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
