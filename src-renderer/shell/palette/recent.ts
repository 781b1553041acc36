import { setViewValue, viewValue } from '../../client/viewState'

const KEY = 'palette.recent'
const MAX_RECENT = 30

const readKeys = (stored: unknown): readonly string[] =>
  Array.isArray(stored) ? stored.filter((key): key is string => typeof key === 'string') : []

/** The last one first. */
export const recentKeys = (): readonly string[] => viewValue(KEY, readKeys)

export const rememberChosen = (key: string): void =>
  setViewValue(KEY, [key, ...recentKeys().filter((other) => other !== key)].slice(0, MAX_RECENT))
