import { compileExpression, type Evaluate } from '@shared/c64/expressions/compileExpression'
import type { ExpressionBank } from '@shared/c64/expressions/expression'
import { requireCondition } from '@shared/c64/expressions/parseExpression'
import { findAmong } from '@shared/c64/labels/names'
import type { Input, Output } from '@shared/contract/contract'
import type { Register } from '@shared/contract/memory'
import { requireFacet, type Machine } from '../machine/machine'
import { standingStill } from '../machine/readImage'
import { readMachine } from '../machine/readMachine'
import type { MachineManager } from '../machine/manager'
import type { Labels } from './labels'

interface Parts {
  readonly machines: MachineManager
  readonly labels: Labels
}

/**
 * All values are of one moment, where the machine can be paused.
 * @throws AppError INVALID for an unreadable expression
 */
export async function evaluate(
  { machines, labels }: Parts,
  { machine, expressions }: Input<'labels.evaluate'>,
  signal: AbortSignal,
): Promise<Output<'labels.evaluate'>> {
  const live = machines.live(machine)
  const parsed: Evaluate[] = []
  for (const condition of expressions) {
    const names = await labels.ask('expressionNames', machine, { machine, condition, log: null })
    parsed.push(compileExpression(requireCondition(condition, findAmong(names))))
  }
  return standingStill({ machine: live, signal }, true, async () => {
    const registers: readonly Register[] =
      live.unsupported.registers === undefined ? await requireFacet(live, 'registers').read(signal) : []
    const known = new Map<string, number>()
    const values: number[] = []
    for (const value of parsed) values.push(await evaluated(value, registers, known, live, signal))
    return { time: Date.now(), values }
  })
}

/** Reads only the bytes that count. An address may itself be read from memory, so this takes a few rounds. */
async function evaluated(
  value: Evaluate,
  registers: readonly Register[],
  known: Map<string, number>,
  machine: Machine,
  signal: AbortSignal,
): Promise<number> {
  for (;;) {
    const missing: { readonly bank: ExpressionBank; readonly address: number }[] = []
    const peek = (bank: ExpressionBank, address: number): number => {
      const byte = known.get(`${bank} ${address}`)
      if (byte === undefined) missing.push({ bank, address })
      return byte ?? 0
    }
    const result = value(readMachine(registers, peek))
    if (missing.length === 0) return result
    for (const { bank, address } of missing) {
      const [byte = 0] = await machine.readMemory({ space: bank, address, length: 1 }, signal)
      known.set(`${bank} ${address}`, byte)
    }
  }
}
