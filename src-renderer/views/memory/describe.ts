import { formatAddress, formatByte } from '@shared/c64/address'
import { labelAt, regionAt, type Places } from '@shared/c64/banking'
import { byteReadings } from '@shared/c64/byteReadings'
import { builtInNames, type Names } from '@shared/c64/labels/names'
import { durationText } from '@shared/durationText'
import type { MomentChange } from '../../frames/momentChange'
import type { HeatKind } from './heatKind'

export interface Touched {
  readonly kind: HeatKind
  /** ms since the last time, Infinity for never. */
  readonly age: number
  readonly isStale: boolean
  readonly moment: MomentChange | null
}

export interface ByteDescription {
  readonly address: string
  readonly place: string
  readonly value: string
  readonly text: string
  readonly age: string
}

export interface ByteMeaning {
  readonly names?: Names
  readonly use?: string | null
}

/** @param value null before the first frame */
export function describeByte(
  places: Places,
  address: number,
  value: number | null,
  touched: Touched,
  { names = builtInNames, use = null }: ByteMeaning = {},
): ByteDescription {
  const label = labelAt(places, address, names)
  const region = regionAt(places, address)
  const isOfProgram = label !== undefined && label.name !== labelAt(places, address)?.name
  const said = (label ?? region).description
  return {
    address: `${formatAddress(address)}  ${address}`,
    place: [label?.name ?? (use === null ? region.name : null), isOfProgram ? said : (use ?? said)]
      .filter((part) => part !== null)
      .join(': '),
    ...describeValue(value),
    age: value === null ? '' : agePart(places, address, touched),
  }
}

export function describeValue(value: number | null): Pick<ByteDescription, 'value' | 'text'> {
  if (value === null) return { value: 'not read yet', text: '' }
  const { decimal, binary, petscii, screenCode } = byteReadings(value)
  return { value: `${formatByte(value)}  ${decimal}  ${binary}`, text: `PETSCII ${petscii}, screen ${screenCode}` }
}

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

export function speakByte(places: Places, address: number, value: number, names: Names = builtInNames): string {
  const label = labelAt(places, address, names)
  return [formatAddress(address), ...(label ? [label.name] : []), formatByte(value)].join(', ')
}
