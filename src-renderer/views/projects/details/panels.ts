import type { FormatPanel } from './formatPanel'

/** Each file in `formats/` shows the format that it is named after. */
export const panels = new Map(
  Object.entries(import.meta.glob<FormatPanel>('./formats/*.tsx', { eager: true, import: 'panel' })).map(
    ([file, panel]) => [file.slice('./formats/'.length, -'.tsx'.length), panel],
  ),
)
