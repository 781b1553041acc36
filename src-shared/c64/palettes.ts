/** The VIC-II's colours as different people measured them, 0xRRGGBB by colour number. */
export const paletteNames = ['pepto', 'colodore', 'ultimate'] as const
export type PaletteName = (typeof paletteNames)[number]

export const palettes: Readonly<Record<PaletteName, readonly number[]>> = {
  pepto: [
    0x000000, 0xffffff, 0x68372b, 0x70a4b2, 0x6f3d86, 0x588d43, 0x352879, 0xb8c76f, 0x6f4f25, 0x433900, 0x9a6759,
    0x444444, 0x6c6c6c, 0x9ad284, 0x6c5eb5, 0x959595,
  ],
  colodore: [
    0x000000, 0xffffff, 0x96282e, 0x5bd6ce, 0x9f2dad, 0x41b936, 0x2724c4, 0xeff347, 0x9f4815, 0x5e3500, 0xda5f66,
    0x474747, 0x787878, 0x91ff84, 0x6864ff, 0xaeaeae,
  ],
  ultimate: [
    0x000000, 0xf7f7f7, 0x8d2f34, 0x6ad4cd, 0x9835a4, 0x4cb442, 0x2c29b1, 0xefef5d, 0x984e20, 0x5b3800, 0xd1676d,
    0x4a4a4a, 0x7b7b7b, 0x9fef93, 0x6d6aef, 0xb2b2b2,
  ],
}

export const paletteTitles: Readonly<Record<PaletteName, string>> = {
  pepto: 'Pepto (VICE)',
  colodore: 'Colodore',
  ultimate: 'Ultimate 64',
}

export const colourNames: readonly string[] = [
  'black',
  'white',
  'red',
  'cyan',
  'purple',
  'green',
  'blue',
  'yellow',
  'orange',
  'brown',
  'light red',
  'dark grey',
  'grey',
  'light green',
  'light blue',
  'light grey',
]

/** The high nibble of a colour register is not connected and is ignored. */
export const colourName = (value: number): string => colourNames[value & 0x0f] ?? ''

export function cssColour(palette: readonly number[], value: number): string {
  return `#${(palette[value & 0x0f] ?? 0).toString(16).padStart(6, '0')}`
}
