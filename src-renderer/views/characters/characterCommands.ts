import { formatAddress } from '@shared/c64/address'
import { charactersOnly, colourOf, type CharactersShown } from '@shared/graphics/charactersShown'
import { shapeOf } from '@shared/graphics/characterUse'
import { openInEditor } from '../../client/edited'
import { useFrontMachine } from '../../client/machines'
import { notify } from '../../client/messages'
import { addToSheet } from '../../client/sheet'

const ABOUT = 'characters'
const ROM_LIMIT = 'Character ROM cannot be changed.'

interface Limits {
  readonly edit: string | null
  readonly memory: string | null
}

/** Why the chosen characters cannot be opened in the editor, or shown in memory. */
export function useLimits(isRom: boolean): Limits {
  const writeLimit = useFrontMachine()?.capabilities.writeMemory ?? null
  return { edit: isRom ? ROM_LIMIT : writeLimit, memory: isRom ? 'The characters are in ROM, not in RAM.' : null }
}

/** Does it, or says why it cannot be done. */
export function unlessLimited(limit: string | null, perform: () => void): void {
  if (limit === null) perform()
  else notify(limit, null, null, ABOUT)
}

/** @param columns characters a row of the editor's grid */
export function editCharacters(shown: CharactersShown | null, codes: readonly number[], columns: number): void {
  const [first] = codes
  if (!shown || first === undefined) return
  openInEditor({
    kind: 'characters',
    address: shown.address,
    codes: [...new Set(codes.map((code) => shapeOf(shown.set.mode, code)))],
    columns,
    colour: colourOf(shown.set, first),
  })
}

export function keepCharacters(shown: CharactersShown | null, codes: readonly number[]): void {
  if (!shown) return
  const name =
    shown.rom === null ? formatAddress(shown.address) : `ROM ${shown.rom === 'upper' ? 'capitals' : 'small letters'}`
  addToSheet(charactersOnly(shown.set, codes, name))
  notify(`Kept in the sheet: ${codes.length === 1 ? '1 character' : `${codes.length} characters`}.`, null, null, ABOUT)
}
