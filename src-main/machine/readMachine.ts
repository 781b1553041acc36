import type { ExpressionMachine } from '@shared/c64/expressions/compileExpression'
import type { Register } from '@shared/contract/memory'

/** The machines' own names of the raster's line and the cycle in it. */
const machineNames: Readonly<Partial<Record<string, string>>> = { RL: 'LIN', CY: 'CYC' }

export function readMachine(registers: readonly Register[], peek: ExpressionMachine['peek']): ExpressionMachine {
  const values = new Map(registers.map(({ name, value }) => [name, value]))
  return { register: (name) => values.get(machineNames[name] ?? name) ?? 0, peek }
}
