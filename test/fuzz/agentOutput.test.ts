import { array, constantFrom, nat, oneof, string, tuple } from 'fast-check'
import { describe, expect } from 'vitest'
import { claudeParts } from '../../src-main/agents/finalOutputs/claude'
import { codexParts } from '../../src-main/agents/finalOutputs/codex'
import { hostileWords, type Line } from '../../src-main/agents/finalOutputs/finalOutput'
import { geminiParts } from '../../src-main/agents/finalOutputs/gemini'
import { opencodeParts } from '../../src-main/agents/finalOutputs/opencode'
import { outputReaders } from '../../src-main/agents/output'
import { ownErrorLine } from '../../src-main/agents/failureKind'
import { serviceRefusal } from '../../src-main/agents/serviceLimit'
import { verdict } from '../../src-main/agents/verdict'
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
    serviceRefusal(preset, { words: printed.join('\n') }, Date.UTC(2026, 10, 23))
  })

  const ownText = tuple(
    constantFrom('src/main.asm:', 'I changed ', 'expected ', 'FAIL: '),
    constantFrom('429: error: ', '503: ', 'ECONNREFUSED ', 'usage limit reached ', 'rate limit '),
    string(),
  ).map((parts) => parts.join(''))
  fuzz('is no limit by the agent’s own text', tuple(presets, ownText), ([preset, line]) => {
    expect(serviceRefusal(preset, { words: ownErrorLine(line) }, Date.UTC(2026, 10, 23))).toBeUndefined()
  })

  const programs = { claude: claudeParts, gemini: geminiParts, codex: codexParts, opencode: opencodeParts }
  const program = constantFrom('claude', 'gemini', 'codex', 'opencode')
  const hostile = oneof(
    constantFrom(...hostileWords),
    string(),
    tuple(string({ maxLength: 5 }), constantFrom(...hostileWords), string({ maxLength: 5 })).map((parts) =>
      parts.join(''),
    ),
    tuple(constantFrom(...hostileWords), constantFrom(...hostileWords)).map((parts) => parts.join('\n')),
  )
  /** What the agent says and its tools print, one after the other. */
  const work = array(tuple(nat(2), hostile), { minLength: 1, maxLength: 12 })
  const exits = constantFrom(0, 1, 3, 143, 145, 173, 'SIGKILL', 'SIGTERM')
  const transcript = tuple(program, work, exits, hostile)
  const refusalOf = (
    preset: keyof typeof programs,
    steps: readonly (readonly [number, string])[],
    end: number | string,
    last: readonly Line[],
  ) => {
    const { begin, says, toolPrinted } = programs[preset]
    const reader = outputReaders[preset]()
    const middle = steps.map(([kind, words]) => (toolPrinted[kind] ?? says)(words))
    for (const line of [...begin, ...middle, ...last])
      reader.line(typeof line === 'string' ? line : JSON.stringify(line))
    const ending =
      typeof end === 'number'
        ? { exitCode: end, signal: null, cause: null }
        : { exitCode: null, signal: end, cause: null }
    return verdict(preset, ending, reader.said, '', Date.UTC(2026, 10, 23)).refusal?.kind
  }

  fuzz('is no refusal by what the agent says or its tools print', transcript, ([preset, steps, end, words]) => {
    const { done, failures, says } = programs[preset]
    const ends = [[], [done(words)], [says(words)], [says(words), done('')], [JSON.stringify(done(words)).slice(0, -5)]]
    for (const last of ends) expect(refusalOf(preset, steps, end, last)).toBeUndefined()
    // Gemini ends with its service's status, which says what its words do not.
    const exit = preset === 'gemini' && end === 173 ? 1 : end
    for (const last of failures) expect(refusalOf(preset, steps, exit, last)).toBeUndefined()
  })

  fuzz('is a refusal where its last event says so, whatever came before', transcript, ([preset, steps, end]) => {
    const { refusals, wantsPerson } = programs[preset]
    const [outage = [], limit = []] = refusals
    const exit = preset === 'gemini' && end === 173 ? 1 : end
    expect(refusalOf(preset, steps, exit, outage)).toBe('unreachable')
    expect(refusalOf(preset, steps, exit, limit)).toBe('usage-limit')
    expect(refusalOf(preset, steps, exit, wantsPerson)).toBe('person')
  })
})
