import type { Settings } from '@shared/contract/settings'

export function isQuiet({ from, to }: Settings['quietHours'], hour: number): boolean {
  if (from === null || to === null) return false
  return from <= to ? from <= hour && hour < to : from <= hour || hour < to
}
