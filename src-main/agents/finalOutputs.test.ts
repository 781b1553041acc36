import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PresetName } from '@shared/agentPresets'
import { claudeOutputs } from './finalOutputs/claude'
import { codexOutputs } from './finalOutputs/codex'
import { expectedOf } from './finalOutputs/expectedOf'
import { NOW, type FinalOutput } from './finalOutputs/finalOutput'
import { geminiOutputs } from './finalOutputs/gemini'
import { opencodeOutputs } from './finalOutputs/opencode'
import { knownOutputs } from './finalOutputs/knownOutputs'

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

describe.each(tables)('a final output of %s', (preset, outputs) => {
  it.each(outputs.map((output) => ({ output, what: output[0], end: output[1] })))('$what ($end)', ({ output }) => {
    expect(expectedOf(preset, output, NOW)).toBe(output[3])
  })

  it('is one of at least 60 that differ', () => {
    const names = outputs.map(([what]) => what)
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeGreaterThanOrEqual(60)
  })
})

it('of a program that nobody knows is no refusal, whatever it prints', () => {
  for (const output of tables.flatMap(([, outputs]) => outputs))
    expect(['answer', 'error']).toContain(expectedOf('custom', output, NOW))
})

describe.each(['claude', 'gemini', 'codex'] as const)('a final output of a known version of %s', (preset) => {
  const known = knownOutputs[preset]

  it.each(known.map((row) => ({ row, version: row.version, what: row.output[0], from: Object.keys(row.source)[0] })))(
    '$version, by its $from: $what',
    ({ row }) => {
      expect(expectedOf(preset, row.output, NOW)).toBe(row.output[3])
    },
  )

  it('is from one of a program’s runs, its package or a public page, and told once', () => {
    const sources = known.map(({ version, source, output }) => JSON.stringify([version, source, output[0]]))
    expect(new Set(sources).size).toBe(sources.length)
    for (const { source } of known) if ('page' in source) expect(source.page).toMatch(/^https:\/\/github\.com\//)
  })
})
