import { expect, it } from 'vitest'
import { printedAmounts } from '../support/printedAmounts'

const lines = (...events: readonly object[]): string => events.map((event) => JSON.stringify(event)).join('\n')
const nothing = { tokens: null, cost: null, input: null }

const usage = { input_tokens: 800, cache_read_input_tokens: 200, cache_creation_input_tokens: 0, output_tokens: 50 }
const message = (id: string) => ({ type: 'assistant', message: { id, usage } })

it('Claude Code tells all at its end, cached tokens too', () => {
  const said = lines(message('m1'), { type: 'result', usage, total_cost_usd: 0.25 })
  expect(printedAmounts.claude(said)).toEqual({ tokens: 1_050, cost: 0.25, input: 1_000 })
})

it('Claude Code that was killed has told the tokens of its messages, each once', () => {
  const said = `${lines(message('m1'), message('m1'), message('m2'))}\n{"type":"resu`
  expect(printedAmounts.claude(said)).toEqual({ tokens: 2_100, cost: null, input: null })
})

it('What Claude Code writes in the service’s place counts nothing', () => {
  expect(printedAmounts.claude(lines({ ...message('m1'), is_api_error_message: true }))).toEqual(nothing)
})

it('Gemini CLI tells all in its last event, or by model in one object', () => {
  const stats = { total_tokens: 3_150, input_tokens: 3_000 }
  const models = { a: { tokens: { total: 1_050, prompt: 1_000 } }, b: { tokens: { total: 2_100, prompt: 2_000 } } }
  const wanted = { tokens: 3_150, cost: null, input: 3_000 }
  expect(printedAmounts.gemini(lines({ type: 'init' }, { type: 'result', status: 'success', stats }))).toEqual(wanted)
  expect(printedAmounts.gemini(JSON.stringify({ response: 'ready', stats: { models } }, null, 2))).toEqual(wanted)
})

it('Codex CLI tells each of its turns', () => {
  const turn = { type: 'turn.completed', usage: { input_tokens: 1_000, cached_input_tokens: 200, output_tokens: 50 } }
  expect(printedAmounts.codex(lines(turn, turn))).toEqual({ tokens: 2_100, cost: null, input: 2_000 })
})

it('A program that printed nothing told nothing', () => {
  for (const amounts of Object.values(printedAmounts)) expect(amounts('')).toEqual(nothing)
})
