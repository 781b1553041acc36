/**
 * Petmate: a JSON workspace of screens, and of character sets that they use by name. Version 1 has no sets. Sources:
 * Petmate's src/utils/index.ts and src/redux/workspace.ts, files of petmate9.
 */
import { strFromU8, strToU8 } from 'fflate'
import { z } from 'zod'
import { isJsonObject, type JsonObject } from '../../json'
import {
  CHARACTER_BYTES,
  MAX_MAP_CELLS,
  type Artwork,
  type CharacterSet,
  type ScreenCharacters,
  type TextScreen,
} from '../artwork'
import type { GraphicsFormat, ReadArtwork } from '../format'
import { JsonFile } from './jsonFile'
import { cannotHold, Problems } from './readBytes'

const VERSION = 2
const MAX_SCREENS = 1024
const MAX_SETS = 256
const SET_BYTES = 256 * CHARACTER_BYTES
const SPACE = 32
const HEAD_BYTES = 4096

/** Sets of Petmate 9 that are not in its files, with the nearest set of the C64. */
const setsOfOthers = new Map<string, { readonly title: string; readonly nearest: 'upper' | 'lower' }>(
  [
    ['dirart', 'dirart', 'directory art'],
    ['cbaseUpper', 'cbaseLower', 'c-base'],
    ['c16Upper', 'c16Lower', 'the C16'],
    ['c128Upper', 'c128Lower', 'the C128'],
    ['c128vdc', 'c128vdc', 'the C128 with 80 columns'],
    ['vic20Upper', 'vic20Lower', 'the VIC-20'],
    ['petGfx', 'petBiz', 'the PET'],
  ].flatMap(([upper = '', lower = '', of = '']) => [
    [lower, { title: `${of}, lower case`, nearest: 'lower' }] as const,
    [upper, { title: `${of}${upper === lower ? '' : ', upper case'}`, nearest: 'upper' }] as const,
  ]),
)

/** Above 15 on other machines that Petmate 9 supports. */
const colour = z.int('expected a colour from 0 to 15').min(0)
const colourOfC64 = (number: number): number => number & 0x0f
const cellSchema = z.object({ code: z.int().min(0), color: z.int().min(0) })
const screenSchema = z.object({
  width: z.int().min(1).max(MAX_MAP_CELLS),
  height: z.int().min(1).max(MAX_MAP_CELLS),
  backgroundColor: colour,
  borderColor: colour,
  charset: z.string().default('upper'),
  name: z.string().default(''),
  framebuf: z.array(z.array(cellSchema)),
})
type Framebuffer = z.infer<typeof screenSchema>
const fontSchema = z.object({
  name: z.string().default(''),
  font: z.object({ bits: z.array(z.int().min(0).max(255)).max(SET_BYTES) }),
})

export const petmate: GraphicsFormat = {
  id: 'petmate',
  title: 'Petmate',
  extensions: ['petmate'],
  kinds: ['screen', 'characters'],
  holdsMany: true,
  options: [],
  likeness: (file, extension) => {
    if (extension === 'petmate') return 'likely'
    const start = strFromU8(file.subarray(0, HEAD_BYTES), true)
    return /^\s*\{/.test(start) && start.includes('"framebufs"') ? 'likely' : 'no'
  },
  read,
  leavesOut: (artworks) => (artworks.some(({ kind }) => kind === 'characters') ? ['colours of character sets'] : []),
  write,
}

function read(file: Uint8Array): ReadArtwork {
  const problems = new Problems()
  const json = new JsonFile(file, problems)
  const { value } = json
  if (value === undefined) return problems.with([])
  if (!isJsonObject(value) || !Array.isArray(value.framebufs)) {
    json.add([], 'Expected an object with a list of screens (framebufs).')
    return problems.with([])
  }
  const fonts = readFonts(json, value)
  const used = new Set<string>()
  const screens: Artwork[] = []
  for (const n of orderOf(json, value, value.framebufs.length)) {
    const screen = json.read(value.framebufs[n], screenSchema, ['framebufs', n])
    if (screen === null) continue
    used.add(screen.charset)
    const read = screenOf(json, n, screen, fonts)
    if (read !== null) screens.push(read)
  }
  const sets = [...fonts].filter(([id]) => !used.has(id)).map(([, set]) => set)
  return problems.with([...screens, ...sets])
}

function orderOf(json: JsonFile, { screens }: JsonObject, count: number): number[] {
  const listed = screens === undefined ? null : json.read(screens, z.array(z.int().min(0)), ['screens'])
  const order = listed ?? Array.from({ length: count }, (_, n) => n)
  const missing = order.findIndex((n) => n >= count)
  if (missing >= 0)
    json.add(['screens', missing], `Expected the number of one of ${count} screens, found ${order[missing] ?? 0}.`)
  if (order.length > MAX_SCREENS)
    json.add(['screens', MAX_SCREENS], `Expected up to ${MAX_SCREENS} screens, found ${order.length}.`)
  return order.filter((n) => n < count).slice(0, MAX_SCREENS)
}

function readFonts(json: JsonFile, { customFonts }: JsonObject): Map<string, CharacterSet> {
  const fonts = new Map<string, CharacterSet>()
  if (!isJsonObject(customFonts)) return fonts
  for (const [id, value] of Object.entries(customFonts).slice(0, MAX_SETS)) {
    const read = json.read(value, fontSchema, ['customFonts', id])
    if (read === null) continue
    const bytes = new Uint8Array(SET_BYTES)
    bytes.set(read.font.bits)
    fonts.set(id, {
      kind: 'characters',
      name: read.name,
      mode: 'text',
      bytes,
      colour: 14,
      backgrounds: [6, 0, 0, 0],
      colours: null,
      materials: null,
      tiles: null,
      map: null,
    })
  }
  return fonts
}

function screenOf(
  json: JsonFile,
  n: number,
  screen: Framebuffer,
  fonts: ReadonlyMap<string, CharacterSet>,
): TextScreen | null {
  const { width, height, framebuf } = screen
  const path = ['framebufs', n, 'framebuf']
  if (width * height > MAX_MAP_CELLS) {
    json.add(['framebufs', n, 'width'], `Expected up to ${MAX_MAP_CELLS} characters, found ${width} x ${height}.`)
    return null
  }
  if (framebuf.length !== height) json.add(path, `Expected ${height} rows, found ${framebuf.length}.`)
  const short = framebuf.findIndex((row) => row.length !== width)
  if (short >= 0)
    json.add([...path, short], `Expected ${width} characters in row ${short}, found ${framebuf[short]?.length ?? 0}.`)
  const foreign = framebuf.findIndex((row) => row.some(({ code, color }) => code > 255 || color > 15))
  if (foreign >= 0)
    json.note(
      [...path, foreign],
      `Row ${foreign} has codes above 255, which are loaded as spaces, or colours above 15, of which the low four bits are loaded.`,
    )
  if (Math.max(screen.backgroundColor, screen.borderColor) > 15)
    json.note(
      ['framebufs', n, 'backgroundColor'],
      'The background or border has a colour above 15, which the C64 does not have; its low four bits are loaded.',
    )
  const codes = new Uint8Array(width * height).fill(SPACE)
  const colours = new Uint8Array(width * height)
  framebuf.slice(0, height).forEach((row, y) =>
    row.slice(0, width).forEach(({ code, color }, x) => {
      codes[y * width + x] = code > 255 ? SPACE : code
      colours[y * width + x] = colourOfC64(color)
    }),
  )
  return {
    kind: 'screen',
    name: screen.name,
    mode: 'text',
    columns: width,
    rows: height,
    codes,
    colours,
    backgrounds: [colourOfC64(screen.backgroundColor), 0, 0, 0],
    border: colourOfC64(screen.borderColor),
    characters: charactersOf(json, n, screen.charset, fonts),
  }
}

function charactersOf(
  json: JsonFile,
  n: number,
  charset: string,
  fonts: ReadonlyMap<string, CharacterSet>,
): ScreenCharacters {
  if (charset === 'upper' || charset === 'lower') return charset
  const font = fonts.get(charset)
  if (font) return font.bytes
  const other = setsOfOthers.get(charset)
  if (other) {
    const set = other.nearest === 'upper' ? 'upper case set' : 'lower case set'
    json.note(
      ['framebufs', n, 'charset'],
      `The screen has the character set of ${other.title}; it is loaded with the C64’s ${set}.`,
    )
    return other.nearest
  }
  json.note(
    ['framebufs', n, 'charset'],
    `The character set “${charset}” is neither of the C64 nor in this file; the screen is loaded with the upper case set.`,
  )
  return 'upper'
}

class Fonts {
  readonly all: Record<string, { name: string; font: { bits: number[]; charOrder: number[] } }> = {}
  readonly #ids = new Map<string, string>()

  idOf(bytes: Uint8Array, name: string): string {
    const key = bytes.join()
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    const number = this.#ids.size + 1
    const id = `custom_${number}`
    const bits = [...bytes, ...Array<number>(SET_BYTES - bytes.length).fill(0)]
    this.all[id] = {
      name: name || `Custom ${number}`,
      font: { bits, charOrder: Array.from({ length: 256 }, (_, n) => n) },
    }
    this.#ids.set(key, id)
    return id
  }
}

function write(artworks: readonly Artwork[]): Uint8Array {
  const screens = artworks.filter((artwork): artwork is TextScreen => artwork.kind === 'screen')
  if (screens.length === 0) throw cannotHold('A Petmate file has one screen at least.')
  if (screens.length > MAX_SCREENS)
    throw cannotHold(`A file holds up to ${MAX_SCREENS} screens; these are ${screens.length}.`)
  const fonts = new Fonts()
  const framebufs = screens.map((screen) => framebufferOf(screen, fonts))
  for (const artwork of artworks) {
    if (artwork.kind === 'screen') continue
    if (artwork.kind !== 'characters') throw cannotHold('A Petmate file holds screens and character sets only.')
    checkSet(artwork)
    fonts.idOf(artwork.bytes, artwork.name)
  }
  const workspace = { version: VERSION, screens: framebufs.map((_, n) => n), framebufs, customFonts: fonts.all }
  return strToU8(`${JSON.stringify(workspace)}\n`)
}

function checkSet({ mode, bytes, tiles, map }: CharacterSet): void {
  if (mode !== 'text' || bytes.length > SET_BYTES)
    throw cannotHold('A character set in a Petmate file has up to 256 characters, in the standard text mode.')
  if (tiles ?? map) throw cannotHold('A Petmate file holds no tiles and no map.')
}

function framebufferOf(screen: TextScreen, fonts: Fonts): Framebuffer {
  const { columns, rows, codes, colours, characters, name } = screen
  if (screen.mode !== 'text')
    throw cannotHold(`A Petmate screen is in the standard text mode; “${name}” is in another one.`)
  return {
    width: columns,
    height: rows,
    backgroundColor: screen.backgrounds[0],
    borderColor: screen.border,
    charset: typeof characters === 'string' ? characters : fonts.idOf(characters, name),
    name,
    framebuf: Array.from({ length: rows }, (_, y) =>
      Array.from({ length: columns }, (_unused, x) => ({
        code: codes[y * columns + x] ?? SPACE,
        color: (colours[y * columns + x] ?? 0) & 0x0f,
      })),
    ),
  }
}
