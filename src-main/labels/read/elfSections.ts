/** As llvm-mos writes them: 32 bits, little-endian, EM_MOS. Source: System V ABI, “Object files”. */
import { AppError } from '@shared/contract/errors'

const EM_MOS = 6502
const HEADER_BYTES = 52
const SECTION_BYTES = 40
const MAX_SECTIONS = 10_000
const SHT_NOBITS = 8
const SHF_ALLOC = 2
const SHF_COMPRESSED = 0x800

export interface ElfSection {
  readonly name: string
  readonly type: number
  readonly isCompressed: boolean
  /** Null for a section that is not loaded. */
  readonly loaded: { readonly start: number; readonly end: number } | null
  readonly link: number
  readonly bytes: Uint8Array
}

export const isElf = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x7f && bytes[1] === 0x45 && bytes[2] === 0x4c && bytes[3] === 0x46

const invalid = (why: string): AppError =>
  new AppError('INVALID', `This ELF file cannot be read: ${why}.`, {
    hint: 'Link the program with llvm-mos; it writes the file beside the program.',
  })

export function readElfSections(bytes: Uint8Array): ElfSection[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < HEADER_BYTES) throw invalid('it ends within its header')
  if (bytes[4] !== 1 || bytes[5] !== 1) throw invalid('expected 32 bits, little-endian')
  const machine = view.getUint16(18, true)
  if (machine !== EM_MOS) throw invalid(`it is for machine ${machine}, and MOS 6502 has ${EM_MOS}`)
  const sectionsAt = view.getUint32(32, true)
  const count = view.getUint16(48, true)
  if (
    view.getUint16(46, true) !== SECTION_BYTES ||
    count > MAX_SECTIONS ||
    sectionsAt + count * SECTION_BYTES > bytes.length
  )
    throw invalid('its table of sections goes past its end')

  const headers = Array.from({ length: count }, (_, index) => {
    const at = sectionsAt + index * SECTION_BYTES
    const field = (offset: number) => view.getUint32(at + offset, true)
    const [type, offset, size] = [field(4), field(16), field(20)]
    const isInFile = type !== 0 && type !== SHT_NOBITS
    if (isInFile && offset + size > bytes.length) throw invalid(`section ${index} goes past its end`)
    const content = isInFile ? bytes.subarray(offset, offset + size) : bytes.subarray(0, 0)
    const loaded = (field(8) & SHF_ALLOC) === 0 ? null : { start: field(12), end: field(12) + size }
    const isCompressed = (field(8) & SHF_COMPRESSED) !== 0
    return { nameAt: field(0), type, isCompressed, loaded, link: field(24), bytes: content }
  })
  const names = headers[view.getUint16(50, true)]?.bytes ?? bytes.subarray(0, 0)
  return headers.map(({ nameAt, ...section }) => ({ name: stringAt(names, nameAt) ?? '', ...section }))
}

const MAX_STRING_BYTES = 1024
const decoder = new TextDecoder()

/** Up to the byte 0 that ends it; undefined where there is none. */
export function stringAt(bytes: Uint8Array, at: number): string | undefined {
  const bounded = bytes.subarray(at, at + MAX_STRING_BYTES)
  const length = bounded.indexOf(0)
  return length < 0 ? undefined : decoder.decode(bounded.subarray(0, length))
}
