import type { ExpressionMachine } from '@shared/c64/expressions/compileExpression'
import type { ExpressionBank } from '@shared/c64/expressions/expression'
import type { Register } from '@shared/contract/memory'
import { readMachine } from '../readMachine'

export interface StoppedMachine extends ExpressionMachine {
  memoryOf(bank: ExpressionBank): Uint8Array
}

/** @param memory 64 KiB of each bank that is looked at */
export const stoppedMachine = (
  registers: readonly Register[],
  memory: ReadonlyMap<ExpressionBank, Uint8Array>,
): StoppedMachine => ({
  ...readMachine(registers, (bank, address) => memory.get(bank)?.[address] ?? 0),
  memoryOf: (bank) => memory.get(bank) ?? new Uint8Array(0),
})
