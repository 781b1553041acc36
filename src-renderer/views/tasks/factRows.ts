import { counted } from '@shared/countedText'
import { isTime, wordsOf } from './argumentForm'

interface FactRow {
  /** The names of its groups, then its own: `Summary › Screen`. */
  readonly label: string
  readonly text: string
}

const MAX_ROWS = 200
const LINE_ITEMS = 16

interface Facts {
  readonly rows: readonly FactRow[]
  readonly more: number
}

export function factsOf(value: unknown): Facts {
  const rows = [...rowsOf([], '', value)]
  return { rows: rows.slice(0, MAX_ROWS), more: Math.max(0, rows.length - MAX_ROWS) }
}

export function factsOfResult(value: unknown): Facts {
  if (!isObject(value) || !isObject(value['summary'])) return factsOf(value)
  const { summary, artifacts } = value
  return factsOf({ ...summary, ...(artifacts === undefined ? {} : { artifacts }) })
}

function* rowsOf(groups: readonly string[], name: string, value: unknown): Generator<FactRow> {
  if (isObject(value)) {
    for (const [key, one] of Object.entries(value))
      yield* rowsOf(name === '' ? groups : [...groups, titleOf(name)], key, one)
    return
  }
  if (Array.isArray(value) && value.some((item) => isObject(item) || Array.isArray(item))) {
    for (const [index, item] of value.entries()) yield* rowsOf(groups, `${name} ${index + 1}`, item)
    return
  }
  yield { label: [...groups, titleOf(name)].join(' › '), text: textOf(name, value) }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const titleOf = (name: string): string => (/^(?:0x|\$)[0-9a-f]/i.test(name) ? addressText(name) : wordsOf(name))

function textOf(name: string, value: unknown): string {
  if (Array.isArray(value)) return listText(value.map((item) => textOf(name, item)))
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return numberText(name, value)
  if (typeof value !== 'string') return '–'
  if (value !== '' && /^(?:[0-9a-f]{2})+$/.test(value) && /bytes|value|^0x|^\$/i.test(name)) return bytesText(value)
  return addressText(value)
}

const listText = (items: readonly string[]): string =>
  items.length === 0
    ? 'none'
    : items.join(items.length > LINE_ITEMS || items.some((item) => item.length > 24) ? '\n' : ', ')

const addressText = (text: string): string =>
  text.replace(/\b0x([0-9A-Fa-f]{4})\b/g, (_, digits: string) => `$${digits.toUpperCase()}`)

const bytesText = (hex: string): string =>
  `${(hex.match(/../g) ?? []).join(' ').toUpperCase()} (${counted(hex.length / 2, 'byte')})`

function numberText(name: string, value: number): string {
  const number = value.toLocaleString('en', { maximumFractionDigits: 3 })
  if (isTime(name))
    return value < 1_000 ? `${number} ms` : `${(value / 1_000).toLocaleString('en', { maximumFractionDigits: 3 })} s`
  if (/^(?:bytes|length|written|size)$|Bytes$/.test(name)) return `${number} ${value === 1 ? 'byte' : 'bytes'}`
  if (name === 'rate') return `${number} a second`
  if (/percent$/i.test(name)) return `${number} %`
  return number
}
