/** Pure, so that the map's one hot loop can be tested and measured. */
import type { AddressRange } from '@shared/c64/address'

export const FADE_MS = 2000

/** Steps of the fading; 0 is a byte that has not changed lately. */
export const HEAT_STEPS = 32

export const heatOf = (age: number): number => (age >= FADE_MS ? 0 : age <= 0 ? 1 : 1 - age / FADE_MS)

/** 0xRRGGBB between two colours; `share` 0 is the first. */
export function mix(from: number, to: number, share: number): number {
  const channel = (shift: number): number => {
    const start = (from >> shift) & 0xff
    return Math.round(start + (((to >> shift) & 0xff) - start) * share) << shift
  }
  return channel(16) | channel(8) | channel(0)
}

/** 0xRRGGBB as an opaque little-endian word of ImageData. */
export const imageDataWord = (rgb: number): number =>
  ((0xff << 24) | ((rgb & 0xff) << 16) | (rgb & 0xff00) | (rgb >> 16)) >>> 0

export const hotKinds = ['changed', 'read', 'run'] as const
export type HotKind = (typeof hotKinds)[number]

export interface HeatTheme {
  readonly ground: number
  readonly ink: number
  readonly hot: Readonly<Record<HotKind, number>>
  readonly stale: number
}

const MIN_OPACITY = 0.07
const MAX_OPACITY = 0.26

const PART = HEAT_STEPS * 256

const CHEQUER = hotKinds.length * PART

/** The colours at index `kind * 32 * 256 + step * 256 + value`, and behind them the two of stale bytes. */
export function heatTable({ ground, ink, hot, stale }: HeatTheme): Uint32Array {
  const table = new Uint32Array(CHEQUER + 2)
  table[CHEQUER] = imageDataWord(stale)
  table[CHEQUER + 1] = imageDataWord(mix(ground, stale, 0.5))
  for (let value = 0; value < 256; value++) {
    const still = value === 0 ? ground : mix(ground, ink, MIN_OPACITY + ((MAX_OPACITY - MIN_OPACITY) * value) / 255)
    hotKinds.forEach((kind, index) => {
      for (let step = 0; step < HEAT_STEPS; step++)
        table[index * PART + step * 256 + value] = imageDataWord(mix(still, hot[kind], step / (HEAT_STEPS - 1)))
    })
  }
  return table
}

export interface Heat {
  /** When each address was last hot, ms; -Infinity for never. */
  readonly since: Float64Array
  /** An index of `hotKinds` for each address; null where all are `changed`. */
  readonly kinds: Uint8Array | null
  /** What was hot at this time or later does not fade, ms; null where everything fades. */
  readonly heldFrom: number | null
  /** Addresses (end exclusive) whose changes leave no heat; null for none. */
  readonly noise: AddressRange | null
  readonly isStale: ((address: number) => boolean) | null
}

export function heatAt({ since, heldFrom, noise }: Heat, now: number, address: number): number {
  if (noise && address >= noise.start && address < noise.end) return 0
  const time = since[address] ?? -Infinity
  if (heldFrom !== null) return time >= heldFrom ? 1 : 0
  return heatOf(now - time)
}

export const hotKindAt = ({ kinds }: Heat, address: number): HotKind => hotKinds[kinds?.[address] ?? 0] ?? 'changed'

const nowhere: AddressRange = { start: 0, end: 0 }

/**
 * Colours the addresses `start` to `end` (exclusive) of 64 KiB for ImageData.
 * @returns when the newest of their changes was; -Infinity for none
 */
export function paintHeat(
  bytes: Uint8Array,
  { since, kinds, heldFrom, noise, isStale }: Heat,
  now: number,
  table: Uint32Array,
  out: Uint32Array,
  start: number,
  end: number,
): number {
  const still = noise ?? nowhere
  const perMillisecond = HEAT_STEPS / FADE_MS
  const oldest = heldFrom === null ? now - FADE_MS : -Infinity
  let newest = -Infinity
  for (let address = start; address < end; address++) {
    const changed = since[address] ?? -Infinity
    let step = 0
    if (changed > oldest && (address < still.start || address >= still.end)) {
      if (heldFrom === null) step = ((changed - oldest) * perMillisecond) | 0
      else step = changed >= heldFrom ? HEAT_STEPS - 1 : 0
      if (step >= HEAT_STEPS) step = HEAT_STEPS - 1
      if (changed > newest) newest = changed
    }
    const isUnknown = step === 0 && isStale?.(address) === true
    out[address] =
      table[
        isUnknown
          ? CHEQUER + ((address ^ (address >> 8)) & 1)
          : (kinds?.[address] ?? 0) * PART + ((step << 8) | (bytes[address] ?? 0))
      ] ?? 0
  }
  return newest
}
