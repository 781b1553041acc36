import { expect, it } from 'vitest'
import { hexLines } from './hexLines'

it('bytes are shown in lines of sixteen, the last as long as it is', () => {
  const bytes = Uint8Array.from({ length: 18 }, (_, n) => n)
  expect(hexLines(0x0400, bytes)).toEqual(['$0400  00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f', '$0410  10 11'])
})
