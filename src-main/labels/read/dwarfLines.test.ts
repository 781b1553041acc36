import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readElfFile } from './elfFile'

const fixture = (version: number) => new Uint8Array(readFileSync(`test/fixtures/labels/elf/dwarf${version}.elf`))
const brief = (bytes: Uint8Array) =>
  readElfFile(bytes).lines.map(
    ({ file, line, start, end }) => `${file}:${line} ${start.toString(16)}-${end.toString(16)}`,
  )

/** The file with a changed byte of its first unit, counted from the length. */
function changed(version: number, changes: Readonly<Record<number, number>>): Uint8Array {
  const bytes = fixture(version)
  const at = unitOf(bytes)
  for (const [offset, value] of Object.entries(changes)) bytes[at + Number(offset)] = value
  return bytes
}

function unitOf(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer)
  const sectionsAt = view.getUint32(32, true)
  const names = view.getUint32(sectionsAt + view.getUint16(50, true) * 40 + 16, true)
  for (let index = 0; ; index++) {
    const section = sectionsAt + index * 40
    const name = Buffer.from(bytes)
      .toString('latin1', names + view.getUint32(section, true))
      .split('\0')[0]
    if (name === '.debug_line') return view.getUint32(section + 16, true)
  }
}

describe('the source lines of an ELF file', () => {
  // As `readelf --debug-dump=decodedline` decodes them: of rows at one address the last counts.
  it.each([2, 3, 4, 5])('are read from DWARF %i', (version) => {
    expect(brief(fixture(version))).toEqual([
      'parts/draw.h:3 880-886',
      'parts/draw.h:4 886-88b',
      'parts/draw.h:5 88b-892',
      'parts/draw.h:6 892-894',
      'game.c:6 894-89f',
      'game.c:7 89f-8a0',
      'game.c:9 8a0-8a6',
      'game.c:11 8a6-8ab',
      'game.c:12 8ab-8b5',
      'game.c:12 8b5-8ba',
    ])
    const { labels, problem } = readElfFile(fixture(version))
    expect(labels.map(({ name, address, kind }) => [name, address, kind])).toContainEqual(['draw', 0x880, 'code'])
    expect(problem).toBeNull()
  })

  it.each([
    [{ 4: 9 }, 'expected version 2 to 5, not 9'],
    [{ 0: 0xf0, 1: 0xff, 2: 0xff, 3: 0x7f }, 'expected a unit of at most'],
    [{ 6: 0xff, 7: 0xff, 8: 0xff, 9: 0xff }, 'expected a header of at most'],
    [{ 13: 0 }, 'expected a range of lines and a first opcode above 0'],
    [{ 14: 0 }, 'expected a range of lines and a first opcode above 0'],
  ])('say what is wrong with a unit, and keep the labels: %j', (changes, why) => {
    const { labels, lines, problem } = readElfFile(changed(3, changes))
    expect(labels.length).toBeGreaterThan(2)
    expect(lines).toEqual([])
    expect(problem).toMatch('1 entry was left out, the first at .debug_line+$0: ')
    expect(problem).toContain(why)
  })

  it('refuse an absurd count of folders', () => {
    // The count follows the format (1, path, line_strp) behind 12 operand counts.
    const bytes = fixture(5)
    const at = unitOf(bytes) + 4 + 2 + 2 + 4 + 6 + 12
    expect([...bytes.subarray(at, at + 4)]).toEqual([1, 1, 0x1f, 2])
    bytes.set([0xff, 0xff, 0xff, 0x7f], at + 3)
    expect(readElfFile(bytes).problem).toMatch(/expected at most \d+ files, not \d+/)
    bytes.set([0], at)
    expect(readElfFile(bytes).problem).toContain('the first at .debug_line+$0')
  })

  it('leave out code that the linker removed', () => {
    const bytes = fixture(4)
    const set = Buffer.from(bytes).indexOf(Buffer.from([0, 5, 2, 0x80, 8, 0, 0]))
    bytes.set([0, 0], set + 3)
    expect(brief(bytes)).toEqual([])
  })
})
