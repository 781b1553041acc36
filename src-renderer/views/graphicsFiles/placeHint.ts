import { formatByte, parseTypedAddress } from '@shared/c64/address'
import type { Names } from '@shared/c64/labels/names'
import type { ArtworkKind } from '@shared/graphics/artwork'

const BANK_BYTES = 0x4000

/** The VIC-II can only look for such data at multiples of these. */
const steps: Readonly<Record<ArtworkKind, number>> = {
  sprites: 0x40,
  characters: 0x800,
  screen: 0x400,
  bitmap: 0x2000,
}
const stepTitles: Readonly<Record<ArtworkKind, string>> = {
  sprites: '64',
  characters: '$0800',
  screen: '$0400',
  bitmap: '$2000',
}

export function placeHint(kind: ArtworkKind | undefined, typed: string, names: Names): string {
  if (typed.trim() === '') return 'Empty: where the VIC-II has it, with its colours and mode.'
  const address = addressOf(typed, names)
  if (address === null || kind === undefined) return 'Only the data is written there.'
  const bank = Math.floor(address / BANK_BYTES)
  if (address % steps[kind] !== 0)
    return `Bank ${bank}. The VIC-II shows ${kind === 'sprites' || kind === 'characters' ? kind : `a ${kind}`} only from multiples of ${stepTitles[kind]}.`
  const pointer = (address % BANK_BYTES) / 0x40
  return kind === 'sprites' ? `Bank ${bank}, pointer ${formatByte(pointer)} (${pointer}).` : `Bank ${bank}.`
}

function addressOf(typed: string, names: Names): number | null {
  try {
    return parseTypedAddress(typed, names)
  } catch {
    return null
  }
}
