import { addressesOf, labelFor, type Label } from '../memoryMap'
import { fullNameOf, type ProgramLabel } from './programLabel'
import type { LabelTable } from './labelTable'

export interface NamedAddress {
  readonly name: string
  readonly address: number
}

export interface Names {
  find(name: string): readonly NamedAddress[]
  at(address: number): Label | undefined
  programLabelsAt(address: number): readonly ProgramLabel[]
}

export const builtInNames: Names = {
  find: (name) => addressesOf(name).map((address) => ({ name: labelFor(address)?.name ?? name, address })),
  at: labelFor,
  programLabelsAt: () => [],
}

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

export function labelWritten(text: string, start: number, names: Names): string | null {
  const [written = ''] = text.trim().split(/\.\.|[-+]/)
  const found = names.find(written.trim()).find(({ address }) => address <= start)
  const isProgramLabel = found && names.programLabelsAt(found.address).some((label) => fullNameOf(label) === found.name)
  if (!isProgramLabel) return null
  return start === found.address ? found.name : `${found.name}+${start - found.address}`
}

/**
 * Null where the label is gone or not unique.
 * @param named the addresses of a label's full name
 */
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
