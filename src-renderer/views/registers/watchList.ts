import { z } from 'zod'
import { compileExpression, type Evaluate, type ExpressionMachine } from '@shared/c64/expressions/compileExpression'
import type { Expression, ExpressionBank, ExpressionRegister } from '@shared/c64/expressions/expression'
import { valueFormats } from '@shared/c64/expressions/formatValue'
import {
  MAX_EXPRESSION_LENGTH,
  parseExpression,
  requireCondition,
  type AddressNames,
} from '@shared/c64/expressions/parseExpression'
import { builtInNames } from '@shared/c64/labels/names'
import { AppError } from '@shared/contract/errors'

export const MAX_WATCHES = 50
const MAX_VALUES = 20

/** What happens in the frame in which a watched value is no longer 0. */
export const watchReactions = ['nothing', 'notify', 'pause', 'mark'] as const

const watchSchema = z.strictObject({
  text: z.string().min(1).max(MAX_EXPRESSION_LENGTH),
  format: z.enum(valueFormats),
  reaction: z.enum(watchReactions),
})
export type Watch = z.infer<typeof watchSchema>

/** Accepts any name, as the program that has a label may come later. */
const anyName: AddressNames = { find: (name) => [{ name, address: 0 }] }

export function readWatches(stored: unknown): readonly Watch[] {
  const { data = [] } = z.array(z.unknown()).max(MAX_WATCHES).safeParse(stored)
  return data.flatMap((each) => {
    const { data: watch } = watchSchema.safeParse(each)
    return watch && parseExpression(watch.text, anyName).ok ? [watch] : []
  })
}

/** @throws AppError INVALID for what cannot be read, is watched already, or is one too many */
export function addWatch(
  watches: readonly Watch[],
  typed: string,
  names: AddressNames = builtInNames,
): readonly Watch[] {
  const text = typed.trim()
  requireCondition(text, names)
  if (watches.some((watch) => watch.text === text)) throw new AppError('INVALID', `“${text}” is watched already.`)
  if (watches.length >= MAX_WATCHES)
    throw new AppError('INVALID', `There are ${MAX_WATCHES} watches already.`, { hint: 'Delete one first.' })
  return [...watches, { text, format: 'hex', reaction: 'nothing' }]
}

export interface WatchNeeds {
  readonly registers: readonly ExpressionRegister[]
  readonly banks: readonly ExpressionBank[]
}

function needsOf(expression: Expression): WatchNeeds {
  switch (expression.kind) {
    case 'number':
      return { registers: [], banks: [] }
    case 'register':
      return { registers: [expression.register], banks: [] }
    case 'memory': {
      const { registers, banks } = needsOf(expression.address)
      return { registers, banks: [expression.bank, ...banks] }
    }
    case 'binary': {
      const [left, right] = [needsOf(expression.left), needsOf(expression.right)]
      return { registers: [...left.registers, ...right.registers], banks: [...left.banks, ...right.banks] }
    }
    default:
      return needsOf(expression.of)
  }
}

interface Watched {
  /** Null where a name is not known now. */
  readonly evaluate: Evaluate | null
  readonly problem: string | null
  readonly needs: WatchNeeds
  /** Oldest first, each different from the one before. */
  values: readonly number[]
}

export class WatchedValues {
  readonly #watched = new Map<string, Watched>()
  readonly #names: AddressNames

  constructor(names: AddressNames = builtInNames) {
    this.#names = names
  }

  valuesOf(text: string): readonly number[] {
    return this.#get(text).values
  }

  needsOf(text: string): WatchNeeds {
    return this.#get(text).needs
  }

  problemOf(text: string): string | null {
    return this.#get(text).problem
  }

  /** What was seen before belonged to another machine. */
  forget(): void {
    this.#watched.clear()
  }

  /** @returns the watches whose value was 0 in the frame before and is not now */
  look(
    watches: readonly Watch[],
    machine: ExpressionMachine,
    isKnown: (needs: WatchNeeds) => boolean,
  ): readonly Watch[] {
    return watches.filter(({ text }) => {
      const watched = this.#get(text)
      if (!watched.evaluate || !isKnown(watched.needs)) return false
      const value = watched.evaluate(machine)
      const last = watched.values.at(-1)
      if (value === last) return false
      watched.values = [...watched.values, value].slice(-MAX_VALUES)
      return last === 0
    })
  }

  #get(text: string): Watched {
    const known = this.#watched.get(text)
    if (known) return known
    const parsed = parseExpression(text, this.#names)
    const watched: Watched = parsed.ok
      ? {
          evaluate: compileExpression(parsed.expression),
          problem: null,
          needs: needsOf(parsed.expression),
          values: [],
        }
      : { evaluate: null, problem: parsed.problem.message, needs: { registers: [], banks: [] }, values: [] }
    this.#watched.set(text, watched)
    return watched
  }
}
