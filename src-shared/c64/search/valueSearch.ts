/**
 * Finds where a running program keeps a value: from all of memory, each step keeps what changed, grew, fell or equals a
 * number.
 */
import { AppError } from '../../contract/errors'

/** One byte, or two with the low byte first. */
export type ValueSize = 1 | 2

const comparisons = {
  '=': (now, wanted) => now === wanted,
  '==': (now, wanted) => now === wanted,
  '!=': (now, wanted) => now !== wanted,
  '<': (now, wanted) => now < wanted,
  '>': (now, wanted) => now > wanted,
} as const satisfies Record<string, (now: number, wanted: number) => boolean>

const changes = {
  changed: (now, before, by) => (by === null ? now !== before : Math.abs(now - before) === by),
  unchanged: (now, before) => now === before,
  up: (now, before, by) => (by === null ? now > before : now - before === by),
  down: (now, before, by) => (by === null ? now < before : before - now === by),
} as const satisfies Record<string, (now: number, before: number, by: number | null) => boolean>

export type ValueCondition = (now: number, before: number) => boolean

const hint = 'Write = 3, != 3, < 10, > 10, changed, unchanged, up, down, up 1, down 2 or changed 1.'

export function parseValueCondition(text: string, size: ValueSize): ValueCondition {
  const [, word = '', number] = /^\s*(==?|!=|<|>|[a-z]+)\s*(?:by\s+)?(\$[0-9a-f]{1,4}|\d{1,5})?\s*$/i.exec(text) ?? []
  const name = word.toLowerCase()
  const amount = number === undefined ? null : parseAmount(number)
  if (amount !== null && amount >= 2 ** (8 * size))
    throw new AppError('INVALID', `${number ?? ''} does not fit in ${size === 1 ? 'a byte' : 'two bytes'}.`, { hint })
  if (isKeyOf(comparisons, name) && amount !== null) {
    const compare = comparisons[name]
    return (now) => compare(now, amount)
  }
  if (isKeyOf(changes, name) && !(name === 'unchanged' && amount !== null)) {
    const compare = changes[name]
    return (now, before) => compare(now, before, amount)
  }
  throw new AppError('INVALID', `“${text.trim().slice(0, 40)}” is no condition.`, { hint })
}

const isKeyOf = <Table extends object>(table: Table, name: string): name is keyof Table & string =>
  Object.hasOwn(table, name)

const parseAmount = (number: string): number =>
  number.startsWith('$') ? Number.parseInt(number.slice(1), 16) : Number(number)

export interface ValueStep {
  /** As typed; null for the first step, which keeps everything. */
  readonly condition: string | null
  readonly image: Uint8Array
  readonly candidates: Uint16Array
}

export const firstStep = (image: Uint8Array, size: ValueSize): ValueStep => ({
  condition: null,
  image,
  candidates: Uint16Array.from({ length: 0x10000 - size + 1 }, (_, address) => address),
})

export function nextStep(last: ValueStep, image: Uint8Array, condition: string, size: ValueSize): ValueStep {
  const isKept = parseValueCondition(condition, size)
  const candidates = last.candidates.filter((address) =>
    isKept(valueAt(image, address, size), valueAt(last.image, address, size)),
  )
  return { condition, image, candidates }
}

export const valueAt = (image: Uint8Array, address: number, size: ValueSize): number =>
  (image[address] ?? 0) | (size === 2 ? (image[address + 1] ?? 0) << 8 : 0)

export const bytesOfValue = (value: number, size: ValueSize): Uint8Array<ArrayBuffer> =>
  size === 1 ? Uint8Array.of(value) : Uint8Array.of(value & 0xff, value >> 8)
