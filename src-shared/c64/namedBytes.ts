import { hasBit } from '../bitmap'
import { formatAddress, formatByte, parseHexValue, type AddressRange } from './address'
import { labelAt, type Places } from './banking'
import type { Runs } from './codeListing'
import { addressingMode, disassemble } from './disassembler'
import { builtInNames, type Names } from './labels/names'
import { fullNameOf } from './labels/programLabel'

type NamedKind = 'byte' | 'word' | 'pointer'

export interface NamedByte {
  readonly address: number
  readonly length: 1 | 2
  readonly kind: NamedKind
  readonly name: string | null
  readonly description: string | null
}

/** Two bytes that the system keeps, but that are no address: line numbers, and the name of a variable. */
const plainWords: ReadonlySet<string> = new Set(['LINNUM', 'CURLIN', 'OLDLIN', 'DATLIN', 'VARNAM'])

export interface Naming {
  readonly names: Names
  readonly places: Places
  readonly pointers: ReadonlySet<number>
}

export function namedBytes({ start, end }: AddressRange, naming: Naming): NamedByte[] {
  const rows: NamedByte[] = []
  for (let address = start; address < end; address += rows.at(-1)?.length ?? 1)
    rows.push(namedByte(address, end - address, naming))
  return rows
}

function namedByte(address: number, room: number, { names, places, pointers }: Naming): NamedByte {
  const own = names.programLabelsAt(address)
  const label = labelAt(places, address, names)
  const builtIn = own.length === 0 ? labelAt(places, address) : undefined
  const isBuiltIn = label !== undefined && label.name === builtIn?.name
  const system = isBuiltIn && isSystemWord(address, label.name)
  const isWord =
    room > 1 &&
    names.programLabelsAt(address + 1).length === 0 &&
    (pointers.has(address) || system || own.some(({ size, kind }) => size === 2 && kind !== 'code'))
  const isPointer = pointers.has(address) || (system && !plainWords.has(label.name))
  return {
    address,
    length: isWord ? 2 : 1,
    kind: !isWord ? 'byte' : isPointer ? 'pointer' : 'word',
    name: own.length > 0 ? own.map(fullNameOf).join(', ') : (label?.name ?? null),
    description: isBuiltIn ? label.description : null,
  }
}

const isSystemWord = (address: number, name: string): boolean =>
  builtInNames.at(address + 1)?.name === `${name}+1` && builtInNames.at(address + 2)?.name !== `${name}+2`

/** Where code that ran takes an address from: `LDA ($FB),Y` and `JMP ($0314)`. */
export function pointersUsed(read: (address: number) => number, runs: Runs): ReadonlySet<number> {
  const found = new Set<number>()
  if (runs === null) return found
  for (let address = 0; address <= 0xffff;) {
    if (!hasBit(runs, address)) {
      address++
      continue
    }
    const mode = addressingMode(read(address))
    const { target, length } = disassemble(read, address)
    if (target !== null && (mode === 'izy' || mode === 'ind')) found.add(target)
    address += length
  }
  return found
}

/** Two bytes have the low byte first. */
export const heldBy = ({ address, length }: NamedByte, read: (address: number) => number): number =>
  length === 1 ? read(address) : read(address) | (read(address + 1) << 8)

export const heldText = ({ length }: NamedByte, held: number): string =>
  length === 1 ? formatByte(held) : formatAddress(held)

export function isNamedLike({ address, name, description }: NamedByte, text: string): boolean {
  const wanted = text.trim().toLowerCase()
  return [name, description, formatAddress(address)].some((part) => part?.toLowerCase().includes(wanted))
}

/**
 * The low byte first.
 * @throws AppError INVALID
 */
export function parseHeld(text: string, { address, length, name }: NamedByte): Uint8Array<ArrayBuffer> {
  const value = parseHexValue(text, { name: name ?? formatAddress(address), bits: 8 * length })
  return length === 1 ? Uint8Array.of(value) : Uint8Array.of(value & 0xff, value >> 8)
}
