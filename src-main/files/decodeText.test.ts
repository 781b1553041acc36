import { expect, it } from 'vitest'
import { decodeText } from './decodeText'

it.each([
  ['UTF-8', Buffer.from('größe')],
  ['UTF-8 with its mark', Buffer.from('\uFEFFgröße')],
  ['UTF-16', Buffer.from('\uFEFFgröße', 'utf16le')],
  ['UTF-16 with the high byte first', Buffer.from('\uFEFFgröße', 'utf16le').swap16()],
  ['Latin-1', Buffer.from('größe', 'latin1')],
])('text of %s is read', (_, bytes) => {
  expect(decodeText(bytes)).toBe('größe')
})
