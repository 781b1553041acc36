import type { OperationContext } from '../operation'

/** Says once in a task's log that reading the machine again and again can disturb its program, where it can. */
export function warnOfSampling({ machine, iteration, log }: OperationContext): void {
  if (iteration === 1 && machine.samplingRisk !== undefined) log(machine.samplingRisk)
}
