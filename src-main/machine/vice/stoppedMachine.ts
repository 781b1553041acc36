/** A VICE that stands, as it was read once, for expressions and for finding what wrote. */
import type { ExpressionMachine } from '@shared/c64/expressions/compileExpression'
import type { ExpressionBank } from '@shared/c64/expressions/expression'
import type { Register } from '@shared/contract/memory'

/** VICE's own names of the raster's line and the cycle in it. */
const viceNames: Readonly<Partial<Record<string, string>>> = { RL: 'LIN', CY: 'CYC' }

export interface StoppedMachine extends ExpressionMachine {
  /** 64 KiB; nothing of a bank that was not read. */
  memoryOf(bank: ExpressionBank): Uint8Array
}

/** @param memory 64 KiB of each bank that is looked at */
export function stoppedMachine(
  registers: readonly Register[],
  memory: ReadonlyMap<ExpressionBank, Uint8Array>,
): StoppedMachine {
  const values = new Map(registers.map(({ name, value }) => [name, value]))
  return {
    register: (name) => values.get(viceNames[name] ?? name) ?? 0,
    memoryOf: (bank) => memory.get(bank) ?? new Uint8Array(0),
    peek: (bank, address) => memory.get(bank)?.[address] ?? 0,
  }
}
