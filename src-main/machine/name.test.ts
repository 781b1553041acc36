import { describe, expect, it } from 'vitest'
import { AppError } from '@shared/contract/errors'
import { parseMachineName } from './name'

describe('a machine’s name', () => {
  it.each([
    ['builtin', { kind: 'builtin' }],
    ['vice', { kind: 'vice', attach: null }],
    ['vice:6510', { kind: 'vice', attach: { host: '127.0.0.1', port: 6510 } }],
    ['vice:studio', { kind: 'vice', attach: { host: 'studio', port: 6502 } }],
    ['vice:10.0.0.2:7000', { kind: 'vice', attach: { host: '10.0.0.2', port: 7000 } }],
    ['vice:[::1]:7000', { kind: 'vice', attach: { host: '::1', port: 7000 } }],
  ])('%s is understood', (name, address) => {
    expect(parseMachineName(name)).toEqual(address)
  })

  it.each(['', 'c64', 'builtin:1', 'vice:', 'vice:0', 'vice:65536', 'vice:a:b:c', 'vice:host:port', 'VICE'])('“%s” is refused', (name) => {
    expect(() => parseMachineName(name)).toThrow(AppError)
  })
})
