import { BANK_SIZE, decodeVideo } from '@shared/c64/video'
import type { SharedSpriteColours, SpriteLook } from '@shared/graphics/artwork'
import type { CellShape } from '@shared/graphics/blockPainter'
import { defaultGuessLimits, type GuessLimits } from '@shared/graphics/blockShape'
import type { BrowsedRange } from '@shared/graphics/browsedBlocks'
import { sharedSpriteColours, type GraphicsImage } from '@shared/graphics/grab'
import { z } from 'zod'
import { chosenNow } from '../../client/chosen'
import { useMachines } from '../../client/machines'
import type { ChosenOf } from '../../client/viewChoices'
import { memoized, useViewState } from '../../client/viewState'

export interface BrowserNumbers {
  /** Of the range of its own, inclusive. */
  readonly start: number
  readonly end: number
  readonly stride: number
  readonly cell: CellShape
  readonly limits: GuessLimits
}

export const MAX_CELL_SPRITES = 8

const bounded = (min: number, max: number, fallback: number) => z.int().min(min).max(max).catch(fallback)
const limit = (name: 'minSetBits' | 'maxSetBits' | 'minNonZeroRows', max: number) =>
  bounded(0, max, defaultGuessLimits[name])

const numbersSchema = z
  .object({
    start: bounded(0, 0xffff, 0),
    end: bounded(0, 0xffff, 0xffff),
    stride: bounded(1, 4096, 64),
    cell: z
      .object({
        columns: bounded(1, MAX_CELL_SPRITES, 1),
        rows: bounded(1, MAX_CELL_SPRITES, 1),
        isOverlay: z.boolean().catch(false),
      })
      .catch({ columns: 1, rows: 1, isOverlay: false }),
    limits: z
      .object({
        minSetBits: limit('minSetBits', 504),
        maxSetBits: limit('maxSetBits', 504),
        minNonZeroRows: limit('minNonZeroRows', 21),
        minContinuity: z.number().min(-1).max(1).catch(defaultGuessLimits.minContinuity),
        maxRepetition: z.number().min(0).max(1).catch(defaultGuessLimits.maxRepetition),
        skipUniform: z.boolean().catch(defaultGuessLimits.skipUniform),
        skipDuplicates: z.boolean().catch(defaultGuessLimits.skipDuplicates),
      })
      .catch(defaultGuessLimits),
  })
  .catch({
    start: 0,
    end: 0xffff,
    stride: 64,
    cell: { columns: 1, rows: 1, isOverlay: false },
    limits: defaultGuessLimits,
  })

const read = memoized((stored: unknown): BrowserNumbers => numbersSchema.parse(stored ?? {}))

export const useBrowserNumbers = () => useViewState('spriteBrowser.numbers', read)

/** @param vicBank the bank that the VIC-II uses now, 0 to 3 */
export function rangeOf(
  choice: ChosenOf<'spriteBrowser.range'>,
  { start, end, stride }: BrowserNumbers,
  vicBank: number,
): BrowsedRange {
  if (choice === 'whole') return { start: 0, end: 0x10000, stride }
  if (choice === 'own') return { start, end: end + 1, stride }
  const bank = choice === 'vic' ? vicBank : Number(choice.slice(-1))
  return { start: bank * BANK_SIZE, end: (bank + 1) * BANK_SIZE, stride }
}

export const vicBankOf = ({ io }: GraphicsImage): number => decodeVideo(io).bank

const colourOf = (choice: string): number => Number(choice.slice(1))

const firstBackgrounds = new Map<string, number>()

function firstBackground(now: number): number {
  const { front: machine } = useMachines.getState()
  const first = firstBackgrounds.get(machine) ?? now
  firstBackgrounds.set(machine, first)
  return first
}

export function sharedColoursNow(image: GraphicsImage): SharedSpriteColours {
  const own = sharedSpriteColours(image)
  const pick = (choice: string, of: number) => (choice === 'machine' ? of : colourOf(choice))
  const background = chosenNow('spriteBrowser.background')
  return {
    background: background === 'first' ? firstBackground(own.background) : pick(background, own.background),
    multicolour1: pick(chosenNow('spriteBrowser.multicolour1'), own.multicolour1),
    multicolour2: pick(chosenNow('spriteBrowser.multicolour2'), own.multicolour2),
  }
}

export function lookFor(used: SpriteLook | undefined, background: number): SpriteLook {
  const mode = chosenNow('spriteBrowser.mode')
  const chosen = colourOf(chosenNow('spriteBrowser.colour'))
  const colour = used?.colour ?? (chosen === background ? (background === 0 ? 1 : 0) : chosen)
  return {
    colour,
    multicolour: mode === 'auto' ? (used?.multicolour ?? false) : mode === 'multicolour',
    expandX: used?.expandX ?? false,
    expandY: used?.expandY ?? false,
  }
}
