/** Writes a D64 and a T64 from their documentation, apart from the reader. */

interface ImageFile {
  /** ASCII capitals, digits and spaces. */
  readonly name: string
  /** A PRG. */
  readonly bytes: readonly number[]
  /** 2 is PRG, 1 SEQ. */
  readonly type?: number
}

const SECTORS = [...Array<number>(17).fill(21), ...Array<number>(7).fill(19), ...Array<number>(6).fill(18)]
const sectorsOf = (track: number): number => SECTORS[track - 1] ?? 17
const offsetOf = (track: number, sector: number): number => {
  let at = sector
  for (let each = 1; each < track; each++) at += sectorsOf(each)
  return at * 256
}

/** 35 tracks; file n begins in track n + 1. */
export function diskImage(files: readonly ImageFile[], title = 'TEST'): Uint8Array<ArrayBuffer> {
  const image = new Uint8Array(174_848)
  image.set([18, 1, 0x41], offsetOf(18, 0))
  image.set(padded(title, 0xa0), offsetOf(18, 0) + 0x90)
  files.forEach(({ name, bytes, type = 2 }, index) => {
    const entry = offsetOf(18, 1 + 3 * Math.floor(index / 8)) + (index % 8) * 32
    const track = index + 1 + (index >= 17 ? 1 : 0)
    image.set([0x80 | type, track, 0, ...padded(name, 0xa0)], entry + 2)
    const parts = Array.from({ length: Math.ceil(bytes.length / 254) }, (_, n) => bytes.slice(n * 254, (n + 1) * 254))
    parts.forEach((part, sector) => {
      const isLast = sector === parts.length - 1
      image.set([isLast ? 0 : track, isLast ? part.length + 1 : sector + 1, ...part], offsetOf(track, sector))
    })
  })
  const last = Math.max(0, Math.ceil(files.length / 8) - 1)
  for (let n = 0; n <= last; n++) image.set(n === last ? [0, 0xff] : [18, 1 + 3 * (n + 1)], offsetOf(18, 1 + 3 * n))
  return image
}

/** @param end what the entries say of where a program ends; as it is when left out */
export function tapeImage(files: readonly ImageFile[], end?: number): Uint8Array<ArrayBuffer> {
  const bodies = files.map(({ bytes }) => bytes.slice(2))
  const first = 64 + files.length * 32
  const image = new Uint8Array(first + bodies.reduce((sum, { length }) => sum + length, 0))
  const view = new DataView(image.buffer)
  image.set(Buffer.from('C64S tape image file', 'latin1'))
  view.setUint16(0x22, files.length, true)
  view.setUint16(0x24, files.length, true)
  let offset = first
  files.forEach(({ name, bytes }, index) => {
    const body = bodies[index] ?? []
    const start = (bytes[0] ?? 0) | ((bytes[1] ?? 0) << 8)
    const at = 64 + index * 32
    image.set([1, 0x82], at)
    view.setUint16(at + 2, start, true)
    view.setUint16(at + 4, end ?? start + body.length, true)
    view.setUint32(at + 8, offset, true)
    image.set(padded(name, 0x20), at + 16)
    image.set(body, offset)
    offset += body.length
  })
  return image
}

const padded = (name: string, padding: number): number[] =>
  Array.from({ length: 16 }, (_, n) => (n < name.length ? name.charCodeAt(n) : padding))
