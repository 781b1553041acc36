import { formatAddress } from '../../c64/address'
import type { FormatProblem } from '../format'
import { wordAt } from './readBytes'

export interface FixedLayout {
  readonly address: number
  /** In bytes, with the load address; the first size is that of new files. */
  readonly sizes: readonly [number, ...number[]]
}

interface FixedFile {
  /** Zeros where the file is too short. */
  readonly part: (from: number, length: number) => Uint8Array
  readonly colour: (at: number) => number
  readonly problems: readonly FormatProblem[]
  readonly notes: readonly FormatProblem[]
  readonly isEmpty: boolean
}

export function fixedFile(file: Uint8Array, { address, sizes }: FixedLayout): FixedFile {
  const found = wordAt(file, 0)
  const problems: FormatProblem[] = []
  const isOther = file.length >= 2 && found !== address
  const text = `The load address is ${formatAddress(found)}, usual is ${formatAddress(address)}; the picture is loaded nonetheless.`
  if (!sizes.includes(file.length))
    problems.push({
      offset: Math.min(file.length, sizes[0]),
      text: `Expected ${sizes.join(' or ')} bytes, found ${file.length}.`,
    })
  return {
    part: (from, length) => {
      const bytes = new Uint8Array(length)
      bytes.set(file.subarray(from, from + length))
      return bytes
    },
    colour: (at) => (file[at] ?? 0) & 0x0f,
    problems,
    notes: isOther ? [{ offset: 0, text }] : [],
    isEmpty: file.length <= 2,
  }
}

export function fixedLikeness(
  file: Uint8Array,
  { address, sizes }: FixedLayout,
  isNamed: boolean,
): 'likely' | 'possible' | 'no' {
  if (sizes.includes(file.length) && wordAt(file, 0) === address) return 'likely'
  return isNamed ? 'possible' : 'no'
}

export function newFixedFile({ address, sizes }: FixedLayout): Uint8Array {
  const file = new Uint8Array(sizes[0])
  file.set([address & 0xff, address >> 8])
  return file
}
