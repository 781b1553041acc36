/** Lines of the reports in Markdown that actions write. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

/** None for what is not known. */
export const factLine = (label: string, value: string | number | null | undefined): string[] =>
  value === null || value === undefined || value === '' ? [] : [`- ${label}: ${oneLine(String(value))}`]
