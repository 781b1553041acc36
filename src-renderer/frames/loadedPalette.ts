/** Its colours are kept, so that it is there without the file. */
import { loadedPaletteSchema, type LoadedPalette } from '@shared/contract/window'
import { call } from '../client/call'
import { choose } from '../client/chosen'
import { notify } from '../client/messages'
import { setViewValue, useViewState, viewValue } from '../client/viewState'

const KEY = 'screen.loadedPalette'

let known: { readonly stored: unknown; readonly palette: LoadedPalette | null } = { stored: undefined, palette: null }

function read(stored: unknown): LoadedPalette | null {
  if (known.stored !== stored) known = { stored, palette: loadedPaletteSchema.safeParse(stored).data ?? null }
  return known.palette
}

export const useLoadedPalette = (): LoadedPalette | null => useViewState(KEY, read)[0]

export const loadedPaletteNow = (): LoadedPalette | null => viewValue(KEY, read)

export async function choosePalette(): Promise<void> {
  const { palette } = await call('window.choosePalette', {})
  if (palette === null) return
  setViewValue(KEY, palette)
  choose('screen.palette', 'loaded')
  notify(`Palette ${palette.name} loaded.`)
}
