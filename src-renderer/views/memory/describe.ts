import { formatAddress, formatByte } from '@shared/c64/address'
import { labelFor, regionOf } from '@shared/c64/memoryMap'
import { petsciiToText } from '@shared/c64/petscii'
import { screenCodeToText } from '@shared/c64/screenCodes'

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
 * @param value null before the first frame
 * @param age ms since its last change, Infinity for none seen
 */
export function describeByte(address: number, value: number | null, age: number): ByteDescription {
  const label = labelFor(address)
  return {
    address: `${formatAddress(address)}  ${address}`,
    place: label ? `${label.name}: ${label.description}` : regionOf(address).name,
    value: value === null ? 'not read yet' : `${formatByte(value)}  ${value}  %${value.toString(2).padStart(8, '0')}`,
    text: value === null ? '' : textOf(value),
    age: value === null ? '' : describeAge(age),
  }
}

function textOf(value: number): string {
  const petscii = petsciiToText(value, 'upper')
  return `PETSCII ${visible(petscii ?? 'control code')}, screen ${visible(screenCodeToText(value, 'upper'))}`
}

const visible = (character: string): string => (character === ' ' ? 'space' : character)

export function describeAge(age: number): string {
  if (age === Infinity) return 'no change seen'
  if (age < 1000) return 'changed just now'
  if (age < 60_000) return `changed ${Math.floor(age / 1000)} s ago`
  return `changed ${Math.floor(age / 60_000)} min ago`
}

/** What a screen reader says of the byte under the cursor. */
export function speakByte(address: number, value: number): string {
  const label = labelFor(address)
  return [formatAddress(address), ...(label ? [label.name] : []), formatByte(value)].join(', ')
}
