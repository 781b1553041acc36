import { useMemo } from 'react'
import { pictureModes, type PictureChoices, type PictureMode } from '@shared/graphics/shownPicture'
import { useChosen } from '../../client/chosen'
import { useViewState } from '../../client/viewState'

const readAddress = (stored: unknown): number | null =>
  typeof stored === 'number' && Number.isInteger(stored) && stored >= 0 && stored <= 0xffff ? stored : null

export const useScreenAddress = () => useViewState('pictures.screenAt', readAddress)
export const useBitmapAddress = () => useViewState('pictures.bitmapAt', readAddress)
export const useCharactersAddress = () => useViewState('pictures.charactersAt', readAddress)

const banks: Readonly<Partial<Record<string, number>>> = { b0: 0, b1: 1, b2: 2, b3: 3 }

/** Default address of characters in RAM. */
export const FIRST_SET = 0x2000

export function usePictureChoices(): PictureChoices {
  const [mode] = useChosen('pictures.mode')
  const [bank] = useChosen('pictures.bank')
  const [set] = useChosen('pictures.characters')
  const [screen] = useScreenAddress()
  const [bitmap] = useBitmapAddress()
  const [charactersAt] = useCharactersAddress()
  return useMemo(
    () => ({
      ...modeOf(mode),
      bank: banks[bank] ?? null,
      screen,
      characters: set === 'ram' ? (charactersAt ?? FIRST_SET) : set === 'shown' ? null : set,
      bitmap,
    }),
    [mode, bank, set, screen, charactersAt, bitmap],
  )
}

function modeOf(chosen: string): Pick<PictureChoices, 'mode' | 'isFli'> {
  if (chosen === 'fli') return { mode: 'bitmap', isFli: true }
  if (chosen === 'multicolourFli') return { mode: 'multicolourBitmap', isFli: true }
  const mode: PictureMode | undefined = pictureModes.find((each) => each === chosen)
  return { mode: mode ?? null, isFli: false }
}

export const isAsTheVicHasIt = (choices: PictureChoices): boolean =>
  !choices.isFli &&
  [choices.mode, choices.bank, choices.screen, choices.characters, choices.bitmap].every((choice) => choice === null)
