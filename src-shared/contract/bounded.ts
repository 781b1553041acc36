import { z } from 'zod'
import { MAX_LINE_CHARACTERS } from './fact'

export const cut = (text: string, most = MAX_LINE_CHARACTERS): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text

interface Tally {
  characters: number
  more: number
}
type Bound = (value: unknown, tally: Tally) => unknown

/**
 * Cuts texts and lists to the limits of a schema, drops what it does not name, and turns numbers that JSON lacks into
 * `null`. `characters` bounds all texts together: beyond it each is cut to a line.
 * @param value of the schema's type but for its limits
 */
export function bounded<Value>(
  schema: z.ZodType<Value>,
  value: Value,
  characters = Infinity,
): { value: Value; more: number } {
  const tally = { characters, more: 0 }
  // The result has the shape of its schema, but a type cannot say so for a schema that is only known at run time.
  return { value: boundOf(schema)(value, tally) as Value, more: tally.more }
}

const known = new WeakMap<z.core.$ZodType, Bound>()

function boundOf(schema: z.core.$ZodType): Bound {
  const bound = known.get(schema) ?? makeBound(schema)
  known.set(schema, bound)
  return bound
}

function makeBound(schema: z.core.$ZodType): Bound {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    const inner = boundOf(schema.unwrap())
    return (value, tally) => (value === null || value === undefined ? value : inner(value, tally))
  }
  if (schema instanceof z.ZodReadonly) return boundOf(schema.unwrap())
  if (schema instanceof z.ZodString) {
    const most = schema.maxLength
    return most === null ? asItIs : (value, tally) => (typeof value === 'string' ? cutText(value, most, tally) : value)
  }
  if (schema instanceof z.ZodNumber) return (value) => (Number.isFinite(value) ? value : null)
  if (schema instanceof z.ZodArray) return boundList(boundOf(schema.element), mostOf(schema))
  if (schema instanceof z.ZodObject) return boundObject(schema.shape)
  if (schema instanceof z.ZodDiscriminatedUnion) return boundUnion(schema)
  return asItIs
}

const asItIs: Bound = (value) => value

function cutText(text: string, most: number, tally: Tally): string {
  const limit = tally.characters < 0 ? Math.min(most, MAX_LINE_CHARACTERS) : most
  tally.characters -= Math.min(text.length, limit)
  if (text.length > limit) tally.more++
  return cut(text, limit)
}

function mostOf({ def }: z.ZodArray): number {
  const limits = (def.checks ?? []).flatMap((check) =>
    check instanceof z.core.$ZodCheckMaxLength ? check._zod.def.maximum : [],
  )
  return Math.min(...limits)
}

function boundList(element: Bound, most: number): Bound {
  return (value, tally) => {
    if (!Array.isArray(value)) return value
    tally.more += Math.max(0, value.length - most)
    return value.slice(0, most).map((entry) => element(entry, tally))
  }
}

function boundObject(shape: Readonly<Record<string, z.core.$ZodType>>): Bound {
  const fields = Object.entries(shape).map(([name, schema]) => [name, boundOf(schema)] as const)
  return (value, tally) => {
    const result: Record<string, unknown> = {}
    if (typeof value !== 'object' || value === null) return value
    for (const [name, bound] of fields) {
      const field: unknown = Reflect.get(value, name)
      if (field !== undefined) result[name] = bound(field, tally)
    }
    return result
  }
}

function boundUnion({ def }: z.ZodDiscriminatedUnion): Bound {
  const options = new Map<unknown, Bound>()
  for (const option of def.options) {
    if (!(option instanceof z.ZodObject)) continue
    const tag: unknown = option.shape[def.discriminator]
    const tags = tag instanceof z.ZodLiteral ? tag.values : tag instanceof z.ZodEnum ? tag.options : []
    for (const value of tags) options.set(value, boundOf(option))
  }
  return (value, tally) => {
    const tag: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, def.discriminator) : undefined
    return (options.get(tag) ?? asItIs)(value, tally)
  }
}
