import type { Reading, RunFiles } from './format'

const placeholder = /\{\{\s*[\w .-]+\s*\}\}/
export const unlessTemplate =
  <Details>(read: (files: RunFiles) => Reading<Details> | undefined) =>
  (files: RunFiles): Reading<Details> | undefined => {
    const reading = read(files)
    if (!reading || placeholder.test(files.candidate.marker)) return undefined
    const { id, title } = reading.view
    return placeholder.test(id.value ?? title.value ?? '') ? undefined : reading
  }
