import { describe, expect, it } from 'vitest'
import { fileNameOf } from './savedFile'

describe('the name of a file', () => {
  it.each([
    ['Ship 1', 'Ship 1'],
    ['../../etc/passwd', '....etcpasswd'],
    ['$3000', '3000'],
    ['❤', 'graphics'],
  ])('%s becomes %s', (name, file) => {
    expect(fileNameOf(name)).toBe(file)
  })
})
