import type { PresetName } from '@shared/agentPresets'
import { outputReaders } from '../output'
import { verdict } from '../verdict'
import type { Expected, FinalOutput } from './finalOutput'

export function expectedOf(preset: PresetName, [, end, output, , errors = '']: FinalOutput, now: number): Expected {
  const reader = outputReaders[preset]()
  for (const line of output) reader.line(typeof line === 'string' ? line : JSON.stringify(line))
  const ending =
    typeof end === 'number'
      ? { exitCode: end, signal: null, cause: null }
      : { exitCode: null, signal: end, cause: null }
  const { status, refusal } = verdict(preset, ending, reader.said, errors, now)
  if (refusal && status === 'error') {
    if (refusal.kind === 'unreachable') return 'outage'
    if (refusal.kind !== 'usage-limit') return refusal.kind
    return refusal.resetsAt ?? 'limit'
  }
  return status === 'success' ? 'answer' : status === 'limit' ? 'turns' : 'error'
}
