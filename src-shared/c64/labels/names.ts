/** The one resolver of names: a program's labels before those that every C64 has. */
import { addressesOf, labelFor, type Label } from '../memoryMap'
import { fullNameOf, type ProgramLabel } from './programLabel'
import type { LabelTable } from './labelTable'

export interface NamedAddress {
  /** In full: `draw.loop`, `CIA1.ICR`. */
  readonly name: string
  readonly address: number
}

export interface Names {
  /** Every address that a name may mean; several where it is not unique. */
  find(name: string): readonly NamedAddress[]
  /** What an address is called: a name, or `name+n`. */
  at(address: number): Label | undefined
  /** What begins at exactly this address in the program. */
  programLabelsAt(address: number): readonly ProgramLabel[]
}

/** What every C64 has: zero page, vectors, the KERNAL's jump table, the chips' registers. */
export const builtInNames: Names = {
  find: (name) => addressesOf(name).map((address) => ({ name: labelFor(address)?.name ?? name, address })),
  at: labelFor,
  programLabelsAt: () => [],
}

/** These names, and those that every C64 has. */
export const findAmong = (named: readonly NamedAddress[]): Pick<Names, 'find'> => ({
  find(name) {
    const found = named.filter((each) => each.name === name)
    return found.length === 0 ? builtInNames.find(name) : found
  },
})

export const namesOf = (table: LabelTable): Names => ({
  find(name) {
    const found = new Map(table.named(name).map((label) => [label.address, fullNameOf(label)]))
    return found.size === 0 ? builtInNames.find(name) : [...found].map(([address, name]) => ({ name, address }))
  },
  at(address) {
    const near = table.near(address)
    // A name of its own says more than the distance from another.
    if (near === undefined || (near.offset > 0 && near.label.size === null)) {
      const builtIn = labelFor(address)
      if (builtIn) return builtIn
    }
    if (near === undefined) return undefined
    const name = fullNameOf(near.label)
    return {
      name: near.offset === 0 ? name : `${name}+${near.offset}`,
      description: descriptions[near.label.kind],
    }
  },
  programLabelsAt: (address) => table.at(address),
})

/** The program's label that a written address or range begins with, and how far behind it that starts: `draw`, `draw+12`. */
export function labelWritten(text: string, start: number, names: Names): string | null {
  const [written = ''] = text.trim().split(/\.\.|[-+]/)
  const found = names.find(written.trim()).find(({ address }) => address <= start)
  const isProgramLabel = found && names.programLabelsAt(found.address).some((label) => fullNameOf(label) === found.name)
  if (!isProgramLabel) return null
  return start === found.address ? found.name : `${found.name}+${start - found.address}`
}

/** Where that is now; null where the label is gone, or not unique. `named`: the addresses of a label's full name. */
export function addressOfWritten(label: string, named: (name: string) => readonly number[]): number | null {
  const [, name = label, distance = '0'] = /^(.+)\+(\d+)$/.exec(label) ?? []
  const [address, ...others] = new Set(named(name))
  if (address === undefined || others.length > 0) return null
  const start = address + Number(distance)
  return start <= 0xffff ? start : null
}

const descriptions = {
  code: 'Code of the program',
  data: 'Data of the program',
  label: 'Label of the program',
  constant: 'Constant of the program',
} as const
