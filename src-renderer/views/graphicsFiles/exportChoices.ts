import { z } from 'zod'
import { parseTypedAddress, formatAddress } from '@shared/c64/address'
import type { Names } from '@shared/c64/labels/names'
import { palettes, type PaletteName } from '@shared/c64/palettes'
import { toFailure } from '@shared/contract/errors'
import type { Artwork } from '@shared/graphics/artwork'
import { chosenOptions, exportOptions, type ChosenOption, type OptionDescription } from '@shared/graphics/exportOptions'
import type { ExportOptions, GraphicsFormat } from '@shared/graphics/format'
import { refusalOf } from '@shared/graphics/graphicsFile'
import { memoized } from '../../client/viewState'
import type { FieldDescription } from '../../widgets/form/fields'

const storedSchema = z
  .object({
    formats: z.record(z.string(), z.string().max(50)).catch({}),
    values: z.record(z.string(), z.string().max(100)).catch({}),
  })
  .catch({ formats: {}, values: {} })
export type ExportChoices = z.infer<typeof storedSchema>

export const EXPORT_CHOICES = 'graphics.export'
export const readExportChoices = memoized((stored: unknown): ExportChoices => storedSchema.parse(stored ?? {}))

export const AS_SHOWN = 'shown'

const descriptions: Readonly<Record<ChosenOption, OptionDescription>> = exportOptions

export const kindOf = (artworks: readonly Artwork[]): string => {
  const [kind = '', ...others] = new Set(artworks.map((artwork) => artwork.kind))
  return others.length === 0 ? kind : 'mixed'
}

export function formatsFor(formats: readonly GraphicsFormat[], artworks: readonly Artwork[]): GraphicsFormat[] {
  const writing = formats.filter(({ write }) => write)
  const fits = (format: GraphicsFormat) => refusalOf(format, artworks) === null
  return [...writing.filter(fits), ...writing.filter((format) => !fits(format))]
}

function usualText(option: ChosenOption): string {
  const description = descriptions[option]
  switch (description.kind) {
    case 'text':
      return ''
    case 'flag':
      return String(description.usual)
    case 'number':
      return String(description.usual)
    case 'address':
      return formatAddress(description.usual)
    case 'choice':
      return option === 'palette' ? AS_SHOWN : description.usual
  }
}

export const textOfOption = (option: ChosenOption, values: ExportChoices['values']): string =>
  values[option] ?? usualText(option)

export function fieldsOf({ options }: Pick<GraphicsFormat, 'options'>, name: string): FieldDescription[] {
  return chosenOptions(options).map((option): FieldDescription => {
    const description = descriptions[option]
    const { label, help } = description
    switch (description.kind) {
      case 'text':
        return { kind: 'text', name: option, label, help, maxLength: 100, placeholder: name }
      case 'flag':
        return { kind: 'checkbox', name: option, label, help }
      case 'number':
        return {
          kind: 'number',
          name: option,
          label,
          help,
          minimum: description.min,
          maximum: description.max,
          step: 1,
        }
      case 'address':
        return { kind: 'text', name: option, label, help, isData: true, maxLength: 100 }
      case 'choice': {
        const values =
          option === 'palette' ? { [AS_SHOWN]: 'As in the window', ...description.values } : description.values
        return {
          kind: 'select',
          name: option,
          label,
          help,
          options: Object.entries(values).map(([value, title]) => ({ value, label: title })),
        }
      }
    }
  })
}

export interface ExportSurroundings {
  readonly name: string
  readonly shownPalette: readonly number[]
  readonly romCharacters: Uint8Array
  readonly names: Names
}

export interface ReadOptions {
  readonly options: ExportOptions
  readonly problems: Readonly<Partial<Record<ChosenOption, string>>>
}

/** Uses the usual value where the typed one is wrong. */
export function optionsOf(
  { options: heeded }: Pick<GraphicsFormat, 'options'>,
  values: ExportChoices['values'],
  { name, shownPalette, romCharacters, names }: ExportSurroundings,
): ReadOptions {
  const problems: Partial<Record<ChosenOption, string>> = {}
  const number = (option: NumberOption): number => {
    const read = heeded.includes(option) ? readNumber(option, textOfOption(option, values), names) : null
    if (typeof read === 'number') return read
    if (read !== null) problems[option] = read
    return exportOptions[option].usual
  }
  const palette = textOfOption('palette', values)
  const options: ExportOptions = {
    name: textOfOption('name', values).trim() || name,
    romCharacters,
    numbers: oneOf(textOfOption('numbers', values), ['hex', 'binary', 'decimal']),
    palette: isPaletteName(palette) ? palettes[palette] : shownPalette,
    scale: number('scale'),
    columns: number('columns'),
    address: number('address'),
    frameMs: number('frameMs'),
    animation: number('animation'),
    isTransparent: textOfOption('isTransparent', values) === 'true',
    aspect: oneOf(textOfOption('aspect', values), ['square', 'pal', 'ntsc']),
  }
  return { options, problems }
}

export const isPaletteName = (name: string): name is PaletteName => Object.hasOwn(palettes, name)

const oneOf = <Value extends string>(value: string, [first, ...others]: readonly [Value, ...Value[]]): Value =>
  others.find((other) => other === value) ?? first

type NumberOption = 'scale' | 'columns' | 'frameMs' | 'animation' | 'address'

function readNumber(option: NumberOption, text: string, names: Names): number | string {
  const { kind, label, min, max } = exportOptions[option]
  if (kind === 'address') {
    try {
      return parseTypedAddress(text, names)
    } catch (error) {
      return toFailure(error).message
    }
  }
  const value = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isInteger(value) && value >= min && value <= max
    ? value
    : `${label}: a whole number from ${min} to ${max}.`
}
