/** Scalars come as written, so that `bytes: 05` and `type: 10` keep their digits. */
import { z } from 'zod'

type Shape = Readonly<Record<string, z.ZodType>>

const expected = (what: string) => ({ error: what })

export const words = (what: string, max = 1_000) => z.string(expected(what)).min(1, what).max(max, what)

export const oneOrMore = <Item extends z.ZodType>(item: Item, max: number) =>
  z
    .union([z.array(item).min(1, 'at least one').max(max, `at most ${max}`), item.transform((only) => [only])])
    .transform((list): z.output<Item>[] => list)

interface Bounds {
  readonly min: number
  readonly max: number
}

const readWhole = (text: string): number => {
  const [, hex, binary] = /^(?:(?:\$|0x)([0-9a-f]{1,8})|%([01]{1,32}))$/i.exec(text) ?? []
  if (hex !== undefined) return Number.parseInt(hex, 16)
  if (binary !== undefined) return Number.parseInt(binary, 2)
  return /^\d{1,12}$/.test(text) ? Number(text) : NaN
}

/** Decimal, `$1f`, `0x1f` or `%101`. */
export const whole = ({ min, max }: Bounds, what = `a whole number from ${min} to ${max}`) =>
  numeric(readWhole, { min, max }, what)

export const decimal = ({ min, max }: Bounds) =>
  numeric(
    (text) => (/^\d{1,12}(\.\d{1,6})?$/.test(text) ? Number(text) : NaN),
    { min, max },
    `a number from ${min} to ${max}`,
  )

const numeric = (read: (text: string) => number, { min, max }: Bounds, what: string) =>
  z.string(expected(what)).transform((text, context) => {
    const value = read(text.trim())
    if (value >= min && value <= max) return value
    context.addIssue({ code: 'custom', message: what })
    return z.NEVER
  })

export const yes = z.enum(['true'], expected('true')).transform(() => true)

export const oneOf = <Name extends string>(names: readonly Name[]) =>
  z.enum(names, expected(`one of ${names.join(', ')}`))

/** Hex bytes, `??` for any byte. */
export const hexPattern = z
  .string(expected('bytes in hexadecimal, such as a9 05 ??'))
  .max(20_000, 'at most 20,000 characters of bytes')
  .transform((text, context) => {
    const digits = text.replaceAll(/\$|0x|[\s,]/gi, '')
    if (/^(?:[0-9a-f]{2}|\?\?)+$/i.test(digits))
      return (digits.match(/../g) ?? []).map((pair) => (pair === '??' ? null : Number.parseInt(pair, 16)))
    context.addIssue({
      code: 'custom',
      message: 'bytes in hexadecimal, two digits each and ?? for any, such as a9 05 ??',
    })
    return z.NEVER
  })

const keysOf = (shape: object): string[] => Object.keys(shape)

export const fields = <Fields extends Shape>(shape: Fields) =>
  z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? listed(keysOf(shape)) : `a map with ${listed(keysOf(shape))}`),
  })

export const oneKeyOf = <Fields extends Shape>(shape: Fields, along: readonly string[] = []) =>
  fields(shape).superRefine((given, context) => {
    const choices = keysOf(shape).filter((key) => !along.includes(key))
    const found = choices.filter((key) => Object.hasOwn(given, key))
    if (found.length === 1) return
    const message =
      found.length === 0
        ? `one of ${choices.join(', ')}`
        : `one of ${found.join(', ')} in each entry: split it into ${found.length}`
    context.addIssue({ code: 'custom', message })
  })

const listed = (names: readonly string[]): string => names.join(', ')
