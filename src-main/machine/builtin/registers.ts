import { AppError } from '@shared/contract/errors'
import type { Register } from '@shared/contract/memory'
import type { C64 } from './c64'
import { flagsFrom } from './processor'

export function readRegisters({ cpu, space, rasterLine, lineCycle }: C64): Register[] {
  const { pc, a, x, y, sp, flags } = cpu
  return [
    { name: 'PC', value: pc, bits: 16 },
    { name: 'A', value: a, bits: 8 },
    { name: 'X', value: x, bits: 8 },
    { name: 'Y', value: y, bits: 8 },
    { name: 'SP', value: sp, bits: 8 },
    { name: 'FL', value: flags, bits: 8 },
    { name: '00', value: space.peek(0), bits: 8 },
    { name: '01', value: space.peek(1), bits: 8 },
    { name: 'LIN', value: rasterLine, bits: 9 },
    { name: 'CYC', value: lineCycle, bits: 8 },
  ]
}

/** @throws AppError NOT_FOUND, INVALID for a value that does not fit, UNSUPPORTED for the raster position */
export function writeRegister(c64: C64, name: string, value: number): void {
  const register = readRegisters(c64).find((register) => register.name === name.toUpperCase())
  if (!register)
    throw new AppError('NOT_FOUND', `The 6510 has no register “${name}”.`, {
      hint: 'It has PC, A, X, Y, SP, FL, and its port 00 and 01.',
    })
  if (value >= 2 ** register.bits)
    throw new AppError('INVALID', `${register.name} has ${register.bits} bits; ${value} does not fit.`)
  const { cpu, space } = c64
  switch (register.name) {
    case 'PC':
      cpu.pc = value
      break
    case 'A':
      cpu.a = value
      break
    case 'X':
      cpu.x = value
      break
    case 'Y':
      cpu.y = value
      break
    case 'SP':
      cpu.sp = value
      break
    case 'FL':
      cpu.flags = flagsFrom(value)
      break
    case '00':
      space.setPort(0, value)
      break
    case '01':
      space.setPort(1, value)
      break
    default:
      throw new AppError('UNSUPPORTED', `${register.name} is where the raster is; it cannot be set.`)
  }
}
