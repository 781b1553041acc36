import { oneOf, setViewValue, useViewState, viewValue } from '../client/viewState'

const KEY = 'shell.railNames'
const read = oneOf(false, true)

export const useRailNames = (): boolean => useViewState(KEY, read)[0]

export const toggleRailNames = (): void => setViewValue(KEY, !viewValue(KEY, read))
