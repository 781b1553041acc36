import type { OperationContext } from '../operation'

export function warnOfSampling({ machine, iteration, log }: OperationContext): { note?: string } {
  const { samplingRisk } = machine
  if (samplingRisk === undefined) return {}
  if (iteration === 1) log(samplingRisk)
  return { note: samplingRisk }
}
