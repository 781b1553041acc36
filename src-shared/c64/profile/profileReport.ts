import { formatLocation } from '../banking'
import type { CallNode, FrameKind } from './callTree'

type Interrupt = Exclude<FrameKind, 'start' | 'call'>

export interface ProfileRow {
  readonly name: string
  readonly interrupt: Interrupt | null
  readonly calls: number
  readonly self: number
  readonly total: number
}

export interface ProfileBlock {
  readonly name: string
  readonly cycles: number
  readonly children: readonly ProfileBlock[]
}

export interface ProfileReport {
  readonly rows: readonly ProfileRow[]
  readonly root: ProfileBlock
}

export const MAIN_PROGRAM = 'main program'

const interruptTitles: Readonly<Record<Interrupt, string>> = { irq: 'IRQ', nmi: 'NMI', brk: 'BRK' }

interface Path {
  readonly names: readonly string[]
  readonly interrupt: Interrupt | null
}

export function addressesIn(nodes: readonly CallNode[]): number[] {
  const found = new Set<number>()
  for (const { entry, from, cycles } of nodes) {
    if (entry !== null) found.add(entry)
    if (from !== null) found.add(from)
    for (let at = 0; at < cycles.length; at += 2) found.add(cycles[at] ?? 0)
  }
  return [...found]
}

export function reportProfile(nodes: readonly CallNode[], nameOf: (address: number) => string | null): ProfileReport {
  const labelOf = (address: number): string | null => nameOf(address)?.replace(/\+\d+$/, '') ?? null
  const rows = new Map<string, { -readonly [Key in keyof ProfileRow]: ProfileRow[Key] }>()
  const row = (name: string, interrupt: Interrupt | null) => {
    const key = `${interrupt ?? ''} ${name}`
    const known = rows.get(key) ?? { name, interrupt, calls: 0, self: 0, total: 0 }
    rows.set(key, known)
    return known
  }
  const root = newBlock('all')
  const paths: Path[] = []
  for (const node of nodes) {
    const path = pathOf(node, paths, labelOf)
    paths.push(path)
    const { names, interrupt } = path
    const called = names.at(-1)
    if (called !== undefined) row(called, interrupt).calls += node.calls
    if (interrupt !== null && node.kind === interrupt) row(interruptTitles[interrupt], interrupt).calls += node.calls
    for (let at = 0; at < node.cycles.length; at += 2) {
      const [address = 0, cycles = 0] = node.cycles.slice(at, at + 2)
      const full = withLabel(names, labelOf(address))
      const stack = full.length === 0 ? [MAIN_PROGRAM] : full
      addCycles(root, stack, cycles)
      for (const name of new Set(stack)) row(name, interrupt).total += cycles
      row(stack.at(-1) ?? MAIN_PROGRAM, interrupt).self += cycles
    }
  }
  return {
    rows: [...rows.values()].sort((a, b) => b.self - a.self || b.total - a.total || (a.name < b.name ? -1 : 1)),
    root: finished(root),
  }
}

function pathOf(
  { parent, kind, entry, from }: CallNode,
  paths: readonly Path[],
  labelOf: (address: number) => string | null,
): Path {
  if (entry === null) return { names: [], interrupt: null }
  const name = labelOf(entry) ?? formatLocation(entry)
  if (kind !== 'call' && kind !== 'start') return { names: [interruptTitles[kind], name], interrupt: kind }
  const { names, interrupt } = paths[parent ?? 0] ?? { names: [], interrupt: null }
  const caller = withLabel(names, from === null ? null : labelOf(from))
  return { names: [...(caller.length === 0 ? [MAIN_PROGRAM] : caller), name], interrupt }
}

const withLabel = (names: readonly string[], label: string | null): readonly string[] =>
  label === null || label === names.at(-1) ? names : [...names, label]

interface GrowingBlock {
  readonly name: string
  cycles: number
  readonly children: Map<string, GrowingBlock>
}

const newBlock = (name: string): GrowingBlock => ({ name, cycles: 0, children: new Map() })

function addCycles(root: GrowingBlock, names: readonly string[], cycles: number): void {
  root.cycles += cycles
  let block = root
  for (const name of names) {
    const child = block.children.get(name) ?? newBlock(name)
    block.children.set(name, child)
    child.cycles += cycles
    block = child
  }
}

function finished({ name, cycles, children }: GrowingBlock): ProfileBlock {
  return { name, cycles, children: [...children.values()].map(finished).sort((a, b) => b.cycles - a.cycles) }
}
