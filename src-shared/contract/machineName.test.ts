import { describe, expect, it } from 'vitest'
import { AppError } from './errors'
import { machineNameSchema } from './machine'
import { canonicalMachineName, parseMachineName } from './machineName'

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

  it.each(['', 'c64', 'builtin:1', 'vice:', 'vice:0', 'vice:65536', 'vice:a:b:c', 'vice:host:port', 'VICE', 'ultimate:1.2.3.4'])(
    '“%s” is refused',
    (name) => {
      expect(() => parseMachineName(name)).toThrow(AppError)
      expect(machineNameSchema.safeParse(name).success).toBe(false)
    },
  )

  it.each([
    ['vice:localhost', 'vice:6502'],
    ['vice:127.0.0.1:6502', 'vice:6502'],
    ['vice:LocalHost:7000', 'vice:7000'],
    ['vice:Studio', 'vice:studio:6502'],
    ['vice:[::1]', 'vice:[::1]:6502'],
  ])('%s becomes %s at every border, so that no machine has two names', (name, canonical) => {
    expect(canonicalMachineName(parseMachineName(name))).toBe(canonical)
    expect(machineNameSchema.parse(name)).toBe(canonical)
    expect(machineNameSchema.parse(canonical)).toBe(canonical)
  })
})
