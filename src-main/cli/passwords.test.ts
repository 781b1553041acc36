import { describe, expect, it } from 'vitest'
import { givenPassword } from './passwords'

describe('the password that the environment gives a call', () => {
  it.each([
    ['ultimate:c64u', { C64U_PASSWORD: 'p' }, 'read --machine ultimate:C64U', 'p'],
    ['ultimate:c64u', { C64U_PASSWORD: 'p' }, 'read --machine=ultimate:c64u', 'p'],
    ['ultimate:c64u', { C64U_PASSWORD: 'p' }, 'snapshot diff a @ultimate:c64u', 'p'],
    ['ultimate:10.0.0.9:8080', { C64U_PASSWORD: 'p' }, 'read --machine ultimate:10.0.0.9:8080', 'p'],
    ['ultimate:c64u', { C64U_PASSWORD: 'p', C64U_HOST: 'C64U' }, 'mcp', 'p'],
    ['ultimate:10.0.0.9', { C64U_PASSWORD: 'p', C64U_HOST: 'c64u' }, 'read --machine ultimate:10.0.0.9', undefined],
    // An agent named it, or a file of checks.
    ['ultimate:10.0.0.9', { C64U_PASSWORD: 'p' }, 'mcp', undefined],
    ['ultimate:10.0.0.9', { C64U_PASSWORD: 'p' }, 'check game.check.yaml --machine ultimate:c64u', undefined],
    ['vice:6502', { C64U_PASSWORD: 'p' }, 'read --machine vice:6502', undefined],
    ['ultimate:c64u', {}, 'read --machine ultimate:c64u', undefined],
    ['ultimate:c64u', { C64U_PASSWORD: '' }, 'read --machine ultimate:c64u', undefined],
  ])('for %s with %j in “%s” is %s', (machine, environment, line, expected) => {
    expect(givenPassword(machine, environment, line.split(' '))).toBe(expected)
  })
})
