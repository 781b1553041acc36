import { useCallback } from 'react'
import { create } from 'zustand'
import { call } from './call'
import { coalesced } from './coalesced'
import { reportError } from './messages'

/** What views keep over a restart: each its own JSON value under its own key. */
const useStored = create<Record<string, unknown>>(() => ({}))

/** As JSON, characters: what is larger is kept for this session only. */
const MAX_VALUE_CHARACTERS = 20_000

/** At once, as a page that is closed or crashes sends nothing any more; main writes the file later. */
const save = coalesced(() => {
  const kept = Object.entries(useStored.getState()).filter(
    ([, value]) => JSON.stringify([value]).length <= MAX_VALUE_CHARACTERS,
  )
  call('window.remember', { viewState: JSON.stringify(Object.fromEntries(kept)) }).catch(reportError)
})

/** Takes what `window.info` remembered; text that is no JSON object is left aside. */
export function restoreViewState(text: string | null): void {
  try {
    const stored: unknown = JSON.parse(text ?? '{}')
    if (typeof stored === 'object' && stored !== null && !Array.isArray(stored)) useStored.setState({ ...stored }, true)
  } catch {
    // Nothing remembered is worth a message at the start.
  }
}

/**
 * Like `useState`, but kept over a restart. `read` turns what was stored (or undefined) into a valid value; it must be a
 * stable function. Key: the view's name and the value's, such as `memory.zoom`.
 */
export function useViewState<Value>(key: string, read: (stored: unknown) => Value): [Value, (value: Value) => void] {
  const value = read(useStored((stored) => stored[key]))
  const set = useCallback((next: Value) => setViewValue(key, next), [key])
  return [value, set]
}

/** As the setter of {@link useViewState}, outside React. */
export function setViewValue(key: string, value: unknown): void {
  useStored.setState({ [key]: value })
  save()
}

/** Calls back after every change of any value, until the returned function is called. */
export const onViewState = (listener: () => void): (() => void) => useStored.subscribe(listener)

/** The value of now, outside React. */
export const viewValue = <Value>(key: string, read: (stored: unknown) => Value): Value =>
  read(useStored.getState()[key])

/** A `read` for {@link useViewState}: one of a list, the first when nothing valid was stored. */
export const oneOf =
  <Value extends string | number | boolean>(first: Value, ...others: Value[]) =>
  (stored: unknown): Value =>
    [first, ...others].find((value) => value === stored) ?? first

/** A `read` for {@link useViewState} that gives the same value for the same stored one, as React wants it. */
export function memoized<Value>(read: (stored: unknown) => Value): (stored: unknown) => Value {
  let last: { readonly stored: unknown; readonly value: Value } | null = null
  return (stored) => {
    if (last?.stored !== stored || last === null) last = { stored, value: read(stored) }
    return last.value
  }
}
