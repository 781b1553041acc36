import type { MemoryRun } from '@shared/contract/memory'
import type { Place } from '@shared/graphics/edit/model'
import { changesBetween } from '@shared/graphics/edit/surface'
import { create } from 'zustand'

export interface Unwritten {
  readonly bytes: number
  readonly reason: string
}

export const useUnwritten = create<Readonly<Record<string, Unwritten>>>(() => ({}))

export interface ByteChange {
  readonly place: Place
  readonly offset: number
  readonly before: Uint8Array
  readonly after: Uint8Array
}

export interface Step {
  /** For the sheet, the machine that was in front. */
  readonly machine: string
  readonly changes: readonly ByteChange[]
}

type UnwrittenByte = Omit<MemoryRun, 'bytes'> & { readonly value: number }

export function withoutUnwritten(
  steps: readonly Step[],
  unwritten: readonly UnwrittenByte[],
  shown: (byte: UnwrittenByte) => number,
): readonly Step[] {
  const keyOf = (space: string, address: number) => `${space} ${address}`
  const values = new Map(unwritten.map((byte) => [keyOf(byte.space, byte.address), { ...byte, is: shown(byte) }]))
  const kept = steps.toReversed().map(({ machine, changes }) => ({
    machine,
    changes: changes.flatMap(({ place, offset, before, after }): ByteChange[] => {
      if (place.in !== 'machine') return [{ place, offset, before, after }]
      const left = after.slice()
      after.forEach((byte, index) => {
        const known = values.get(keyOf(place.space, place.address + offset + index))
        if (!known || known.value !== byte || known.value === known.is) return
        left[index] = known.value = before[index] ?? 0
      })
      return changesBetween([before], [left]).map((run) => ({
        place,
        offset: offset + run.offset,
        before: run.before,
        after: run.after,
      }))
    }),
  }))
  return kept.toReversed().filter(({ changes }) => changes.length > 0)
}
