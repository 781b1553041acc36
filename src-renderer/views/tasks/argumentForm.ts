/** Builds an operation's form from the JSON Schema of its arguments, and the arguments from what is typed. */
import { z } from 'zod'
import { parseAddress, parseTypedAddress } from '@shared/c64/address'
import { builtInNames, type Names } from '@shared/c64/labels/names'
import { respell, respellAddress, understood, understoodAddress } from '../../widgets/typedAddress'

const propertySchema = z.object({
  title: z.string().optional(),
  description: z.string().default(''),
  type: z.enum(['string', 'integer', 'number', 'boolean', 'array']),
  format: z.string().optional(),
  enum: z.array(z.string()).optional(),
  items: z.object({ enum: z.array(z.string()).optional() }).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  default: z.json().optional(),
})
const schemaSchema = z.object({
  properties: z.record(z.string(), propertySchema).default({}),
  required: z.array(z.string()).default([]),
})

type FieldKind = 'file' | 'text' | 'lines' | 'number' | 'flag' | 'choice' | 'choices'

export interface ArgumentField {
  readonly name: string
  readonly label: string
  readonly description: string
  readonly kind: FieldKind
  readonly required: boolean
  readonly options: readonly string[]
  /** Its text when nothing is typed; `true` or `false` for a flag. */
  readonly fallback: string
  /** Factor from the typed to the sent value: times are typed in seconds and sent in ms. */
  readonly scale: number
  /** As the schema says: `address`, `bytes`, `ranges`, `path`. */
  readonly format: string | null
}

/** Typed text by field; fields that are missing have their default. */
export type ArgumentDraft = Readonly<Record<string, string>>

/** Required fields first. Empty for a schema that is not understood. */
export function argumentFieldsOf(schema: unknown): ArgumentField[] {
  const { data } = schemaSchema.safeParse(schema)
  if (!data) return []
  const fields = Object.entries(data.properties).map(([name, property]): ArgumentField => {
    const options = property.enum ?? property.items?.enum ?? []
    const scale = isTime(name) ? 1000 : 1
    return {
      name,
      label: property.title ?? labelOf(name),
      description: property.description,
      kind: kindOf(property),
      required: data.required.includes(name),
      options,
      fallback: textOf(scaled(property.default, 1 / scale)),
      scale,
      format: property.format ?? null,
    }
  })
  return [...fields.filter(({ required }) => required), ...fields.filter(({ required }) => !required)]
}

export const isTime = (argument: string): boolean => argument.endsWith('Ms')

/** `durationMs` is “Duration”. */
export function wordsOf(name: string): string {
  const words = name
    .replace(/Ms$/, '')
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return words.replace(/^./, (first) => first.toUpperCase())
}

const labelOf = (argument: string): string => `${wordsOf(argument)}${isTime(argument) ? ' (s)' : ''}`

/** Times have whole milliseconds. */
function scaled(value: unknown, scale: number): unknown {
  if (typeof value !== 'number' || scale === 1) return value
  return scale > 1 ? Math.round(value * scale) : value * scale
}

function kindOf({ type, format, enum: options, items }: z.infer<typeof propertySchema>): FieldKind {
  if (options) return 'choice'
  if (type === 'array') return items?.enum ? 'choices' : 'text'
  if (type === 'boolean') return 'flag'
  if (format === 'path') return 'file'
  if (type === 'string') return format === 'multiline' ? 'lines' : 'text'
  return 'number'
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export const draftOf = (fields: readonly ArgumentField[], args: Readonly<Record<string, unknown>>): ArgumentDraft =>
  Object.fromEntries(
    fields.flatMap((field) => (field.name in args ? [[field.name, typedOf(field, args[field.name])]] : [])),
  )

const isPlace = ({ format }: ArgumentField): boolean => format === 'address' || format === 'ranges'

/** Digits alone are decimal in a task and hexadecimal in the window. */
function typedOf(field: ArgumentField, value: unknown): string {
  const text = textOf(scaled(value, 1 / field.scale))
  if (!isPlace(field)) return text
  const spell = field.format === 'ranges' ? respell : respellAddress
  return itemsOf(text)
    .map((place) => spell(place, parseAddress, parseTypedAddress))
    .join(', ')
}

export const understoodIn = (field: ArgumentField, typed: string, names: Names = builtInNames): string =>
  !isPlace(field) ? '' : field.format === 'ranges' ? understood(itemsOf(typed), names) : understoodAddress(typed, names)

const itemsOf = (text: string): string[] => text.split(/[,;\s]+/).filter(Boolean)

/**
 * Only the arguments that were typed and differ from the default.
 * @param names that addresses may be written as; a task gets the addresses, as it does not know the names
 */
export function argumentsOf(
  fields: readonly ArgumentField[],
  draft: ArgumentDraft,
  names: Names = builtInNames,
): Record<string, string | number | boolean | string[]> {
  const given = fields.flatMap((field): [string, string | number | boolean | string[]][] => {
    const text = draft[field.name]
    if (text === undefined || text === field.fallback || (text.trim() === '' && field.kind !== 'lines')) return []
    switch (field.kind) {
      // Chosen by a dialog, never sent as text.
      case 'file':
        return []
      case 'flag':
        return [[field.name, text === 'true']]
      case 'choices':
        return [[field.name, itemsOf(text)]]
      case 'number':
        // What is not a number is sent as it is, and the operation says what it takes.
        return [[field.name, Number.isNaN(Number(text)) ? text : numberOf(field, text)]]
      case 'text':
        return [[field.name, sentOf(field, text, names)]]
      case 'lines':
      case 'choice':
        return [[field.name, text]]
    }
  })
  return Object.fromEntries(given)
}

function numberOf({ scale }: ArgumentField, text: string): number {
  const number = Number(text)
  return scale === 1 ? number : Math.round(number * scale)
}

function sentOf(field: ArgumentField, text: string, names: Names): string | string[] {
  if (!isPlace(field)) return text.trim()
  const spell = field.format === 'ranges' ? respell : respellAddress
  const places = itemsOf(text).map((place) => spell(place, parseTypedAddress, parseAddress, names))
  return field.format === 'ranges' ? places : places.join(' ')
}

export const missingIn = (fields: readonly ArgumentField[], draft: ArgumentDraft): ArgumentField[] =>
  fields.filter(({ name, required, fallback }) => required && (draft[name] ?? fallback).trim() === '')
