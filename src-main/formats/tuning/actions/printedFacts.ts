export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

export const factLine = (label: string, value: string | number | null | undefined): string[] =>
  value === null || value === undefined || value === '' ? [] : [`- ${label}: ${oneLine(String(value))}`]
