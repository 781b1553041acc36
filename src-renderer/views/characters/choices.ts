import { useMemo } from 'react'
import type { TextMode } from '@shared/graphics/artwork'
import type { CharactersChoices } from '@shared/graphics/charactersShown'
import { tileLayouts, type TileLayout } from '@shared/graphics/tileLayout'
import { useChosen } from '../../client/chosen'
import { memoized, useViewState } from '../../client/viewState'

export type SetPlace = number | 'upper' | 'lower' | null

const readPlace = (stored: unknown): SetPlace => {
  if (stored === 'upper' || stored === 'lower') return stored
  return typeof stored === 'number' && Number.isInteger(stored) && stored >= 0 && stored <= 0xffff ? stored : null
}

/** Null is the VIC-II's set. */
export const useSetPlace = () => useViewState('characters.from', readPlace)

const modes: readonly TextMode[] = ['text', 'multicolourText', 'extendedText']

export function useCharactersChoices(): CharactersChoices {
  const [from] = useSetPlace()
  const [mode] = useChosen('characters.mode')
  const [chosenColour] = useChosen('characters.colour')
  const colour: string = chosenColour
  return useMemo(
    () => ({
      from,
      mode: modes.find((each) => each === mode) ?? null,
      colour: colour === 'use' ? null : Number(colour.slice(1)),
    }),
    [from, mode, colour],
  )
}

export interface MapChoices {
  /** Null is the VIC-II's screen. */
  readonly address: number | null
  readonly columns: number
  readonly rows: number
  readonly width: number
  readonly height: number
  readonly definitions: number
}

const usual: MapChoices = { address: null, columns: 40, rows: 25, width: 1, height: 1, definitions: 0x4000 }

function readMap(stored: unknown): MapChoices {
  if (typeof stored !== 'object' || stored === null) return usual
  const value = (key: keyof MapChoices): unknown => Object.entries(stored).find(([name]) => name === key)?.[1]
  const whole = (key: Exclude<keyof MapChoices, 'address'>): number => {
    const number = value(key)
    return typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= 0xffff
      ? number
      : usual[key]
  }
  const address = readPlace(value('address'))
  return {
    address: typeof address === 'number' ? address : null,
    columns: whole('columns'),
    rows: whole('rows'),
    width: whole('width'),
    height: whole('height'),
    definitions: whole('definitions'),
  }
}

const readMapOnce = memoized(readMap)

export const useMapChoices = () => useViewState('characters.map', readMapOnce)

export function useTileLayout(): TileLayout {
  const [chosen] = useChosen('characters.tiles')
  return tileLayouts.find((layout) => layout === chosen) ?? 'rows'
}
