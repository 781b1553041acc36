import { fullNameOf, type ProgramLabel } from './programLabel'

/** How far behind a label of unknown size an address is still named after it: `draw+5`. */
const MAX_OFFSET = 256
/** Labels below are variables, and what follows one does not belong to it. */
const FIRST_WITH_OFFSET = 0x0200

export interface NearLabel {
  readonly label: ProgramLabel
  readonly offset: number
}

export class LabelTable {
  readonly #byAddress: readonly ProgramLabel[]
  readonly #byName = new Map<string, ProgramLabel[]>()
  readonly all: readonly ProgramLabel[]

  constructor(labels: readonly ProgramLabel[]) {
    const unique = new Map<string, ProgramLabel>()
    // One file may give the scope of a label that another file gives by name alone.
    const scoped = new Set(labels.flatMap((label) => (label.scope === null ? [] : [`${label.address} ${label.name}`])))
    for (const label of labels) {
      if (label.scope === null && scoped.has(`${label.address} ${label.name}`)) continue
      const key = `${label.address} ${fullNameOf(label)}`
      const known = unique.get(key)
      if (known === undefined || detail(label) > detail(known)) unique.set(key, label)
    }
    // A collator would take ten times as long.
    this.all = [...unique.values()]
      .map((label) => ({ label, key: label.name.toLowerCase() }))
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.label.address - b.label.address))
      .map(({ label }) => label)
    for (const label of this.all) {
      this.#enter(label.name, label)
      if (label.scope !== null) this.#enter(fullNameOf(label), label)
    }
    this.#byAddress = this.all
      .filter(({ kind }) => kind !== 'constant')
      .sort((a, b) => a.address - b.address || detail(b) - detail(a))
  }

  #enter(name: string, label: ProgramLabel): void {
    const key = name.toLowerCase()
    const known = this.#byName.get(key)
    if (known) known.push(label)
    else this.#byName.set(key, [label])
  }

  /**
   * The labels with this name, or `scope.name`: as written, else in any case, else with the `_` that C compilers put
   * before it.
   */
  named(text: string): readonly ProgramLabel[] {
    const name = text.trim()
    const found = this.#byName.get(name.toLowerCase()) ?? []
    const exact = found.filter((label) => label.name === name || fullNameOf(label) === name)
    if (exact.length > 0) return exact
    return found.length > 0 ? found : (this.#byName.get(`_${name.toLowerCase()}`) ?? [])
  }

  at(address: number): readonly ProgramLabel[] {
    const last = this.#lastUpTo(address)
    let first = last
    while (first >= 0 && this.#byAddress[first]?.address === address) first--
    return this.#byAddress.slice(first + 1, last + 1)
  }

  near(address: number): NearLabel | undefined {
    const [exact] = this.at(address)
    if (exact) return { label: exact, offset: 0 }
    const before = this.#byAddress[this.#lastUpTo(address)]
    const [label] = before ? this.at(before.address) : []
    if (!label) return undefined
    const offset = address - label.address
    const reach = label.size ?? (label.address < FIRST_WITH_OFFSET ? 1 : MAX_OFFSET)
    return offset < reach ? { label, offset } : undefined
  }

  search(text: string, limit: number): readonly ProgramLabel[] {
    const wanted = text.trim().toLowerCase()
    if (wanted === '') return this.all.slice(0, limit)
    const begin: ProgramLabel[] = []
    const within: ProgramLabel[] = []
    for (const label of this.all) {
      const name = label.name.toLowerCase()
      if (name.startsWith(wanted)) begin.push(label)
      else if (within.length < limit && fullNameOf(label).toLowerCase().includes(wanted)) within.push(label)
      if (begin.length >= limit) break
    }
    return [...begin, ...within].slice(0, limit)
  }

  #lastUpTo(address: number): number {
    let low = 0
    let high = this.#byAddress.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#byAddress[middle]?.address ?? 0) <= address) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}

/** Of labels at one address the more detailed is shown: a routine before its first local label. */
const detail = ({ size, scope, kind }: ProgramLabel): number =>
  (scope === null ? 4 : 0) + (size === null ? 0 : 2) + (kind === 'label' ? 0 : 1)
