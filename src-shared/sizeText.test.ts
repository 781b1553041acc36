import { describe, expect, it } from 'vitest'
import { sizeText } from './sizeText'

describe('the size of a file', () => {
  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1.0 KiB'],
    [174_848, '171 KiB'],
    [10_200, '10 KiB'],
    [1024 * 1024 - 1, '1.0 MiB'],
    [16 * 1024 * 1024, '16 MiB'],
    [4.2 * 1024 ** 3, '4.2 GiB'],
    [5000 * 1024 ** 4, '5000 TiB'],
  ])('of %i bytes is %s', (bytes, text) => expect(sizeText(bytes)).toBe(text))
})
