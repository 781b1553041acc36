import { basename, extname, resolve } from 'node:path'
import { paletteNames, palettes, type PaletteName } from '@shared/c64/palettes'
import { MAX_VPL_BYTES, readVpl } from '@shared/c64/vpl'
import { drawnWith } from '@shared/c64/standInRom'
import { AppError } from '@shared/contract/errors'
import { MAX_GRAPHICS_FILE_BYTES } from '@shared/contract/graphics'
import { usesCharacterRom, type Artwork } from '@shared/graphics/artwork'
import { artworkText, countOf, loadedText, problemText } from '@shared/graphics/artworkText'
import { exportOptions } from '@shared/graphics/exportOptions'
import type { ExportOptions, GraphicsFormat, ReadArtwork } from '@shared/graphics/format'
import { formatNamed, graphicsFormats } from '@shared/graphics/formats'
import type { GraphicsImage } from '@shared/graphics/grab'
import { readGraphicsFile, refusalOf, writeGraphicsFile, type ReadGraphicsFile } from '@shared/graphics/graphicsFile'
import { MAX_PHOTO_FILE_BYTES } from '@shared/graphics/photo/photo'
import { readBounded } from '../files/readBounded'
import { choice, flag, number, optional, text, withDefault, type FilePath, type Optional } from './parameters'
import { saveFile } from './saveFile'
import type { Session } from './session'
import { UsageError } from './usageError'

const SHOWN_PROBLEMS = 5

const idsOf = (wanted: 'read' | 'write'): string[] =>
  graphicsFormats.filter((format) => format[wanted]).map(({ id }) => id)

export const readFormat = (help: string): Optional<string> => choice('FORMAT', help, idsOf('read'))
export const writeFormat = (help: string): Optional<string> => choice('FORMAT', help, idsOf('write'))

const numberOption = (name: 'scale' | 'columns' | 'animation' | 'address') => {
  const { help, min, max, usual } = exportOptions[name]
  return withDefault(number('N', help, { min, max }), usual)
}

export type PaletteChoice = PaletteName | FilePath

const isPaletteName = (name: string): name is PaletteName => Object.hasOwn(palettes, name)

export const paletteOption = {
  ...optional<PaletteChoice>(
    'PALETTE',
    `Colours of pictures: ${paletteNames.join(', ')}, or a palette file of VICE (.vpl). Default: pepto.`,
    (given, label, folder) => {
      if (isPaletteName(given)) return given
      if (/\.vpl$/i.test(given)) return { path: resolve(folder, given), written: given }
      throw new UsageError(
        `${label} is one of ${paletteNames.join(', ')}, or a palette file of VICE (.vpl), not “${given}”.`,
      )
    },
  ),
  completes: 'file' as const,
}

/**
 * Sixteen colours, 0xRRGGBB.
 * @throws AppError INVALID, with the line, where a palette file is damaged
 */
export async function paletteOf(choice: PaletteChoice | undefined): Promise<readonly number[]> {
  if (choice === undefined || typeof choice === 'string') return palettes[choice ?? 'pepto']
  const { colours, problems } = readVpl(
    new TextDecoder().decode(await readBounded(choice.path, MAX_VPL_BYTES, choice.written)),
  )
  if (colours) return colours
  const [problem] = problems
  throw new AppError('INVALID', `${choice.written}:${problem?.line ?? 1}: ${problem?.text ?? 'Not a palette.'}`, {
    hint: 'Give a palette file of VICE for the C64 (.vpl).',
  })
}

export const writeOptions = {
  name: text('NAME', exportOptions.name.help),
  numbers: withDefault<ExportOptions['numbers']>(
    choice('BASE', exportOptions.numbers.help, ['hex', 'binary', 'decimal']),
    exportOptions.numbers.usual,
  ),
  palette: paletteOption,
  scale: numberOption('scale'),
  opaque: flag('Pictures: sprites on their background colour instead of transparent.'),
  columns: numberOption('columns'),
  aspect: withDefault<ExportOptions['aspect']>(
    choice('ASPECT', exportOptions.aspect.help, ['square', 'pal', 'ntsc']),
    exportOptions.aspect.usual,
  ),
  animation: numberOption('animation'),
  address: numberOption('address'),
} as const

export interface WriteChoices {
  readonly name: string | undefined
  readonly numbers: ExportOptions['numbers']
  readonly palette: PaletteChoice | undefined
  readonly scale: number
  readonly opaque: boolean
  readonly columns: number
  readonly aspect: ExportOptions['aspect']
  readonly address: number
  readonly frameMs?: number
  readonly animation: number
}

const extensionOf = (path: string): string => extname(path).slice(1).toLowerCase()

/** @throws UsageError where the file's name gives no format, or one that cannot hold the artwork */
function formatToWrite(file: FilePath, artwork: Artwork, id: string | undefined): GraphicsFormat {
  const { kind } = artwork
  const named = id === undefined ? undefined : formatNamed(id)
  if (named) return named
  const extension = extensionOf(file.path)
  const fitting = graphicsFormats.filter(
    ({ write, kinds, extensions }) => write && kinds.includes(kind) && extensions.includes(extension),
  )
  const own = fitting.filter(({ extensions }) => extensions[0] === extension)
  const only = own.length === 1 ? own[0] : fitting.length === 1 ? fitting[0] : own.find(({ isNewest }) => isNewest)
  if (only) return only
  const other = graphicsFormats.find(({ write, extensions }) => write && extensions.includes(extension))
  const refusal = other && fitting.length === 0 ? refusalOf(other, [artwork]) : null
  const why = refusal ?? `“${basename(file.written)}” does not say in which format to write ${artworkText(artwork)}.`
  const choices =
    fitting.length > 0 ? fitting : graphicsFormats.filter((format) => refusalOf(format, [artwork]) === null)
  throw new UsageError(`${why} Give --format: ${choices.map(({ id }) => id).join(', ')}.`)
}

function hintFor(artworks: readonly Artwork[]): { hint?: string } {
  if (artworks.length === 1) return {}
  const ids = graphicsFormats.filter((format) => refusalOf(format, artworks) === null).map(({ id }) => id)
  const several = ids.length === 0 ? '' : `Formats that hold several: ${ids.join(', ')}. `
  return { hint: `${several}\`graphics convert --pick\` takes one of a file.` }
}

export interface WrittenFile {
  readonly file: string
  readonly format: string
  readonly bytes: number
  readonly notes: readonly string[]
}

export interface RomForFile {
  readonly romCharacters: Uint8Array
  readonly notes: readonly string[]
}

const noRom: RomForFile = { romCharacters: new Uint8Array(4096), notes: [] }

export const romForFiles =
  (openSession: () => Promise<Pick<Session, 'client'>>, signal: AbortSignal) => async (): Promise<RomForFile> => {
    const { client } = await openSession()
    const rom = await client.call('memory.standInRom', {}, signal)
    return { romCharacters: rom.bytes, notes: [drawnWith(rom)] }
  }

export const romOfImage =
  ({ characterRom, romNote }: GraphicsImage) =>
  (): Promise<RomForFile> =>
    Promise.resolve({
      romCharacters: characterRom ?? noRom.romCharacters,
      notes: romNote === undefined ? [] : [romNote],
    })

export async function writeArtworks(
  file: FilePath,
  artworks: readonly Artwork[],
  id: string | undefined,
  choices: WriteChoices,
  readRom: () => Promise<RomForFile>,
): Promise<WrittenFile> {
  const [first] = artworks
  if (!first) throw new AppError('INVALID', 'There is nothing to write.')
  const format = formatToWrite(file, first, id)
  const refusal = refusalOf(format, artworks)
  if (refusal !== null) throw new AppError('INVALID', refusal, hintFor(artworks))
  const { opaque, palette, name, ...rest } = choices
  const isDrawn = format.options.includes('romCharacters') && artworks.some(usesCharacterRom)
  const { romCharacters, notes } = isDrawn ? await readRom() : noRom
  const bytes = writeGraphicsFile(format, artworks, {
    ...rest,
    isTransparent: !opaque,
    palette: await paletteOf(palette),
    romCharacters,
    name: name ?? basename(file.path, extname(file.path)),
  })
  await saveFile(file, bytes)
  return { file: file.path, format: format.id, bytes: bytes.length, notes }
}

/**
 * @param pick counted from 1; all when left out
 * @throws AppError INVALID where nothing of it can be loaded, or it is no file of graphics
 */
export async function readArtworks(
  file: FilePath,
  id: string | undefined,
  pick: number | undefined,
  palette: PaletteChoice | undefined,
): Promise<ReadGraphicsFile> {
  const bytes = await readBounded(file.path, MAX_GRAPHICS_FILE_BYTES, file.written)
  const colours = palette === undefined ? undefined : await paletteOf(palette)
  const read = readGraphicsFile(bytes, extensionOf(file.path), id, { palette: colours })
  if (!read)
    throw new AppError('INVALID', `${file.written} is no known file of graphics.`, {
      hint: 'Give its format with --from; bridgedeck graphics formats lists them.',
    })
  const { artworks } = read
  if (artworks.length === 0) throw damaged(file, read.format, read)
  if (pick === undefined) return read
  const picked = artworks[pick - 1]
  if (picked) return { ...read, artworks: [picked] }
  throw new AppError('INVALID', `${file.written} holds ${artworks.length}, and none with the number ${pick}.`)
}

export const pickOption = () => number('N', 'Only this one of several in FILE, counted from 1.', { min: 1, max: 4096 })

export const readPhotoFile = ({ path, written }: FilePath): Promise<Uint8Array> =>
  readBounded(path, MAX_PHOTO_FILE_BYTES, written)

export function damaged(file: FilePath, format: GraphicsFormat, { artworks, problems }: ReadArtwork): AppError {
  const shown = problems.slice(0, SHOWN_PROBLEMS).map(problemText)
  const more = problems.length > shown.length ? [`and ${problems.length - shown.length} more problems`] : []
  return new AppError(
    'INVALID',
    `${file.written} is no sound ${format.title} file. ${[...shown, ...more].join(' ')} ${loadedText(artworks)}`,
  )
}

export function notesOf({ notes = [] }: ReadArtwork): string[] {
  const shown = notes.slice(0, SHOWN_PROBLEMS).map(problemText)
  return notes.length > shown.length ? [...shown, `And ${notes.length - shown.length} more notes.`] : shown
}

export const artworkData = (artwork: Artwork) => ({ kind: artwork.kind, name: artwork.name, count: countOf(artwork) })
