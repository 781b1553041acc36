import { expect, it } from 'vitest'
import { hexDump } from './hexDump'

it('A hex dump has sixteen bytes a row, and the last row stays in its columns', () => {
  const bytes = Uint8Array.from({ length: 18 }, (_, index) => index + 0x40)
  expect(hexDump(0xc000, bytes, (byte) => String.fromCharCode(byte))).toBe(
    'C000  40 41 42 43 44 45 46 47 48 49 4A 4B 4C 4D 4E 4F  @ABCDEFGHIJKLMNO\nC010  50 51                                            PQ',
  )
})
