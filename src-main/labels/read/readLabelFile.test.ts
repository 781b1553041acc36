import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { elfFile } from '../../../test/support/elfFile'
import { readLabelFile } from './readLabelFile'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const formatOf = (name: string): string => readLabelFile(readFileSync(`test/fixtures/labels/${name}`)).format

describe('a file of labels', () => {
  it('is known by its content, whatever it is called', () => {
    expect(
      Object.fromEntries(
        ['border.lbl', 'border64tass.vs', 'borderAcme.vs', 'borderAcme.sym', 'borderCa65.lbl', 'borderCa65.dbg'].map(
          (name) => [name, formatOf(name)],
        ),
      ),
    ).toEqual({
      'border.lbl': 'Label list',
      'border64tass.vs': 'VICE labels',
      'borderAcme.vs': 'VICE labels',
      'borderAcme.sym': 'Label list',
      'borderCa65.lbl': 'VICE labels',
      'borderCa65.dbg': 'cc65 debug file',
    })
    expect(readLabelFile(bytesOf('.label a=$810')).format).toBe('KickAssembler symbols')
    expect(readLabelFile(bytesOf('main.asm:3:1: COUNT = 5')).format).toBe('Label list')
    expect(
      readLabelFile(bytesOf('\ufeff<?xml version="1.0"?>\n<C64debugger version="1.0">\n</C64debugger>')).format,
    ).toBe('KickAssembler debug file')
    expect(readLabelFile(bytesOf('{ "memory": [] }')).format).toBe('Oscar64 debug file')
    expect(readLabelFile(elfFile([])).format).toBe('ELF file')
  })

  it('is refused with what can be read, where it is none', () => {
    for (const bytes of [bytesOf('hello world'), Uint8Array.of(1, 8, 0, 0, 1), bytesOf('{"a": 1}')])
      expect(() => readLabelFile(bytes)).toThrow('This is no file of labels.')
  })

  it('may be empty for a moment, while it is built', () => {
    expect(readLabelFile(bytesOf(''))).toMatchObject({ labels: [], problem: 'The file is empty.' })
  })

  it('of any content ends soon', () => {
    const hostile = [
      '\n'.repeat(1_000_000),
      ' '.repeat(1_000_000),
      `al ${' '.repeat(1_000_000)}`,
      'al 0810 .a\n'.repeat(300_000),
      'a'.repeat(1_000_000),
      `a = ${'$'.repeat(1_000_000)}`,
      `.label a=$1\n${'.'.repeat(1_000_000)}`,
      `<C64debugger>\n${'<a '.repeat(300_000)}`,
      `version\tmajor=2,minor=0\n${'line\t\n'.repeat(200_000)}`,
      `{"memory": ${'['.repeat(1_000_000)}`,
      `{"memory": [], "a": "${', eid '.repeat(200_000)}"}`,
    ]
    for (const text of hostile) {
      const began = performance.now()
      try {
        readLabelFile(bytesOf(text))
      } catch (error) {
        expect(error).toHaveProperty('code', 'INVALID')
      }
      // Quadratic time would be minutes.
      expect(performance.now() - began).toBeLessThan(20_000)
    }
  })

  it('may be of Latin-1 or UTF-16, and have line ends of any system', () => {
    const text = 'al 0810 .größe\nal 0820 .end\n'
    const namesOf = (bytes: Uint8Array) => readLabelFile(bytes).labels.map(({ name }) => name)
    for (const bytes of [
      bytesOf(text),
      bytesOf(text.replaceAll('\n', '\r\n')),
      bytesOf(text.replaceAll('\n', '\r')),
      Buffer.from(text, 'latin1'),
      Buffer.from(`\uFEFF${text}`, 'utf16le'),
    ])
      expect(namesOf(bytes)).toEqual(['größe', 'end'])
  })

  it('names a map file of ld65 for what it is', () => {
    const text = 'Modules list:\n-------------\nmain.o:\n\n\nSegment list:\n-------------\n'
    expect(() => readLabelFile(new TextEncoder().encode(text))).toThrow('This is a map file of ld65')
  })
})
