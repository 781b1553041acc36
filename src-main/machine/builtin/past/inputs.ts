/** With all that reaches the machine from outside, a stretch of its time can be run again. */
import { formatAddress } from '@shared/c64/address'
import type { C64Key, JoystickInput } from '@shared/c64/keyboardMatrix'
import type { Space } from '@shared/contract/memory'
import { counted } from '@shared/countedText'
import { startProgram } from '../autostart'
import type { C64 } from '../c64'
import { writeRegister } from '../registers'
import { writeSpace } from '../spaces'

export type OutsideInput =
  | { readonly kind: 'keys'; readonly keys: readonly C64Key[] }
  | { readonly kind: 'joystick'; readonly port: 1 | 2; readonly inputs: readonly JoystickInput[] }
  | { readonly kind: 'text'; readonly keys: readonly number[] }
  | { readonly kind: 'memory'; readonly space: Space; readonly address: number; readonly bytes: Uint8Array }
  | { readonly kind: 'register'; readonly name: string; readonly value: number }
  | { readonly kind: 'reset'; readonly reset: 'soft' | 'power' }
  | { readonly kind: 'program'; readonly file: Uint8Array }

/** @throws AppError as the machine refuses the input */
export function applyInput(c64: C64, input: OutsideInput): void {
  switch (input.kind) {
    case 'keys':
      c64.input.setKeys(input.keys)
      break
    case 'joystick':
      c64.input.setJoystick(input.port, input.inputs)
      break
    case 'text':
      c64.input.type(input.keys)
      break
    case 'memory':
      writeSpace(c64, input.space, input.address, input.bytes)
      break
    case 'register':
      writeRegister(c64, input.name, input.value)
      break
    case 'reset':
      c64.reset(input.reset)
      break
    case 'program':
      startProgram(c64, input.file)
  }
}

export function describeInput(input: OutsideInput): string {
  switch (input.kind) {
    case 'keys':
      return input.keys.length === 0 ? 'no key is down' : `keys down: ${input.keys.join(', ')}`
    case 'joystick':
      return `joystick ${input.port}: ${input.inputs.length === 0 ? 'released' : input.inputs.join(', ')}`
    case 'text':
      return `${counted(input.keys.length, 'character')} typed`
    case 'memory':
      return `${counted(input.bytes.length, 'byte')} written at ${formatAddress(input.address)}`
    case 'register':
      return `register ${input.name} set to ${input.value}`
    case 'reset':
      return input.reset === 'soft' ? 'reset' : 'switched off and on'
    case 'program':
      return `a program of ${counted(input.file.length, 'byte')} started`
  }
}

export function sizeOf(input: OutsideInput): number {
  const overhead = 64
  switch (input.kind) {
    case 'memory':
      return overhead + input.bytes.length
    case 'program':
      return overhead + input.file.length
    case 'text':
      return overhead + input.keys.length
    default:
      return overhead
  }
}
