import { describe, expect, it } from 'vitest'
import { AppError } from './errors'
import { machineNameSchema } from './machine'
import { canonicalMachineName, parseMachineName } from './machineName'

describe('a machine’s name', () => {
  it.each([
    ['builtin', { kind: 'builtin', link: null }],
    ['vice', { kind: 'vice', link: null }],
    ['vice:6510', { kind: 'vice', link: { kind: 'tcp', host: '127.0.0.1', port: 6510 } }],
    ['vice:studio', { kind: 'vice', link: { kind: 'tcp', host: 'studio', port: 6502 } }],
    ['vice:10.0.0.2:7000', { kind: 'vice', link: { kind: 'tcp', host: '10.0.0.2', port: 7000 } }],
    ['vice:[::1]:7000', { kind: 'vice', link: { kind: 'tcp', host: '::1', port: 7000 } }],
    ['ultimate:C64U', { kind: 'ultimate', link: { kind: 'tcp', host: 'c64u', port: 80 } }],
    ['ultimate:10.0.0.64:8080', { kind: 'ultimate', link: { kind: 'tcp', host: '10.0.0.64', port: 8080 } }],
    ['teensyrom:10.0.0.65', { kind: 'teensyrom', link: { kind: 'tcp', host: '10.0.0.65', port: 2112 } }],
    [
      'teensyrom:/dev/ttyACM0',
      { kind: 'teensyrom', link: { kind: 'serial', device: '/dev/ttyACM0', baud: 2_000_000 } },
    ],
    ['easyflash:com7', { kind: 'easyflash', link: { kind: 'serial', device: 'COM7', baud: 115_200 } }],
    ['stub:/dev/ttyUSB0', { kind: 'stub', link: { kind: 'serial', device: '/dev/ttyUSB0', baud: 38_400 } }],
    ['stub:/dev/ttyUSB0@230400', { kind: 'stub', link: { kind: 'serial', device: '/dev/ttyUSB0', baud: 230_400 } }],
    ['stub:localhost:25232', { kind: 'stub', link: { kind: 'tcp', host: '127.0.0.1', port: 25_232 } }],
  ])('%s is understood', (name, address) => {
    expect(parseMachineName(name)).toEqual(address)
  })

  it.each([
    '',
    'c64',
    'builtin:1',
    'vice:',
    'vice:0',
    'vice:65536',
    'vice:a:b:c',
    'vice:host:port',
    'VICE',
    'ultimate',
    'ultimate:',
    'ultimate:host/path',
    'teensyrom',
    'easyflash:host',
    'easyflash:host:1',
    'stub:host',
    'stub:@9600',
    'stub:',
  ])('“%s” is refused', (name) => {
    expect(() => parseMachineName(name)).toThrow(AppError)
    expect(machineNameSchema.safeParse(name).success).toBe(false)
  })

  it.each([
    ['vice:localhost', 'vice:6502'],
    ['vice:127.0.0.1:6502', 'vice:6502'],
    ['vice:LocalHost:7000', 'vice:7000'],
    ['vice:Studio', 'vice:studio:6502'],
    ['vice:[::1]', 'vice:[::1]:6502'],
    ['ultimate:C64U:80', 'ultimate:c64u'],
    ['ultimate:[FE80::1]:81', 'ultimate:[fe80::1]:81'],
    ['teensyrom:Rom:2112', 'teensyrom:rom'],
    ['teensyrom:\\\\.\\com12', 'teensyrom:COM12'],
    ['stub:/dev/ttyUSB0@38400', 'stub:/dev/ttyUSB0'],
    ['stub:COM3@230400', 'stub:COM3@230400'],
    // A device whose own name ends as a speed does.
    ['stub:/dev/a@38400@38400', 'stub:/dev/a@38400@38400'],
    ['stub:/dev/a@9600@38400', 'stub:/dev/a@9600@38400'],
  ])('%s becomes %s at every border, so that no machine has two names', (name, canonical) => {
    expect(canonicalMachineName(parseMachineName(name))).toBe(canonical)
    expect(canonicalMachineName(parseMachineName(canonical))).toBe(canonical)
    expect(machineNameSchema.parse(name)).toBe(canonical)
    expect(machineNameSchema.parse(canonical)).toBe(canonical)
  })
})
