import { useCallback, useEffect } from 'react'
import { create } from 'zustand'
import { palettes } from '@shared/c64/palettes'
import { pixelAspects } from '@shared/c64/picture'
import { call } from '../client/call'
import { frontMachine, isConnected, useFrontMachine, useFrontName, useMachines } from '../client/machines'
import { reportError } from '../client/messages'
import { chosenNow, useChosen } from '../client/chosen'
import type { ChosenOf } from '../client/viewChoices'
import type { LoadedPalette } from '@shared/contract/window'
import { loadedPaletteNow, useLoadedPalette } from './loadedPalette'
import { oneOf, setViewValue, useViewState, viewValue } from '../client/viewState'

const readScaling = oneOf<'whole' | 'fit'>('whole', 'fit')
const readBorders = oneOf<'shown' | 'cropped'>('shown', 'cropped')
const readCrt = oneOf(false, true)
const readStrip = oneOf(true, false)
const readBeam = oneOf(true, false)
type PaletteChoice = ChosenOf<'screen.palette'>

/** Sixteen colours, 0xRRGGBB; null where the machine reports none. */
const useMachineColours = create<{ readonly machine: string | null; readonly colours: readonly number[] | null }>(
  () => ({
    machine: null,
    colours: null,
  }),
)

interface FoundColours {
  readonly own: readonly number[] | null
  readonly loaded: LoadedPalette | null
}

function coloursOf(choice: PaletteChoice, { own, loaded }: FoundColours): readonly number[] {
  if (choice === 'machine') return own ?? palettes.pepto
  return choice === 'loaded' ? (loaded?.colours ?? palettes.pepto) : palettes[choice]
}

function useOwnColours(): readonly number[] | null {
  const front = useFrontName()
  return useMachineColours(({ machine, colours }) => (machine === front ? colours : null))
}

export function usePaletteLimit(): (palette: string) => string | null {
  const own = useOwnColours() === null ? 'This machine does not tell its colours.' : null
  const loaded = useLoadedPalette() === null ? 'No palette is loaded: View, Load a palette…' : null
  return useCallback((palette) => (palette === 'machine' ? own : palette === 'loaded' ? loaded : null), [own, loaded])
}

/** Sixteen colours, 0xRRGGBB. */
export function useColours(): readonly number[] {
  const [choice] = useChosen('screen.palette')
  return coloursOf(choice, { own: useOwnColours(), loaded: useLoadedPalette() })
}

export function currentColours(): readonly number[] {
  const { machine, colours } = useMachineColours.getState()
  const own = machine === useMachines.getState().front ? colours : null
  return coloursOf(chosenNow('screen.palette'), { own, loaded: loadedPaletteNow() })
}

export function useAskForColours(): void {
  const state = useFrontMachine()
  const machine = isConnected(state) && state?.capabilities.picture === null ? state.machine : undefined
  useEffect(() => {
    if (machine === undefined) return undefined
    const controller = new AbortController()
    call('memory.palette', { machine }, { signal: controller.signal }).then(
      ({ colours }) => useMachineColours.setState({ machine, colours }),
      reportError,
    )
    return () => controller.abort()
  }, [machine])
}

/** Width of a pixel, in its heights. */
export function usePixelAspect(): number {
  const [choice] = useChosen('screen.aspect')
  const standard = useFrontMachine()?.standard ?? 'pal'
  return choice === 'square' ? 1 : pixelAspects[standard]
}

export const currentPixelAspect = (): number =>
  chosenNow('screen.aspect') === 'square' ? 1 : pixelAspects[frontMachine()?.standard ?? 'pal']

const SCALING_KEY = 'screen.scaling'
const BORDERS_KEY = 'screen.borders'
const CRT_KEY = 'screen.crt'
const STRIP_KEY = 'screen.sprites'
const BEAM_KEY = 'screen.beam'

export const useScaling = () => useViewState(SCALING_KEY, readScaling)[0]
export const useBorders = () => useViewState(BORDERS_KEY, readBorders)[0]
export const currentBorders = () => viewValue(BORDERS_KEY, readBorders)
export const useCrt = () => useViewState(CRT_KEY, readCrt)[0]
export const useSpriteStrip = () => useViewState(STRIP_KEY, readStrip)[0]

export const useBeam = () => useViewState(BEAM_KEY, readBeam)[0]

export const toggleScaling = (): void =>
  setViewValue(SCALING_KEY, viewValue(SCALING_KEY, readScaling) === 'whole' ? 'fit' : 'whole')
export const toggleBorders = (): void =>
  setViewValue(BORDERS_KEY, viewValue(BORDERS_KEY, readBorders) === 'shown' ? 'cropped' : 'shown')
export const toggleCrt = (): void => setViewValue(CRT_KEY, !viewValue(CRT_KEY, readCrt))
export const toggleSpriteStrip = (): void => setViewValue(STRIP_KEY, !viewValue(STRIP_KEY, readStrip))
export const toggleBeam = (): void => setViewValue(BEAM_KEY, !viewValue(BEAM_KEY, readBeam))
