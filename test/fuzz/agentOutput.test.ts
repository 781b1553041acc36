import { array, constantFrom, oneof, string, tuple } from 'fast-check'
import { describe, expect } from 'vitest'
import { outputReaders } from '../../src-main/agents/output'
import { ownErrorLine, serviceProblem } from '../../src-main/agents/serviceLimit'
import { fuzz } from './fuzz'

const presets = constantFrom('claude', 'codex', 'gemini', 'opencode', 'custom')
const lines = array(
  oneof(
    constantFrom(
      '{',
      '}',
      '[]',
      '{"type":"result"}',
      '{"type":"error","message":7}',
      '{"type":"turn.failed","error":{}}',
    ),
    string(),
  ),
  { maxLength: 20 },
)

describe('The final output of an agent', () => {
  fuzz('is read without an error', tuple(presets, lines), ([preset, printed]) => {
    const reader = outputReaders[preset]()
    for (const line of printed) reader.line(line)
    expect(typeof reader.said.data).toBe('string')
    serviceProblem(preset, printed.join('\n'), Date.UTC(2026, 10, 23))
  })

  const ownText = tuple(
    constantFrom('src/main.asm:', 'I changed ', 'expected ', 'FAIL: '),
    constantFrom('429: error: ', '503: ', 'ECONNREFUSED ', 'usage limit reached ', 'rate limit '),
    string(),
  ).map((parts) => parts.join(''))
  fuzz('is no limit by the agent’s own text', tuple(presets, ownText), ([preset, line]) => {
    expect(serviceProblem(preset, ownErrorLine(line), Date.UTC(2026, 10, 23))).toBeUndefined()
  })
})
