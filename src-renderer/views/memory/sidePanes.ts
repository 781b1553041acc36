import { z } from 'zod'
import type { AddressRange } from '@shared/c64/address'
import { address, type Space } from '@shared/contract/memory'
import { rowLengths, wholeRows } from './hexGrid/rows'
import { spaceRange } from './spaceRange'

/** Besides the first one. */
export const MAX_SIDE_PANES = 3

export const paneSpaces = ['cpu', 'ram', 'rom', 'io', 'colorRam'] as const satisfies readonly Space[]
export const paneContents = ['bytes', 'names', 'code', 'instructions'] as const
export const paneTexts = ['auto', 'petscii', 'screen'] as const

const paneSchema = z.strictObject({
  id: z.int().min(1).max(1_000_000),
  shows: z.enum(paneContents),
  space: z.enum(paneSpaces),
  /** Both ends included; null for all of its memory. */
  range: z.strictObject({ first: address, last: address }).nullable(),
  cursor: address,
  text: z.enum(paneTexts),
  /** Bytes per row; null for as many as fit. */
  columns: z.literal(rowLengths).nullable(),
})
export type SidePane = z.infer<typeof paneSchema>

const panesSchema = z
  .array(paneSchema)
  .max(MAX_SIDE_PANES)
  .refine((panes) => new Set(panes.map(({ id }) => id)).size === panes.length)

export const readPanes = (stored: unknown): readonly SidePane[] => panesSchema.safeParse(stored).data ?? []

type PaneContent = Pick<SidePane, 'shows' | 'space' | 'range' | 'cursor'>

/** Unchanged once the limit is reached. */
export function withPane(panes: readonly SidePane[], content: PaneContent): readonly SidePane[] {
  if (panes.length >= MAX_SIDE_PANES) return panes
  const id = Math.max(0, ...panes.map((pane) => pane.id)) + 1
  return [...panes, { id, text: 'auto', columns: null, ...content }]
}

export const bytesFrom = (cursor: number): PaneContent => ({ shows: 'bytes', space: 'ram', range: null, cursor })

/** As the CPU sees it: $00 and $01 are its port. */
export const zeroPageByName: PaneContent = { shows: 'names', space: 'cpu', range: { first: 0, last: 0xff }, cursor: 0 }

export const showsZeroPage = ({ shows, range }: SidePane): boolean =>
  shows === 'names' && range?.first === 0 && range.last === 0xff

export const withoutPane = (panes: readonly SidePane[], id: number): readonly SidePane[] =>
  panes.filter((pane) => pane.id !== id)

export const withChange = (panes: readonly SidePane[], id: number, change: Partial<SidePane>): readonly SidePane[] =>
  panes.map((pane) => (pane.id === id ? { ...pane, ...change } : pane))

/** Whole rows, except for names. */
export function paneRange({ shows, space, range }: SidePane): AddressRange {
  const all = spaceRange(space)
  if (range === null) return all
  const exact = { start: range.first, end: range.last + 1 }
  const { start, end } = shows === 'names' ? exact : wholeRows(exact)
  const [first, last] = [Math.max(all.start, start), Math.min(all.end, end)]
  return last > first ? { start: first, end: last } : all
}
