import { assembleSource } from '../../c64/assembly/assembleSource'
import { AppError } from '../../contract/errors'

export interface MemoryPart {
  readonly address: number
  readonly bytes: Uint8Array
}

const LOAD = 0x0801

/**
 * @returns a PRG file
 * @param code for the assembler; interrupts are off while it runs
 */
export function assembled(code: readonly string[], parts: readonly MemoryPart[]): Uint8Array {
  const result = assembleSource(['start', ' sei', ...code].join('\n'))
  if (!result.ok) throw new AppError('INTERNAL', `The viewer cannot be assembled: ${result.problems[0]?.message ?? ''}`)
  const { prg, end } = result.program
  const first = Math.min(...parts.map(({ address }) => address))
  if (end > first) throw new AppError('INTERNAL', 'The viewer is too long for its data.')
  const last = Math.max(...parts.map(({ address, bytes }) => address + bytes.length))
  const file = new Uint8Array(2 + last - LOAD)
  file.set(prg)
  for (const { address, bytes } of parts) file.set(bytes, 2 + address - LOAD)
  return file
}
