import type { ConfigurationItem } from '@shared/contract/machineStorage'

export function parseSetting(
  item: ConfigurationItem,
  text: string,
): { readonly value: string | number } | { readonly problem: string } {
  if (typeof item.value === 'string') return { value: text }
  const number = /^-?\d+$/.test(text.trim()) ? Number(text) : NaN
  const { minimum, maximum } = item
  if (Number.isSafeInteger(number) && number >= (minimum ?? -Infinity) && number <= (maximum ?? Infinity))
    return { value: number }
  return { problem: `Enter a whole number${rangeText(minimum, maximum)}.` }
}

export function describeRange({ value, minimum, maximum }: ConfigurationItem): string {
  return typeof value === 'number' ? rangeText(minimum, maximum).trim() : ''
}

function rangeText(minimum: number | null, maximum: number | null): string {
  if (minimum !== null && maximum !== null) return ` from ${minimum} to ${maximum}`
  if (minimum !== null) return ` from ${minimum}`
  return maximum === null ? '' : ` up to ${maximum}`
}
