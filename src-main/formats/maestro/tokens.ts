/** A missing count is unknown, never 0. */
import type { NumberFact } from '@shared/contract/runDetails'
import { at, entriesOf, field, itemsOf, LocatedDocument, numberOf, textOf, type Located } from '../text/located'
import { parseLocatedJson } from '../text/locatedJson'
import type { StateText } from '../text/stateFile'
import { unknown } from '../run'
import type { Tokens } from './details'

interface Usage {
  readonly input: readonly Located[]
  readonly output: readonly Located[]
  readonly cached: readonly Located[]
}

interface FoundUsage extends Usage {
  readonly document: LocatedDocument
  readonly isTotal: boolean
}

const MENTION = /"(?:usage|stats|tokens|total_token_usage)"/
const MAX_EVENTS = 1_000

export function readTokens(text: StateText): Tokens {
  const found = documentsOf(text).flatMap((document) =>
    (document.root?.kind === 'list' ? itemsOf(document.root) : [document.root]).flatMap((event): FoundUsage[] => {
      const usage = usageOf(event)
      return usage ? [{ ...usage, document }] : []
    }),
  )
  const total = found.findLast(({ isTotal }) => isTotal)
  const counted = total ? [total] : found
  const sum = (name: keyof Usage): NumberFact => {
    const addends = counted.flatMap((usage) => usage[name].map((node) => ({ node, document: usage.document })))
    const [first] = addends
    if (!first) return unknown()
    const source = first.document.source(first.node)
    let value = 0
    for (const { node } of addends) {
      const count = numberOf(node)
      if (count === undefined || count < 0) return unknown(source)
      value += count
    }
    return { value, source }
  }
  return { input: sum('input'), output: sum('output'), cached: sum('cached') }
}

function documentsOf(text: StateText): LocatedDocument[] {
  const [, second] = text.text.trimStart().split('\n', 2)
  const isOneALine = /^\s*\{.*\}\s*$/.test(text.text.trimStart().split('\n', 1)[0] ?? '') && second !== undefined
  if (!isOneALine) {
    const whole = parseLocatedJson(text)
    if (whole.isWhole) return [whole]
  }
  const { starts } = text.lines
  return starts
    .map((start, index) => ({ start, end: starts[index + 1] ?? text.text.length }))
    .filter(({ start, end }) => MENTION.test(text.text.slice(start, end)))
    .slice(-MAX_EVENTS)
    .map((span) => parseLocatedJson(text, span))
    .filter(({ isWhole }) => isWhole)
}

function usageOf(event: Located | undefined): (Usage & { readonly isTotal: boolean }) | undefined {
  const kind = textOf(field(event, 'type'))
  const stats = field(event, 'stats')
  if (stats) return { ...geminiUsage(stats), isTotal: false }
  if (kind === 'result') return { ...claudeUsage(field(event, 'usage')), isTotal: true }
  if (kind === 'turn.completed') return { ...codexUsage(field(event, 'usage')), isTotal: false }
  if (kind === 'step_finish') return { ...opencodeUsage(at(event, 'part', 'tokens')), isTotal: false }
  const message = field(event, 'msg', 'payload') ?? event
  return textOf(field(message, 'type')) === 'token_count' && at(message, 'info', 'total_token_usage')
    ? { ...codexUsage(at(message, 'info', 'total_token_usage')), isTotal: true }
    : undefined
}

const all = (node: Located | undefined, ...names: readonly string[]): Located[] =>
  names.flatMap((name) => field(node, name) ?? [])

/** Per model; prompt tokens include cached ones. Events count once for all models. */
function geminiUsage(stats: Located): Usage {
  const models = entriesOf(field(stats, 'models')).map(([, model]) => field(model, 'tokens'))
  const counted = (...names: readonly string[]) => models.flatMap((tokens) => all(tokens, ...names))
  return models.length > 0
    ? { input: counted('prompt'), output: counted('candidates', 'thoughts'), cached: counted('cached') }
    : { input: all(stats, 'input_tokens'), output: all(stats, 'output_tokens'), cached: all(stats, 'cached') }
}

/** Claude's input counts do not overlap. */
const claudeUsage = (usage: Located | undefined): Usage => ({
  input: field(usage, 'input_tokens')
    ? all(usage, 'input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens')
    : [],
  output: all(usage, 'output_tokens'),
  cached: all(usage, 'cache_read_input_tokens'),
})

/** Input includes cached tokens, output includes reasoning. */
const codexUsage = (usage: Located | undefined): Usage => ({
  input: all(usage, 'input_tokens'),
  output: all(usage, 'output_tokens'),
  cached: all(usage, 'cached_input_tokens'),
})

const opencodeUsage = (tokens: Located | undefined): Usage => ({
  input: field(tokens, 'input') ? [...all(tokens, 'input'), ...all(field(tokens, 'cache'), 'read', 'write')] : [],
  output: all(tokens, 'output', 'reasoning'),
  cached: all(field(tokens, 'cache'), 'read'),
})
