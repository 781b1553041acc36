import type { OperationContext } from '../operation'

/**
 * Says once in a task's log that reading the machine again and again can disturb its program, where it can.
 * @returns the same for the result
 */
export function warnOfSampling({ machine, iteration, log }: OperationContext): { note?: string } {
  const { samplingRisk } = machine
  if (samplingRisk === undefined) return {}
  if (iteration === 1) log(samplingRisk)
  return { note: samplingRisk }
}
