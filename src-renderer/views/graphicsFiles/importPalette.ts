import { palettes, paletteTitles } from '@shared/c64/palettes'
import type { GraphicsFormat } from '@shared/graphics/format'
import type { FieldDescription } from '../../widgets/form/fields'
import { AS_SHOWN, isPaletteName } from './exportChoices'

export const PALETTE_FIELD = 'palette'
export const RECOGNISED = 'recognised'

const titles: Readonly<Record<string, string>> = {
  [RECOGNISED]: 'Recognised',
  [AS_SHOWN]: 'As in the window',
  ...paletteTitles,
}

export const heedsPalette = (format: GraphicsFormat | undefined): boolean =>
  format?.read !== undefined && format.options.includes('palette')

export const paletteField: FieldDescription = {
  kind: 'select',
  name: PALETTE_FIELD,
  label: 'Palette',
  help: 'Colours of pictures. Recognised: that of the window or a known one, else the nearest.',
  options: Object.entries(titles).map(([value, label]) => ({ value, label })),
}

/**
 * Sixteen colours, 0xRRGGBB; null to recognise them.
 * @param shown the window's own colours
 */
export function chosenPalette(choice: string, shown: readonly number[]): readonly number[] | null {
  if (isPaletteName(choice)) return palettes[choice]
  return choice === AS_SHOWN ? shown : null
}
