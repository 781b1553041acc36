import { useCallback } from 'react'
import { create } from 'zustand'
import { call } from './call'
import { coalesced } from './coalesced'
import { reportError } from './messages'

const useStored = create<Record<string, unknown>>(() => ({}))

/** JSON characters; larger values are kept for this session only. */
const MAX_VALUE_CHARACTERS = 20_000

/** Sent at once, as a page that is closed or crashes sends nothing any more; main writes the file later. */
const save = coalesced(() => {
  const kept = Object.entries(useStored.getState()).filter(
    ([, value]) => JSON.stringify([value]).length <= MAX_VALUE_CHARACTERS,
  )
  call('window.remember', { viewState: JSON.stringify(Object.fromEntries(kept)) }).catch(reportError)
})

/** Ignores text that is no JSON object. */
export function restoreViewState(text: string | null): void {
  try {
    const stored: unknown = JSON.parse(text ?? '{}')
    if (typeof stored === 'object' && stored !== null && !Array.isArray(stored)) useStored.setState({ ...stored }, true)
  } catch {}
}

/**
 * Like `useState`, but kept over a restart. `read` must be a stable function that turns what was stored (or undefined)
 * into a valid value. The key is the view's name and the value's, such as `memory.zoom`.
 */
export function useViewState<Value>(key: string, read: (stored: unknown) => Value): [Value, (value: Value) => void] {
  const value = read(useStored((stored) => stored[key]))
  const set = useCallback((next: Value) => setViewValue(key, next), [key])
  return [value, set]
}

export function setViewValue(key: string, value: unknown): void {
  useStored.setState({ [key]: value })
  save()
}

export const onViewState = (listener: () => void): (() => void) => useStored.subscribe(listener)

export const viewValue = <Value>(key: string, read: (stored: unknown) => Value): Value =>
  read(useStored.getState()[key])

/** The first of the list when nothing valid was stored. */
export const oneOf =
  <Value extends string | number | boolean>(first: Value, ...others: Value[]) =>
  (stored: unknown): Value =>
    [first, ...others].find((value) => value === stored) ?? first

/** Gives the same object for the same stored value, as React needs it. */
export function memoized<Value>(read: (stored: unknown) => Value): (stored: unknown) => Value {
  let last: { readonly stored: unknown; readonly value: Value } | null = null
  return (stored) => {
    if (last?.stored !== stored || last === null) last = { stored, value: read(stored) }
    return last.value
  }
}
