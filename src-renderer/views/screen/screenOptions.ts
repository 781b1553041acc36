import { paletteNames } from '@shared/c64/palettes'
import { oneOf, useViewState } from '../../app/viewState'

/** `fit` fills the panel; `whole` shows every C64 pixel as a whole number of the screen's. */
const readScaling = oneOf<'fit' | 'whole'>('fit', 'whole')
const readBorders = oneOf<'shown' | 'cropped'>('shown', 'cropped')
export const readPalette = oneOf(...paletteNames)

export const PALETTE_KEY = 'screen.palette'

export const usePalette = () => useViewState(PALETTE_KEY, readPalette)
export const useScaling = () => useViewState('screen.scaling', readScaling)
export const useBorders = () => useViewState('screen.borders', readBorders)
