/** Everything that reaches the machine from outside: with these, a stretch of its time can be run again. */
import type { C64Key, JoystickInput } from '@shared/c64/keyboardMatrix'
import type { Space } from '@shared/contract/memory'
import { startProgram } from '../autostart'
import type { C64 } from '../c64'
import { writeRegister } from '../registers'
import { writeSpace } from '../spaces'

export type OutsideInput =
  | { readonly kind: 'keys'; readonly keys: readonly C64Key[] }
  | { readonly kind: 'joystick'; readonly port: 1 | 2; readonly inputs: readonly JoystickInput[] }
  /** PETSCII. */
  | { readonly kind: 'text'; readonly keys: readonly number[] }
  | { readonly kind: 'memory'; readonly space: Space; readonly address: number; readonly bytes: Uint8Array }
  | { readonly kind: 'register'; readonly name: string; readonly value: number }
  | { readonly kind: 'reset'; readonly reset: 'soft' | 'power' }
  /** A PRG or P00 file, started from power-on. */
  | { readonly kind: 'program'; readonly file: Uint8Array }

/** @throws AppError as the machine refuses the input */
export function applyInput(c64: C64, input: OutsideInput): void {
  switch (input.kind) {
    case 'keys':
      c64.setKeys(input.keys)
      break
    case 'joystick':
      c64.setJoystick(input.port, input.inputs)
      break
    case 'text':
      c64.type(input.keys)
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

/** What keeping it takes, bytes. */
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
