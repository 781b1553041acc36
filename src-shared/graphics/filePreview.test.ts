import { strToU8 } from 'fflate'
import { describe, expect, it } from 'vitest'
import { previewOf } from './filePreview'

describe('a file before it is saved', () => {
  it('is shown as a picture, a text or neither', () => {
    expect(previewOf(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d))).toEqual({ kind: 'picture', type: 'image/png' })
    expect(previewOf(strToU8('GIF89a…'))).toEqual({ kind: 'picture', type: 'image/gif' })
    expect(previewOf(strToU8('; é\n!byte 1\n'))).toEqual({ kind: 'text', text: '; é\n!byte 1\n', isCut: false })
    for (const bytes of [[], [0, 1, 2], [0x53, 0x50, 0x44, 0x05], [0xff, 0xfe, 0x41]])
      expect(previewOf(Uint8Array.from(bytes))).toEqual({ kind: 'data' })
  })

  it('shows the first lines of a long text, also where a character is cut in two', () => {
    const lines = previewOf(strToU8('x\n'.repeat(50)))
    expect(lines).toMatchObject({ kind: 'text', isCut: true })
    expect(lines.kind === 'text' && lines.text.split('\n')).toHaveLength(40)
    for (const start of ['\n', 'a\n'])
      expect(previewOf(strToU8(`${start}${'é'.repeat(20_000)}`))).toMatchObject({ kind: 'text', isCut: true })
    expect(previewOf(strToU8(`{${' '.repeat(600)}}`))).toEqual({ kind: 'data' })
  })
})
