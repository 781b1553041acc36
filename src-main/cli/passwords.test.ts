import { describe, expect, it } from 'vitest'
import { givenPassword } from './passwords'

describe('the password that the environment gives a call', () => {
  it.each([
    ['ultimate:c64u', { C64U_PASSWORD: 'p' }, 'p'],
    ['ultimate:10.0.0.9:8080', { C64U_PASSWORD: 'p' }, 'p'],
    ['ultimate:c64u', { C64U_PASSWORD: 'p', C64U_HOST: 'C64U' }, 'p'],
    ['ultimate:10.0.0.9', { C64U_PASSWORD: 'p', C64U_HOST: 'c64u' }, undefined],
    ['vice:6502', { C64U_PASSWORD: 'p' }, undefined],
    ['ultimate:c64u', {}, undefined],
    ['ultimate:c64u', { C64U_PASSWORD: '' }, undefined],
  ])('for %s with %j is %s', (machine, environment, expected) => {
    expect(givenPassword(machine, environment)).toBe(expected)
  })
})
