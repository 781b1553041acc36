import { decodeApng } from 'fast-png'
import { crc32 } from '../../pngWriter'
import type { FormatProblem } from '../format'
import { decodePng, pngRgba, rowBytes, unpack } from '../photo/png'
import type { RgbaPicture } from './paletteOf'

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const IHDR = 8
const CHUNK_FRAME = 12
const SEQUENCE_BYTES = 4
const MAX_PIXELS = 40_000_000
const MAX_FRAMES = 4096
const MAX_TEXT_BYTES = 4_194_304

export interface PngFrame extends RgbaPicture {
  /** How long it is shown, ms; 0 in a still picture. */
  readonly ms: number
}

export interface PngFile {
  readonly frames: readonly PngFrame[]
  readonly problems: readonly FormatProblem[]
  readonly text: Uint8Array | null
}

interface Chunk {
  readonly name: string
  readonly offset: number
  readonly data: Uint8Array
}

export const isPng = (file: Uint8Array): boolean => SIGNATURE.every((byte, at) => file[at] === byte)

const broken = (offset: number, text: string): PngFile => ({ frames: [], problems: [{ offset, text }], text: null })

export function readPngFile(file: Uint8Array, keyword: string): PngFile {
  const wrong = SIGNATURE.findIndex((byte, at) => file[at] !== byte)
  if (wrong >= 0) return broken(wrong, 'Expected the eight bytes with which each PNG file begins.')
  const { chunks, problem } = chunksOf(file)
  if (problem) return { ...broken(problem.offset, problem.text) }
  const header = chunks[0]?.data
  if (chunks[0]?.name !== 'IHDR' || header?.length !== 13) return broken(IHDR, 'Expected the chunk IHDR of 13 bytes.')
  const view = new DataView(header.buffer, header.byteOffset)
  const [width, height] = [view.getUint32(0), view.getUint32(4)]
  if (width * height === 0 || width * height > MAX_PIXELS)
    return broken(IHDR + 8, `Expected up to ${MAX_PIXELS} pixels, found ${width} x ${height}.`)
  const isAnimated = chunks.some(({ name }) => name === 'acTL')
  if (isAnimated && header[12] === 1) return broken(IHDR + 20, 'Expected an animated PNG that is not interlaced.')
  const frames = chunks.filter(({ name }) => name === 'fcTL').length
  if (frames > MAX_FRAMES || frames * width * height > MAX_PIXELS)
    return broken(IHDR, `Expected up to ${MAX_FRAMES} pictures with ${MAX_PIXELS} pixels, found ${frames}.`)
  try {
    if (isAnimated) requirePackedPixels(chunks, rowBytes(header, width, height))
    const found = isAnimated ? framesOf(file) : [{ ...decodePng(file), ms: 0 }]
    return { frames: found, problems: [], text: textOf(chunks, keyword) }
  } catch {
    const data = chunks.find(({ name }) => name === 'IDAT')
    return broken(
      data?.offset ?? file.length,
      'Expected packed lines of pixels in the chunk IDAT; they cannot be unpacked.',
    )
  }
}

function chunksOf(file: Uint8Array): { readonly chunks: Chunk[]; readonly problem: FormatProblem | null } {
  const chunks: Chunk[] = []
  const view = new DataView(file.buffer, file.byteOffset, file.length)
  for (let at = IHDR; ;) {
    if (at + CHUNK_FRAME > file.length) return cut(chunks, at, file)
    const length = view.getUint32(at)
    const end = at + CHUNK_FRAME + length
    if (end > file.length) return cut(chunks, at, file)
    const name = String.fromCharCode(...file.subarray(at + 4, at + 8))
    if (crc32(file.subarray(at + 4, end - 4)) !== view.getUint32(end - 4))
      return {
        chunks,
        problem: {
          offset: end - 4,
          text: `Expected the check sum of the chunk ${shown(name)}; its bytes have another one.`,
        },
      }
    chunks.push({ name, offset: at, data: file.subarray(at + 8, end - 4) })
    if (name === 'IEND') return { chunks, problem: null }
    at = end
  }
}

const cut = (chunks: Chunk[], at: number, file: Uint8Array) => ({
  chunks,
  problem: { offset: file.length, text: `Expected a whole chunk at ${at}, found the end of the file.` },
})

const shown = (name: string): string => name.replace(/[^A-Za-z]/g, '?')

function textOf(chunks: readonly Chunk[], keyword: string): Uint8Array | null {
  for (const { name, data } of chunks) {
    if (name !== 'zTXt') continue
    const end = data.indexOf(0)
    if (String.fromCharCode(...data.subarray(0, Math.max(0, Math.min(end, 80)))) === keyword)
      return unpack([data.subarray(end + 2)], MAX_TEXT_BYTES)
  }
  return null
}

/** @throws AppError INVALID where a frame unpacks to more than its pixels take */
function requirePackedPixels(chunks: readonly Chunk[], most: number): void {
  let parts: Uint8Array[] = []
  for (const { name, data } of chunks) {
    if (name === 'IDAT') parts.push(data)
    if (name === 'fdAT') parts.push(data.subarray(SEQUENCE_BYTES))
    if (name !== 'fcTL' && name !== 'IEND') continue
    unpack(parts, most)
    parts = []
  }
}

function framesOf(file: Uint8Array): PngFrame[] {
  const { frames, ...png } = decodeApng(file)
  return frames.map(({ data, delayNumber, delayDenominator }) => ({
    ...pngRgba({ ...png, data }),
    ms: Math.round((delayNumber * 1000) / (delayDenominator || 100)),
  }))
}
