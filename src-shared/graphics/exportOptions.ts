import { paletteNames, paletteTitles } from '../c64/palettes'
import type { ExportOption, ExportOptions } from './format'

export type ChosenOption = Exclude<ExportOption, 'romCharacters'>

interface OfEveryOption {
  readonly label: string
  readonly help: string
}

export type OptionDescription =
  | (OfEveryOption & { readonly kind: 'text' })
  | (OfEveryOption & { readonly kind: 'flag'; readonly usual: boolean })
  | (OfEveryOption & {
      readonly kind: 'number' | 'address'
      readonly min: number
      readonly max: number
      readonly usual: number
    })
  | (OfEveryOption & {
      readonly kind: 'choice'
      readonly values: Readonly<Record<string, string>>
      readonly usual: string
    })

const numberTitles: Readonly<Record<ExportOptions['numbers'], string>> = {
  hex: 'Hexadecimal',
  binary: 'Binary',
  decimal: 'Decimal',
}
const aspectTitles: Readonly<Record<ExportOptions['aspect'], string>> = { square: 'Square', pal: 'PAL', ntsc: 'NTSC' }

export const exportOptions = {
  name: { kind: 'text', label: 'Name', help: 'What the data is called in source texts. Default: the file’s name.' },
  numbers: {
    kind: 'choice',
    label: 'Numbers',
    help: 'Numbers in source texts.',
    values: numberTitles,
    usual: 'hex',
  },
  palette: {
    kind: 'choice',
    label: 'Palette',
    help: 'Colours of pictures.',
    values: paletteTitles,
    usual: paletteNames[0],
  },
  scale: {
    kind: 'number',
    label: 'Scale',
    help: 'Pictures: how many times as large.',
    min: 1,
    max: 8,
    usual: 1,
  },
  isTransparent: {
    kind: 'flag',
    label: 'Transparent',
    help: 'Pictures: nothing behind sprites, in place of their background.',
    usual: true,
  },
  columns: {
    kind: 'number',
    label: 'Columns',
    help: 'Pictures: sprites or characters a row.',
    min: 1,
    max: 256,
    usual: 16,
  },
  aspect: {
    kind: 'choice',
    label: 'Pixels',
    help: 'Pictures: how wide a pixel is.',
    values: aspectTitles,
    usual: 'square',
  },
  frameMs: {
    kind: 'number',
    label: 'Time per picture (ms)',
    help: 'Animations: for pictures without times of their own.',
    min: 10,
    max: 60_000,
    usual: 100,
  },
  animation: {
    kind: 'number',
    label: 'Animation',
    help: 'GIF and APNG: which animation of a sheet with several, from 1; 0 is the only one.',
    min: 0,
    max: 1000,
    usual: 0,
  },
  address: {
    kind: 'address',
    label: 'Load address',
    help: 'Where the data of a program is loaded.',
    min: 0,
    max: 0xffff,
    usual: 0x2000,
  },
} as const satisfies Readonly<Record<ChosenOption, OptionDescription>>

const isChosenOption = (option: string): option is ChosenOption => Object.hasOwn(exportOptions, option)

export const chosenOptions = (options: readonly ExportOption[]): readonly ChosenOption[] =>
  Object.keys(exportOptions)
    .filter(isChosenOption)
    .filter((option) => options.includes(option))
