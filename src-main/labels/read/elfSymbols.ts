/** From `game.prg.elf` of llvm-mos. Source: System V ABI, “Symbol table”. */
import type { LabelKind } from '@shared/c64/labels/programLabel'
import { stringAt, type ElfSection } from './elfSections'
import type { LabelCollector } from './labelFile'

const SHT_SYMTAB = 2
const STB_LOCAL = 0
const SYMBOL_BYTES = 16
/** Sections from this number on are not in the file; they have a meaning, such as SHN_ABS. */
const SHN_LORESERVE = 0xff00
const SHN_ABS = 0xfff1

export function addElfSymbols(found: LabelCollector, sections: readonly ElfSection[]): boolean {
  const symbols = sections.find(({ type }) => type === SHT_SYMTAB)
  if (!symbols) return false
  const names = sections[symbols.link]?.bytes ?? new Uint8Array()
  const { buffer, byteOffset, byteLength } = symbols.bytes
  const view = new DataView(buffer, byteOffset, byteLength)
  for (let index = 1; (index + 1) * SYMBOL_BYTES <= byteLength; index++) {
    const at = index * SYMBOL_BYTES
    const nameAt = view.getUint32(at, true)
    const address = view.getUint32(at + 4, true)
    const size = view.getUint32(at + 8, true)
    const info = view.getUint8(at + 12)
    const place = view.getUint16(at + 14, true)
    const type = info & 0xf
    if (nameAt === 0 || type > 2 || place === 0 || (place >= SHN_LORESERVE && place !== SHN_ABS)) continue
    const where = `symbol ${index}`
    const name = stringAt(names, nameAt)
    if (name === undefined) found.skip(where, 'expected a name within the file')
    // The compiler's own labels: many have the same name.
    else if (!(info >> 4 === STB_LOCAL && name.startsWith('.L')))
      found.addLabel({ name, scope: null, address, size: size > 0 ? size : null, kind: kindOf(type, place) }, where)
  }
  return true
}

const kindOf = (type: number, place: number): LabelKind => {
  if (type === 2) return 'code'
  if (type === 1) return 'data'
  return place === SHN_ABS ? 'constant' : 'label'
}
