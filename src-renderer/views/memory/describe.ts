import { formatAddress, formatByte } from '@shared/c64/address'
import { labelAt, regionAt, type Places } from '@shared/c64/banking'
import { builtInNames, type Names } from '@shared/c64/labels/names'
import { petsciiToText } from '@shared/c64/petscii'
import { screenCodeToText } from '@shared/c64/screenCodes'
import { durationText } from '@shared/durationText'
import type { MomentChange } from '../../frames/momentChange'
import type { HeatKind } from './heatKind'

export interface Touched {
  readonly kind: HeatKind
  /** ms since that was last seen, Infinity for never. */
  readonly age: number
  /** What stands there is not known, or no longer. */
  readonly isStale: boolean
  /** In a recording: what it tells of the byte at the moment shown. */
  readonly moment: MomentChange | null
}

export interface ByteDescription {
  readonly address: string
  /** The label with what it is, or the region. */
  readonly place: string
  readonly value: string
  readonly text: string
  readonly age: string
}

/**
 * All that is known of one byte, for the line under the map.
 * @param places what its space holds where
 * @param value null before the first frame
 */
export function describeByte(
  places: Places,
  address: number,
  value: number | null,
  touched: Touched,
  names: Names = builtInNames,
): ByteDescription {
  const label = labelAt(places, address, names)
  const region = regionAt(places, address)
  return {
    address: `${formatAddress(address)}  ${address}`,
    place: label ? `${label.name}: ${label.description}` : `${region.name}: ${region.description}`,
    ...describeValue(value),
    age: value === null ? '' : agePart(places, address, touched),
  }
}

export const describeValue = (value: number | null): Pick<ByteDescription, 'value' | 'text'> =>
  value === null
    ? { value: 'not read yet', text: '' }
    : { value: `${formatByte(value)}  ${value}  %${value.toString(2).padStart(8, '0')}`, text: textOf(value) }

function textOf(value: number): string {
  const petscii = petsciiToText(value, 'upper')
  return `PETSCII ${visible(petscii ?? 'control code')}, screen ${visible(screenCodeToText(value, 'upper'))}`
}

/** No common font has the characters beyond the first 65,536: those are named. */
const visible = (character: string): string => (character === ' ' ? 'space' : (glyphNames.get(character) ?? character))

/** What the C64's characters from Unicode's Symbols for Legacy Computing look like. */
const glyphNames: ReadonlyMap<string, string> = new Map(
  (
    [
      ...[2, 3, 4, 5, 6, 7].map((place) => [0x1fb70 + place - 2, `vertical line ${place} of 8`] as const),
      ...[2, 3, 4, 5, 6, 7].map((place) => [0x1fb76 + place - 2, `horizontal line ${place} of 8`] as const),
      [0x1fb7c, 'edge left and below'],
      [0x1fb7d, 'edge left and above'],
      [0x1fb7e, 'edge right and above'],
      [0x1fb7f, 'edge right and below'],
      [0x1fb82, 'upper quarter'],
      [0x1fb83, 'upper three eighths'],
      [0x1fb87, 'right quarter'],
      [0x1fb88, 'right three eighths'],
      [0x1fb8c, 'left half shaded'],
      [0x1fb8f, 'lower half shaded'],
      [0x1fb95, 'chequer'],
      [0x1fb98, 'stripes falling'],
      [0x1fb99, 'stripes rising'],
    ] as const
  ).map(([code, name]) => [String.fromCodePoint(code), name]),
)

const isNoise = ({ openBus }: Places, address: number): boolean =>
  openBus !== null && address >= openBus.start && address < openBus.end

function agePart(places: Places, address: number, { kind, age, isStale, moment }: Touched): string {
  if (isStale) return 'not known: not read yet, or a write to it was lost on the way'
  if (kind === 'changes' && isNoise(places, address))
    return 'changes not shown: unless something is plugged in, reads here vary'
  return kind === 'changes' && moment ? describeMoment(moment) : describeAge(age, kind)
}

function describeMoment({ time, change }: MomentChange): string {
  if (change === undefined) return ''
  if (change === null) return 'did not change before in this recording'
  const ago = time - change.time
  const when =
    ago === 0 ? 'at this moment' : `${ago < 1000 ? `${Math.ceil(ago)} ms` : durationText(ago)} before this moment`
  return `changed ${when}: ${change.before === null ? '' : `${formatByte(change.before)} → `}${formatByte(change.value)}`
}

const touchedWords: Readonly<Record<HeatKind, { readonly never: string; readonly done: string }>> = {
  changes: { never: 'no change seen', done: 'changed' },
  reads: { never: 'no read seen', done: 'read' },
  writes: { never: 'no write seen', done: 'written' },
  runs: { never: 'not run', done: 'run' },
  accesses: { never: 'no access seen', done: 'touched' },
}

export function describeAge(age: number, kind: HeatKind): string {
  const { never, done } = touchedWords[kind]
  if (age === Infinity) return never
  if (age < 1000) return `${done} just now`
  if (age < 60_000) return `${done} ${Math.floor(age / 1000)} s ago`
  return `${done} ${Math.floor(age / 60_000)} min ago`
}

/** What a screen reader says of the byte under the cursor. */
export function speakByte(places: Places, address: number, value: number, names: Names = builtInNames): string {
  const label = labelAt(places, address, names)
  return [formatAddress(address), ...(label ? [label.name] : []), formatByte(value)].join(', ')
}
