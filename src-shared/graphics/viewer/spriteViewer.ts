import { AppError } from '../../contract/errors'
import type { SpriteSheet } from '../artwork'
import { assembled } from './assembled'

const BANK = 0x4000
/** Its last eight bytes are the sprite pointers. */
const SCREEN = 0x4000
const SPRITES = 0x4400
const BANK_END = 0x8000
const BLOCK = 64
const SLOTS = 8
/** Behind the sprites' data, a frame has this many bytes: see {@link frameBytes}. */
const FRAME = 8
const TABLES = BANK_END
/** Exclusive: from here on BASIC's ROM covers RAM. */
const TABLES_END = 0xa000
const PAGE_MS = 1000
const MS_PER_PICTURE = 20
const MAX_PICTURES = 255

interface Frame {
  readonly sprite: number | null
  readonly pictures: number
  readonly place: number
}

/** In the VIC-II's coordinates, with room for expanded sprites. */
export const placeOf = (place: number): { readonly x: number; readonly y: number } => ({
  x: 48 + (place % 4) * 72,
  y: 80 + Math.floor(place / 4) * 72,
})

function layersOf({ sprites }: SpriteSheet, first: number): number[] {
  const layers = [first]
  while (sprites[first + layers.length]?.overlay) layers.push(first + layers.length)
  return layers
}

export function spriteViewer(sheet: SpriteSheet): Uint8Array {
  const { sprites } = sheet
  const room = (BANK_END - SPRITES) / BLOCK - 1
  if (sprites.length === 0) throw new AppError('INVALID', 'There are no sprites.')
  if (sprites.length > room)
    throw new AppError('INVALID', `The viewer holds ${room} sprites at most, not ${sprites.length}.`)
  const slots = sheet.animations.length > 0 ? animationSlots(sheet) : pageSlots(sheet)
  const lists = slots.map((frames) => frames.flatMap((frame) => frameBytes(frame, sheet)).concat(0))
  const tables = Uint8Array.from(lists.flat())
  if (TABLES + tables.length > TABLES_END)
    throw new AppError(
      'INVALID',
      `The viewer has room for ${TABLES_END - TABLES} bytes of frames, not ${tables.length}.`,
    )
  const starts = lists.map((_, slot) => TABLES + lists.slice(0, slot).flat().length)
  const data = new Uint8Array((room + 1) * BLOCK)
  sprites.forEach(({ bytes }, index) => {
    data.set(bytes, index * BLOCK)
  })
  return assembled(code(sheet, starts), [
    { address: SPRITES, bytes: data },
    { address: TABLES, bytes: tables },
  ])
}

function animationSlots(sheet: SpriteSheet): Frame[][] {
  const slots = sheet.animations.flatMap(({ frames, isPingPong }, place) => {
    const all = [...frames, ...(isPingPong ? frames.slice(1, -1).reverse() : [])]
    const depth = Math.max(0, ...all.map(({ sprite }) => layersOf(sheet, sprite).length))
    // The VIC-II shows a lower sprite number in front of a higher one.
    return Array.from({ length: depth }, (_, layer) =>
      all.flatMap(({ sprite, ms }) => timed(layersOf(sheet, sprite)[depth - 1 - layer] ?? null, ms, place)),
    )
  })
  if (sheet.animations.length > SLOTS || slots.length > SLOTS)
    throw new AppError('INVALID', `The VIC-II shows ${SLOTS} sprites; these animations need ${slots.length}.`)
  return slots
}

function pageSlots(sheet: SpriteSheet): Frame[][] {
  const pages: number[][][] = []
  for (let first = 0; first < sheet.sprites.length;) {
    const layers = layersOf(sheet, first)
    if (layers.length > SLOTS)
      throw new AppError('INVALID', `The VIC-II shows ${SLOTS} sprites; ${layers.length} lie over each other here.`)
    const page = pages.at(-1)
    if (page && page.flat().length + layers.length <= SLOTS) page.push(layers)
    else pages.push([layers])
    first += layers.length
  }
  const shown = pages.map((groups) =>
    groups.flatMap((layers, place) => layers.toReversed().map((sprite) => ({ sprite, place }))),
  )
  return Array.from({ length: SLOTS }, (_, slot) =>
    shown.flatMap((page) => timed(page[slot]?.sprite ?? null, PAGE_MS, page[slot]?.place ?? 0)),
  )
}

function timed(sprite: number | null, ms: number, place: number): Frame[] {
  let left = Math.max(1, Math.round(ms / MS_PER_PICTURE))
  const frames: Frame[] = []
  for (; left > 0; left -= MAX_PICTURES) frames.push({ sprite, place, pictures: Math.min(left, MAX_PICTURES) })
  return frames
}

/** Pictures, pointer, colour, multicolour, expansions, place: what the code below reads in this order. */
function frameBytes({ sprite, pictures, place }: Frame, { sprites }: SpriteSheet): number[] {
  const { x, y } = placeOf(place)
  const shown = sprite === null ? undefined : sprites[sprite]
  const empty = (BANK_END - BLOCK - BANK) / BLOCK
  const flags = (shown?.multicolour ? 1 : 0) | (shown?.expandX ? 2 : 0) | (shown?.expandY ? 4 : 0) | (x > 255 ? 8 : 0)
  const pointer = sprite === null ? empty : (SPRITES - BANK) / BLOCK + sprite
  return [pictures, pointer, shown?.colour ?? 0, flags, x & 0xff, y, 0, 0]
}

const BIT_REGISTERS = [0xd01c, 0xd01d, 0xd017, 0xd010]
const POINTER = 0xfb

const code = (sheet: SpriteSheet, starts: readonly number[]): string[] => [
  ' lda #$0b',
  ' sta $d011',
  ' lda $dd00',
  ' and #$fc',
  ' ora #2',
  ' sta $dd00',
  ` lda #${sheet.background}`,
  ' sta $d020',
  ' sta $d021',
  ` lda #${sheet.multicolour1}`,
  ' sta $d025',
  ` lda #${sheet.multicolour2}`,
  ' sta $d026',
  // A bitmap of zeros would need room behind the sprites; text in the background's colour does not.
  ' lda #$04',
  ' sta $d018',
  ' lda #$c8',
  ' sta $d016',
  ' lda #0',
  ' sta $d01b',
  ' ldx #0',
  `clear lda #${sheet.background}`,
  ...[0, 0x100, 0x200, 0x2e8].map((page) => ` sta ${0xd800 + page},x`),
  ' inx',
  ' bne clear',
  ` lda #${(1 << starts.length) - 1}`,
  ' sta $d015',
  ' ldx #0',
  'begin lda #1',
  ' sta count,x',
  ' lda lows,x',
  ' sta low,x',
  ' lda highs,x',
  ' sta high,x',
  ' inx',
  ` cpx #${starts.length}`,
  ' bne begin',
  ' lda #$1b',
  ' sta $d011',
  'picture lda $d011',
  ' bpl picture',
  'above lda $d011',
  ' bmi above',
  'wait lda $d012',
  ' cmp #250',
  ' bne wait',
  ' ldx #0',
  'slot dec count,x',
  ' beq due',
  ' jmp next',
  'due lda low,x',
  ` sta ${POINTER}`,
  ' lda high,x',
  ` sta ${POINTER + 1}`,
  ' ldy #0',
  ` lda (${POINTER}),y`,
  ' bne load',
  ' lda lows,x',
  ` sta ${POINTER}`,
  ' lda highs,x',
  ` sta ${POINTER + 1}`,
  ` lda (${POINTER}),y`,
  'load sta count,x',
  ' iny',
  ` lda (${POINTER}),y`,
  ` sta ${SCREEN + 0x3f8},x`,
  ' iny',
  ` lda (${POINTER}),y`,
  ' sta $d027,x',
  ' iny',
  ` lda (${POINTER}),y`,
  ' sta flags',
  ...BIT_REGISTERS.flatMap((register, index) => [
    ' lsr flags',
    ` bcs set${index}`,
    ` lda ${register}`,
    ' and others,x',
    ` jmp put${index}`,
    `set${index} lda ${register}`,
    ' ora bits,x',
    `put${index} sta ${register}`,
  ]),
  ' txa',
  ' asl',
  ' tax',
  ' iny',
  ` lda (${POINTER}),y`,
  ' sta $d000,x',
  ' iny',
  ` lda (${POINTER}),y`,
  ' sta $d001,x',
  ' txa',
  ' lsr',
  ' tax',
  ' clc',
  ` lda ${POINTER}`,
  ` adc #${FRAME}`,
  ' sta low,x',
  ` lda ${POINTER + 1}`,
  ' adc #0',
  ' sta high,x',
  'next inx',
  ` cpx #${starts.length}`,
  ' beq done',
  ' jmp slot',
  'done jmp picture',
  `lows .byte ${starts.map((start) => start & 0xff).join(',')}`,
  `highs .byte ${starts.map((start) => start >> 8).join(',')}`,
  'bits .byte 1,2,4,8,16,32,64,128',
  'others .byte 254,253,251,247,239,223,191,127',
  'count .byte 0,0,0,0,0,0,0,0',
  'low .byte 0,0,0,0,0,0,0,0',
  'high .byte 0,0,0,0,0,0,0,0',
  'flags .byte 0',
]
