import type { Reading, RunFiles } from './format'

const placeholder = /\{\{\s*[\w .-]+\s*\}\}/
/** A run whose own name is still to be filled in, such as `{{project_name}}`, is a template of one. */
export const unlessTemplate =
  <Details>(read: (files: RunFiles) => Reading<Details> | undefined) =>
  (files: RunFiles): Reading<Details> | undefined => {
    const reading = read(files)
    if (!reading || placeholder.test(files.candidate.marker)) return undefined
    const { id, title } = reading.view
    return placeholder.test(id.value ?? title.value ?? '') ? undefined : reading
  }
