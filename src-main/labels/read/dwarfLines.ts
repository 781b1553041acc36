/**
 * Source lines of an ELF file, from `.debug_line`: DWARF 2 to 5. Each unit is a header and a program of opcodes that
 * makes rows; a row reaches to the next one. Source: DWARF 5, 6.2 “Line number information”; checked with GCC 12 and
 * binutils 2.40. Not tried with llvm-mos.
 */
import { ByteReader, EndOfBytes } from './byteReader'
import { stringAt, type ElfSection } from './elfSections'
import type { LabelCollector } from './labelFile'

const MAX_FILES = 100_000
const DW_LNCT_path = 1
const DW_LNCT_directory_index = 2

interface Strings {
  readonly line: Uint8Array
  readonly debug: Uint8Array
}

class Unreadable extends Error {}

export function addDwarfLines(found: LabelCollector, sections: readonly ElfSection[]): boolean {
  const named = (name: string) => sections.find((section) => section.name === name)
  const section = named('.debug_line')
  if (!section || section.bytes.length === 0) return false
  const none = new Uint8Array()
  const strings = { line: named('.debug_line_str')?.bytes ?? none, debug: named('.debug_str')?.bytes ?? none }
  if (section.isCompressed || named('.debug_line_str')?.isCompressed === true) {
    found.skip('.debug_line', 'it is compressed; link the program without -gz')
    return true
  }
  const units = new ByteReader(section.bytes)
  while (units.left > 0) {
    const where = `.debug_line+$${units.at.toString(16)}`
    try {
      const isWide = units.left >= 4 && section.bytes.subarray(units.at, units.at + 4).every((byte) => byte === 0xff)
      if (isWide) units.skip(4)
      const length = isWide ? units.unsigned(8) : units.u32()
      if (length > units.left) throw new Unreadable(`expected a unit of at most ${units.left} bytes, not ${length}`)
      addUnit(found, new ByteReader(units.take(length)), { isWide, strings, where })
    } catch (error) {
      if (error instanceof Unreadable) found.skip(where, error.message)
      else if (error instanceof EndOfBytes) found.skip(where, 'expected more bytes')
      else throw error
      if (error.message.startsWith('expected a unit')) break
    }
  }
  return true
}

interface Unit {
  readonly isWide: boolean
  readonly strings: Strings
  readonly where: string
}

interface Header {
  readonly minimumBytes: number
  readonly lineBase: number
  readonly lineRange: number
  readonly opcodeBase: number
  readonly operandCounts: readonly number[]
  readonly fileOf: (index: number) => string | undefined
}

function addUnit(found: LabelCollector, unit: ByteReader, of: Unit): void {
  const header = readHeader(unit, of)
  const { minimumBytes, lineBase, lineRange, opcodeBase, operandCounts, fileOf } = header
  let row = { address: 0, file: 1, line: 1 }
  let open: typeof row | null = null
  let isRemoved = false
  const emit = (isEnd = false) => {
    if (!isEnd && open && open.line === row.line && open.file === row.file) return
    if (open && !isRemoved && row.address > open.address && open.line !== 0) {
      const file = fileOf(open.file)
      if (file === undefined) found.skip(of.where, `expected a file with number ${open.file}`)
      else found.addLine({ file, line: open.line, start: open.address, end: row.address }, of.where)
    }
    open = { ...row }
  }
  const advance = (operations: number) => (row.address += operations * minimumBytes)
  while (unit.left > 0) {
    const opcode = unit.u8()
    if (opcode >= opcodeBase) {
      const adjusted = opcode - opcodeBase
      advance(Math.floor(adjusted / lineRange))
      row.line += lineBase + (adjusted % lineRange)
      emit()
    } else if (opcode === 0) {
      const length = unit.uleb128()
      const operands = new ByteReader(unit.take(length))
      const extended = length === 0 ? 0 : operands.u8()
      if (extended === 1) {
        emit(true)
        row = { address: 0, file: 1, line: 1 }
        open = null
        isRemoved = false
      } else if (extended === 2) {
        row.address = operands.unsigned(Math.min(operands.left, 8))
        // The linker puts removed code at 0, where the 6510 has its port and no code.
        isRemoved ||= row.address === 0
      }
    } else if (opcode === 1) emit()
    else if (opcode === 2) advance(unit.uleb128())
    else if (opcode === 3) row.line += unit.sleb128()
    else if (opcode === 4) row.file = unit.uleb128()
    else if (opcode === 8) advance(Math.floor((255 - opcodeBase) / lineRange))
    else if (opcode === 9) row.address += unit.u16()
    else for (let count = operandCounts[opcode - 1] ?? 0; count > 0; count--) unit.uleb128()
  }
}

function readHeader(unit: ByteReader, { isWide, strings }: Unit): Header {
  const version = unit.u16()
  if (version < 2 || version > 5) throw new Unreadable(`expected version 2 to 5, not ${version}`)
  if (version === 5) unit.skip(2)
  const headerBytes = isWide ? unit.unsigned(8) : unit.u32()
  if (headerBytes > unit.left) throw new Unreadable(`expected a header of at most ${unit.left} bytes`)
  const programAt = unit.at + headerBytes
  const minimumBytes = unit.u8()
  if (version >= 4) unit.skip(1)
  unit.skip(1)
  const lineBase = unit.i8()
  const lineRange = unit.u8()
  const opcodeBase = unit.u8()
  if (lineRange === 0 || opcodeBase === 0) throw new Unreadable('expected a range of lines and a first opcode above 0')
  const operandCounts = [...unit.take(opcodeBase - 1)]
  const fileOf = version === 5 ? readFiles(unit, isWide, strings) : readOldFiles(unit)
  unit.at = 0
  unit.skip(programAt)
  return { minimumBytes, lineBase, lineRange, opcodeBase, operandCounts, fileOf }
}

const inFolder = (folder: string | undefined, index: number, name: string): string =>
  index === 0 || folder === undefined || /^(?:[/\\]|[a-z]:)/i.test(name) ? name : `${folder}/${name}`

function readOldFiles(unit: ByteReader): Header['fileOf'] {
  const folders: string[] = []
  for (let name = unit.string(); name !== '' && folders.length < MAX_FILES; name = unit.string()) folders.push(name)
  const files: string[] = []
  for (let name = unit.string(); name !== '' && files.length < MAX_FILES; name = unit.string()) {
    const folder = unit.uleb128()
    files.push(inFolder(folders[folder - 1], folder, name))
    unit.uleb128()
    unit.uleb128()
  }
  return (index) => files[index - 1]
}

interface Entry {
  readonly path: string
  readonly folder: number
}

function readFiles(unit: ByteReader, isWide: boolean, strings: Strings): Header['fileOf'] {
  const entries = (): Entry[] => {
    const formats = Array.from({ length: unit.u8() }, () => ({ type: unit.uleb128(), form: unit.uleb128() }))
    const count = unit.uleb128()
    // An entry has at least one byte.
    if (count > MAX_FILES || count > unit.left || (count > 0 && formats.length === 0))
      throw new Unreadable(`expected at most ${Math.min(MAX_FILES, unit.left)} files, not ${count}`)
    return Array.from({ length: count }, () => {
      let path = ''
      let folder = 0
      for (const { type, form } of formats) {
        const value = readForm(unit, form, isWide, strings)
        if (type === DW_LNCT_path && typeof value === 'string') path = value
        else if (type === DW_LNCT_directory_index && typeof value === 'number') folder = value
      }
      return { path, folder }
    })
  }
  const folders = entries()
  const files = entries()
  return (index) => {
    const file = files[index]
    return file && inFolder(folders[file.folder]?.path, file.folder, file.path)
  }
}

function readForm(unit: ByteReader, form: number, isWide: boolean, strings: Strings): string | number | null {
  const offset = () => (isWide ? unit.unsigned(8) : unit.u32())
  switch (form) {
    case 0x08:
      return unit.string()
    case 0x1f:
      return stringAt(strings.line, offset()) ?? null
    case 0x0e:
      return stringAt(strings.debug, offset()) ?? null
    case 0x0b:
      return unit.u8()
    case 0x05:
      return unit.u16()
    case 0x06:
      return unit.u32()
    case 0x07:
      return unit.unsigned(8)
    case 0x0f:
      return unit.uleb128()
    case 0x1e:
      unit.skip(16)
      return null
    case 0x09:
      unit.skip(unit.uleb128())
      return null
    default:
      throw new Unreadable(`expected the form of a name or a number, not $${form.toString(16)}`)
  }
}
