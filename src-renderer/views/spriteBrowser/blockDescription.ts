import { formatAddress, formatByte } from '@shared/c64/address'
import { isCharacterRom } from '@shared/c64/video'
import type { BlockShape } from '@shared/graphics/blockShape'
import type { BlockUse } from '@shared/graphics/spriteUses'

interface Described {
  readonly address: number
  readonly block: number
  readonly shape: BlockShape | undefined
  readonly isLikely: boolean
  readonly use: BlockUse | undefined
  readonly isUsedNow: boolean
  /** ms since it was last seen in use. */
  readonly age: number
}

export interface BlockDescription {
  readonly place: string
  readonly shape: string
  readonly use: string
}

export function describeBlock(block: Described): BlockDescription {
  return { place: placeText(block), shape: shapeText(block), use: usedBy(block) }
}

function placeText({ address, block }: Described): string {
  const bank = `bank ${address >> 14}`
  const number = (address & 0x3fff) / 64
  const pointer = address % 64 === 0 ? `pointer ${formatByte(number)} (${number}) in ${bank}` : `no pointer, ${bank}`
  const rom = isCharacterRom(address) ? ', where the VIC-II sees character ROM' : ''
  return `${formatAddress(address)}  block ${block}  ${pointer}${rom}`
}

function shapeText({ shape, isLikely }: Described): string {
  if (!shape) return ''
  const { setBits, filledRows, continuity } = shape
  const likely = isLikely ? 'likely' : 'unlikely'
  return `${setBits} bits, ${filledRows} rows, continuity ${Math.round(continuity * 100)} %: ${likely}`
}

function usedBy({ use, isUsedNow, age }: Described): string {
  if (!use) return 'not seen in use'
  const { sprites } = use
  const by = `sprite${sprites.length === 1 ? '' : 's'} ${sprites.join(', ')}`
  if (isUsedNow) return `${by} now`
  return `${by}, ${age < 60_000 ? `${Math.round(age / 1000)} s` : `${Math.round(age / 60_000)} min`} ago`
}
