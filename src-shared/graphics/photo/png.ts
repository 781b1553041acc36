import { convertIndexedToRgb, decode, type DecodedPng } from 'fast-png'
import { Unzlib } from 'fflate'
import { withoutInterlace } from './adam7'
import { damaged, long, notUnpacked, requireSize, type Photo } from './photo'

const SIGNATURE_BYTES = 8
const CHUNK_FRAME_BYTES = 12
const HEADER_BYTES = 13
const INTERLACE = 12
const ADAM7 = 1
const STORED_BLOCK_BYTES = 0xffff
const INPUT_PART_BYTES = 0x1_0000
const neededChunks = ['IHDR', 'PLTE', 'tRNS']
const channelsOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

interface Chunks {
  readonly needed: readonly Uint8Array[]
  readonly data: readonly Uint8Array[]
  readonly header: Uint8Array
}

/** @throws AppError INVALID with the byte offset where the file is damaged */
export function decodePng(file: Uint8Array): Photo {
  const chunks = readChunks(file)
  const [width, height] = [long(chunks.header, 0), long(chunks.header, 4)]
  requireSize(width, height)
  const rows = unpack(chunks.data, rowBytes(chunks.header, width, height))
  return pngRgba(decodeStored(...plainRows(chunks, rows)))
}

/** The decoder reads interlaced pictures only of whole bytes. */
function plainRows({ needed, header }: Chunks, rows: Uint8Array): [readonly Uint8Array[], Uint8Array] {
  if (header[INTERLACE] !== ADAM7) return [needed, rows]
  const plainHeader = header.slice()
  plainHeader[INTERLACE] = 0
  const shape = { width: long(header, 0), height: long(header, 4), bitsPerPixel: bitsPerPixel(header) }
  const others = needed.filter((part) => part[4] !== 'I'.charCodeAt(0))
  return [[chunk('IHDR', plainHeader), ...others], withoutInterlace(rows, shape)]
}

const bitsPerPixel = (header: Uint8Array): number => (header[8] ?? 0) * (channelsOf[header[9] ?? 0] ?? 0)

function readChunks(file: Uint8Array): Chunks {
  const [needed, data]: Uint8Array[][] = [[], []]
  let header: Uint8Array | null = null
  let at = SIGNATURE_BYTES
  for (;;) {
    if (at + CHUNK_FRAME_BYTES > file.length) throw damaged('PNG', file.length, 'it ends before its last part (IEND)')
    const length = long(file, at)
    const type = String.fromCharCode(...file.subarray(at + 4, at + 8))
    const end = at + CHUNK_FRAME_BYTES + length
    if (end > file.length)
      throw damaged('PNG', at, `part ${type} should have ${length} bytes, but the file has ${file.length - at} left`)
    const body = file.subarray(at + 8, end - 4)
    if (type === 'IHDR') {
      if (length !== HEADER_BYTES) throw damaged('PNG', at, `the header should have ${HEADER_BYTES} bytes`)
      header = body
    }
    if (neededChunks.includes(type)) needed?.push(file.subarray(at, end))
    if (type === 'IDAT') data?.push(body)
    if (type === 'IEND') break
    at = end
  }
  if (!header) throw damaged('PNG', SIGNATURE_BYTES, 'the header (IHDR) is missing')
  return { needed: needed ?? [], data: data ?? [], header }
}

/**
 * Upper limit of the unpacked size: seven passes each round their rows up.
 * @param header the body of IHDR
 */
export function rowBytes(header: Uint8Array, width: number, height: number): number {
  const bits = bitsPerPixel(header)
  if (bits === 0) throw damaged('PNG', SIGNATURE_BYTES + 17, `colour type ${header[9] ?? 0} is not known`)
  const passes = header[INTERLACE] === ADAM7 ? 7 : 1
  return passes * height * (1 + Math.ceil((width * bits) / 8))
}

/** Refuses what is larger than the pixels take: small files can unpack to gigabytes. */
export function unpack(parts: readonly Uint8Array[], most: number): Uint8Array {
  const unpacked: Uint8Array[] = []
  let length = 0
  const inflate = new Unzlib((part) => {
    length += part.length
    if (length > most) throw new Error(`its data is longer than its ${most.toLocaleString('en-US')} bytes of pixels`)
    unpacked.push(part)
  })
  try {
    for (const part of parts)
      for (let at = 0; at < part.length; at += INPUT_PART_BYTES)
        inflate.push(part.subarray(at, at + INPUT_PART_BYTES), false)
  } catch (error) {
    throw notUnpacked('PNG', error)
  }
  return joined(unpacked, length)
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Gives the decoder the rows in stored blocks, so that it unpacks nothing itself. */
function decodeStored(needed: readonly Uint8Array[], rows: Uint8Array): DecodedPng {
  const blocks = Math.max(1, Math.ceil(rows.length / STORED_BLOCK_BYTES))
  const data = new Uint8Array(2 + rows.length + 5 * blocks + 4)
  data.set([0x78, 0x01])
  for (let block = 0; block < blocks; block++) {
    const part = rows.subarray(block * STORED_BLOCK_BYTES, (block + 1) * STORED_BLOCK_BYTES)
    const [low, high] = [part.length & 0xff, part.length >> 8]
    const at = 2 + block * (STORED_BLOCK_BYTES + 5)
    data.set([block === blocks - 1 ? 1 : 0, low, high, ~low & 0xff, ~high & 0xff], at)
    data.set(part, at + 5)
  }
  const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
  const parts = [signature, ...needed, chunk('IDAT', data), chunk('IEND', new Uint8Array(0))]
  try {
    return decode(
      joined(
        parts,
        parts.reduce((sum, part) => sum + part.length, 0),
      ),
    )
  } catch (error) {
    throw notUnpacked('PNG', error)
  }
}

function chunk(type: string, body: Uint8Array): Uint8Array {
  const whole = new Uint8Array(CHUNK_FRAME_BYTES + body.length)
  new DataView(whole.buffer).setUint32(0, body.length)
  for (let n = 0; n < type.length; n++) whole[4 + n] = type.charCodeAt(n)
  whole.set(body, 8)
  return whole
}

export function pngRgba(png: DecodedPng): Photo {
  const { width, height } = png
  if (png.channels === 4 && png.data instanceof Uint8Array) return { width, height, rgba: png.data }
  const rgba = new Uint8Array(width * height * 4)
  const isIndexed = png.palette !== undefined && png.channels === 1
  const data = isIndexed ? convertIndexedToRgb(png) : png.data
  const channels = isIndexed ? data.length / (width * height) : png.channels
  const depth = isIndexed ? 8 : png.depth
  const sampleOf = depth < 8 ? unpackedSamples(png) : data
  const toByte = depth === 16 ? 1 / 257 : depth < 8 ? 255 / ((1 << depth) - 1) : 1
  const clear = isIndexed ? undefined : png.transparency
  const isGrey = channels < 3
  for (let pixel = 0, from = 0, to = 0; pixel < width * height; pixel++, from += channels, to += 4) {
    const red = sampleOf[from] ?? 0
    const green = isGrey ? red : (sampleOf[from + 1] ?? 0)
    const blue = isGrey ? red : (sampleOf[from + 2] ?? 0)
    const isClear = clear && red === clear[0] && (isGrey || (green === clear[1] && blue === clear[2]))
    const hasAlpha = channels === 2 || channels === 4
    rgba[to] = red * toByte
    rgba[to + 1] = green * toByte
    rgba[to + 2] = blue * toByte
    rgba[to + 3] = isClear ? 0 : hasAlpha ? (sampleOf[from + channels - 1] ?? 0) * toByte : 255
  }
  return { width, height, rgba }
}

/** Grey samples of 1, 2 or 4 bits, one a byte; rows begin at whole bytes. */
function unpackedSamples({ width, height, depth, data }: DecodedPng): Uint8Array {
  const samples = new Uint8Array(width * height)
  const rowBytes = Math.ceil((width * depth) / 8)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const bit = x * depth
      samples[y * width + x] = ((data[y * rowBytes + (bit >> 3)] ?? 0) >> (8 - depth - (bit & 7))) & ((1 << depth) - 1)
    }
  return samples
}
