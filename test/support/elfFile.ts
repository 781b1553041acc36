/** A small ELF file as llvm-mos links it: a section of code, the symbols and their names. */

export interface ElfSymbol {
  readonly name: string
  readonly address: number
  readonly size: number
  /** 0 none, 1 object, 2 function, 3 section, 4 source file. */
  readonly type: number
  /** 0 undefined, 0xfff1 absolute. */
  readonly section: number
  readonly isLocal?: boolean
}

const HEADER = 52
const SECTION = 40
const SYMBOL = 16

export function elfFile(symbols: readonly ElfSymbol[], machine = 6502): Uint8Array {
  const names = new TextEncoder().encode(['', ...symbols.map(({ name }) => name), ''].join('\0'))
  const symbolsAt = HEADER
  const symbolBytes = (symbols.length + 1) * SYMBOL
  const namesAt = symbolsAt + symbolBytes
  const sectionsAt = namesAt + names.length
  const bytes = new Uint8Array(sectionsAt + 4 * SECTION)
  const view = new DataView(bytes.buffer)
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 1, 1, 1])
  view.setUint16(16, 2, true)
  view.setUint16(18, machine, true)
  view.setUint32(20, 1, true)
  view.setUint32(32, sectionsAt, true)
  view.setUint16(40, HEADER, true)
  view.setUint16(46, SECTION, true)
  view.setUint16(48, 4, true)
  let nameAt = 1
  for (const [index, { name, address, size, type, section, isLocal = false }] of symbols.entries()) {
    const at = symbolsAt + (index + 1) * SYMBOL
    view.setUint32(at, nameAt, true)
    view.setUint32(at + 4, address, true)
    view.setUint32(at + 8, size, true)
    view.setUint8(at + 12, ((isLocal ? 0 : 1) << 4) | type)
    view.setUint16(at + 14, section, true)
    nameAt += new TextEncoder().encode(name).length + 1
  }
  bytes.set(names, namesAt)
  const section = (index: number, type: number, offset: number, size: number, link: number) => {
    const at = sectionsAt + index * SECTION
    view.setUint32(at + 4, type, true)
    view.setUint32(at + 16, offset, true)
    view.setUint32(at + 20, size, true)
    view.setUint32(at + 24, link, true)
  }
  section(1, 1, 0, 0, 0)
  section(2, 2, symbolsAt, symbolBytes, 3)
  section(3, 3, namesAt, names.length, 0)
  return bytes
}
