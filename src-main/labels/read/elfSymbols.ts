/**
 * The symbol table of an ELF file, as llvm-mos writes it beside a program (`game.prg.elf`). Its source lines (DWARF) are not
 * read. Source: System V ABI, “Object files”; EM_MOS is 6502.
 */
import type { LabelKind } from '@shared/c64/labels/programLabel'
import { AppError } from '@shared/contract/errors'
import { LabelCollector, type LabelFile } from './labelFile'

const EM_MOS = 6502
const SHT_SYMTAB = 2
const STB_LOCAL = 0
const HEADER_BYTES = 52
const SECTION_BYTES = 40
const SYMBOL_BYTES = 16
const MAX_SECTIONS = 10_000
/** Sections below this number are in the file; the others have a meaning, such as SHN_ABS. */
const SHN_LORESERVE = 0xff00
const SHN_ABS = 0xfff1

export const isElf = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x7f && bytes[1] === 0x45 && bytes[2] === 0x4c && bytes[3] === 0x46

const invalid = (why: string): AppError =>
  new AppError('INVALID', `This ELF file cannot be read: ${why}.`, {
    hint: 'Link the program with llvm-mos; it writes the file beside the program.',
  })

export function readElfSymbols(bytes: Uint8Array): LabelFile {
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

  const section = (index: number) => {
    const at = sectionsAt + index * SECTION_BYTES
    const field = (offset: number) => view.getUint32(at + offset, true)
    return { type: field(4), offset: field(16), size: field(20), link: field(24) }
  }
  const symbols = Array.from({ length: count }, (_, index) => section(index)).find(({ type }) => type === SHT_SYMTAB)
  if (!symbols)
    throw new AppError('INVALID', 'This ELF file has no symbol table.', { hint: 'Link the program without -s.' })
  if (symbols.offset + symbols.size > bytes.length || symbols.link >= count)
    throw invalid('its symbol table goes past its end')
  const names = section(symbols.link)
  if (names.offset + names.size > bytes.length) throw invalid('its names go past its end')

  const found = new LabelCollector()
  for (let index = 1; (index + 1) * SYMBOL_BYTES <= symbols.size; index++) {
    const at = symbols.offset + index * SYMBOL_BYTES
    const nameAt = view.getUint32(at, true)
    const address = view.getUint32(at + 4, true)
    const size = view.getUint32(at + 8, true)
    const info = view.getUint8(at + 12)
    const place = view.getUint16(at + 14, true)
    const type = info & 0xf
    // Sections, source files and what another file defines are no labels.
    if (nameAt === 0 || type > 2 || place === 0 || (place >= SHN_LORESERVE && place !== SHN_ABS)) continue
    const where = `symbol ${index}`
    const name = nameAt < names.size ? textAt(bytes, names.offset + nameAt, names.offset + names.size) : undefined
    if (name === undefined) found.skip(where, 'expected a name within the file')
    // Of the compiler’s own, many have the same name.
    else if (!(info >> 4 === STB_LOCAL && name.startsWith('.L')))
      found.addLabel({ name, scope: null, address, size: size > 0 ? size : null, kind: kindOf(type, place) }, where)
  }
  return found.finish('ELF file')
}

const kindOf = (type: number, place: number): LabelKind => {
  if (type === 2) return 'code'
  if (type === 1) return 'data'
  return place === SHN_ABS ? 'constant' : 'label'
}

const MAX_NAME_BYTES = 4096

const decoder = new TextDecoder()

function textAt(bytes: Uint8Array, start: number, end: number): string | undefined {
  const bounded = bytes.subarray(start, Math.min(end, start + MAX_NAME_BYTES))
  const length = bounded.indexOf(0)
  return length < 0 ? undefined : decoder.decode(bounded.subarray(0, length))
}
