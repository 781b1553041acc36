/** Answers of Maestro's hooks: as in Maestro 1.2.1, or in 1.4 and later. */
export const hookFormats = ['1.2', '1.4'] as const
export type HookFormat = (typeof hookFormats)[number]

export const hookFormatLabels: Readonly<Record<HookFormat, string>> = { '1.2': '1.2 and 1.3', '1.4': '1.4 and later' }
