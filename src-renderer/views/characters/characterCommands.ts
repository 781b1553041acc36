import { formatAddress } from '@shared/c64/address'
import { ROM_NOT_SHOWN } from '@shared/c64/standInRom'
import { counted } from '@shared/countedText'
import { charactersOnly, colourOf, type CharactersShown } from '@shared/graphics/charactersShown'
import { shapeOf } from '@shared/graphics/characterUse'
import type { ExportSubject } from '../../client/artworkSources'
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

export function useLimits(isRom: boolean): Limits {
  const writeLimit = useFrontMachine()?.capabilities.writeMemory ?? null
  return { edit: isRom ? ROM_LIMIT : writeLimit, memory: isRom ? 'The characters are in ROM, not in RAM.' : null }
}

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

const nameOf = ({ rom, address }: CharactersShown): string =>
  rom === null ? formatAddress(address) : `ROM ${rom === 'upper' ? 'capitals' : 'small letters'}`

export function characterSubjects(shown: CharactersShown | null, codes: readonly number[]): ExportSubject[] {
  if (!shown || shown.isStandIn) return []
  const set = { ...shown.set, name: nameOf(shown) }
  const whole = { title: `Character set ${set.name}`, name: 'characters', artworks: [set] }
  if (codes.length === 0) return [whole]
  const chosen = charactersOnly(set, codes, set.name)
  return [whole, { title: counted(codes.length, 'chosen character'), name: 'characters', artworks: [chosen] }]
}

export function keepCharacters(shown: CharactersShown | null, codes: readonly number[]): void {
  if (!shown) return
  if (shown.isStandIn) {
    notify(ROM_NOT_SHOWN, null, null, ABOUT)
    return
  }
  addToSheet(charactersOnly(shown.set, codes, nameOf(shown)))
  notify(`Kept in the sheet: ${codes.length === 1 ? '1 character' : `${codes.length} characters`}.`, null, null, ABOUT)
}
