import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PresetName } from '@shared/agentPresets'
import { claudeOutputs } from './finalOutputs/claude'
import { codexOutputs } from './finalOutputs/codex'
import { NOW, type Expected, type FinalOutput } from './finalOutputs/finalOutput'
import { geminiOutputs } from './finalOutputs/gemini'
import { opencodeOutputs } from './finalOutputs/opencode'
import { outputReaders } from './output'
import { verdict } from './verdict'

const tables: readonly (readonly [PresetName, readonly FinalOutput[]])[] = [
  ['claude', claudeOutputs],
  ['gemini', geminiOutputs],
  ['codex', codexOutputs],
  ['opencode', opencodeOutputs],
]

beforeEach(() => {
  vi.useFakeTimers()
  vi.setSystemTime(NOW)
})
afterEach(() => void vi.useRealTimers())

function outcomeOf(preset: PresetName, [, end, output, , errors = '']: FinalOutput): Expected {
  const reader = outputReaders[preset]()
  for (const line of output) reader.line(typeof line === 'string' ? line : JSON.stringify(line))
  const ending =
    typeof end === 'number'
      ? { exitCode: end, signal: null, cause: null }
      : { exitCode: null, signal: end, cause: null }
  const { status, refusal } = verdict(preset, ending, reader.said, errors, NOW)
  if (refusal && status === 'error') {
    if (refusal.kind === 'unreachable') return 'outage'
    if (refusal.kind !== 'usage-limit') return refusal.kind
    return refusal.resetsAt ?? 'limit'
  }
  return status === 'success' ? 'answer' : status === 'limit' ? 'turns' : 'error'
}

describe.each(tables)('a final output of %s', (preset, outputs) => {
  it.each(outputs.map((output) => ({ output, what: output[0], end: output[1] })))('$what ($end)', ({ output }) => {
    expect(outcomeOf(preset, output)).toBe(output[3])
  })

  it('is one of at least 60 that differ', () => {
    const names = outputs.map(([what]) => what)
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeGreaterThanOrEqual(60)
  })
})

it('of a program that nobody knows is no refusal, whatever it prints', () => {
  for (const output of tables.flatMap(([, outputs]) => outputs))
    expect(['answer', 'error']).toContain(outcomeOf('custom', output))
})
