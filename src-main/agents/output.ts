/**
 * What agents print is foreign: what is not understood is skipped, what is too long is cut, and what was not said is
 * null.
 */
import { z } from 'zod'
import type { PresetName } from '@shared/agentPresets'
import type { TokenUse } from '@shared/contract/agents'
import { failureParts, type Failure } from './failureKind'
import { TextTail } from './textTail'
import {
  claudeUsageSchema,
  codexUsageSchema,
  geminiStatsSchema,
  joinUses,
  opencodeUsageSchema,
  sum,
  tokensOf,
} from './tokenUse'

export interface Used {
  readonly tokens: number | null
  readonly uses: readonly TokenUse[]
  /** USD. */
  readonly cost: number | null
  readonly turns: number | null
}

export interface Said extends Used {
  readonly data: string
  readonly error: string | null
  readonly limit: 'turns' | 'cost' | null
  /** Whether it said its last word; for output without such a mark, whether it said anything. */
  readonly isOver: boolean
  readonly failure?: Failure | undefined
  readonly isPlain?: boolean
  readonly hasWorked?: boolean
}

export interface OutputReader {
  line(text: string): void
  /** Cheap to poll, unlike `said`, which puts the answer together each time. */
  readonly used: Used
  readonly said: Said
  readonly summary: string | null
}

/** The end of a longer answer is kept. */
export const MAX_ANSWER_CHARACTERS = 1024 * 1024
export const MAX_PLAIN_CHARACTERS = 256 * 1024
export const MAX_ERROR_CHARACTERS = 1_000
const MAX_FAILURE_CHARACTERS = 16 * 1024

const failureOf = (words: string, event: unknown): Failure => ({
  words: words.slice(0, MAX_FAILURE_CHARACTERS),
  ...failureParts(event, Date.now()),
})

const cutAnswer = (text: string): string =>
  text.length > MAX_ANSWER_CHARACTERS ? text.slice(-MAX_ANSWER_CHARACTERS) : text

const MAX_SUMMARY_CHARACTERS = 200

const summaryOf = (answer: string): string =>
  answer
    .slice(0, 2 * MAX_SUMMARY_CHARACTERS)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_SUMMARY_CHARACTERS)

export const saidNothing: Said = {
  data: '',
  error: null,
  limit: null,
  tokens: null,
  uses: [],
  cost: null,
  turns: null,
  isOver: false,
}

const saidPlainly = (text: string): Said => ({
  ...saidNothing,
  data: text.trimEnd(),
  isOver: text.trim() !== '',
  isPlain: true,
})

const text = z.string().optional().catch(undefined)
const number = z.number().min(0).optional().catch(undefined)
const flag = z.boolean().optional().catch(undefined)

const errorText = z.union([z.string(), z.looseObject({ message: z.string() }).transform(({ message }) => message)])
const errorSchema = errorText.optional().catch(undefined)

function parseJson(line: string): unknown {
  const start = line.trimStart()[0]
  if (start !== '{' && start !== '[') return undefined
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function eventReader(
  onEvent: (event: unknown) => void,
  answer: () => Said,
  used: () => Used = answer,
  beginning: () => string = () => answer().data,
): OutputReader {
  const plain = new TextTail(MAX_PLAIN_CHARACTERS)
  let sawEvent = false
  let object = ''
  const take = (value: unknown): boolean => {
    if (typeof value !== 'object' || value === null) return false
    sawEvent = true
    for (const event of Array.isArray(value) ? (value as unknown[]) : [value]) onEvent(event)
    return true
  }
  return {
    line(line) {
      if (take(parseJson(line))) return
      if (object !== '' || line === '{') {
        object = object.length + line.length > MAX_ANSWER_CHARACTERS ? '' : `${object}${line}\n`
        if (line === '}' && take(parseJson(object))) object = ''
      }
      plain.add(`${line}\n`)
    },
    get used() {
      return used()
    },
    get said() {
      // Without any event it is not the program that was expected, or one that was asked for plain text.
      return sawEvent ? answer() : saidPlainly(plain.text)
    },
    get summary() {
      return sawEvent ? summaryOf(beginning()) : null
    },
  }
}

const claudeSchema = z.looseObject({
  type: text,
  subtype: text,
  is_error: flag,
  /** In a message that Claude Code wrote in the service's place, this is a kind. */
  error: text,
  is_api_error_message: flag,
  api_error: text,
  api_error_type: text,
  api_error_status: number,
  rate_limit_info: z.looseObject({ status: text, resetsAt: number }).optional().catch(undefined),
  result: text,
  errors: z.array(errorSchema).optional().catch(undefined),
  num_turns: number,
  total_cost_usd: number,
  usage: claudeUsageSchema,
  message: z
    .looseObject({
      id: text,
      model: text,
      usage: claudeUsageSchema,
      content: z
        .array(z.looseObject({ type: text, text }))
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
})

function claude(): OutputReader {
  let said = saidNothing
  /** By message id: a message comes in several events, of which the last counts. */
  const messages = new Map<string, TokenUse | undefined>()
  let model: string | null = null
  let resetsAt: number | undefined
  const failureIn = (words: string, event: z.infer<typeof claudeSchema>, before?: Failure): Failure => ({
    words: words.slice(0, MAX_FAILURE_CHARACTERS),
    status: event.api_error_status ?? before?.status,
    kinds: [event.api_error, event.api_error_type, event.error, ...(before?.kinds ?? [])].filter(
      (kind) => kind !== undefined,
    ),
    resetsAt,
  })
  return eventReader(
    (raw) => {
      const event = claudeSchema.safeParse(raw).data
      if (event?.type === 'assistant' && event.message && !said.isOver) {
        const { id, usage, content } = event.message
        const isItsOwn = event.is_api_error_message === true || event.error !== undefined
        if (!isItsOwn) {
          model = event.message.model?.slice(0, 200) ?? model
          messages.set(id ?? String(messages.size), usage && { model, ...usage })
        }
        const uses = [...messages.values()].flatMap((use) => use ?? [])
        const words =
          content?.flatMap((part) => (part.type === 'text' && part.text !== undefined ? [part.text] : [])).join('') ??
          ''
        said = {
          ...said,
          data: words === '' || isItsOwn ? said.data : cutAnswer(words),
          hasWorked: said.hasWorked === true || !isItsOwn,
          failure: isItsOwn ? failureIn(words, event) : undefined,
          turns: messages.size,
          tokens: sum(uses.map(tokensOf)),
          uses: joinUses(uses),
        }
      }
      const limitInfo = event?.rate_limit_info
      if (limitInfo)
        resetsAt =
          limitInfo.status === 'rejected' && limitInfo.resetsAt !== undefined ? limitInfo.resetsAt * 1000 : undefined
      if (event?.type !== 'result') return
      const { subtype = '', result, errors, is_error } = event
      const words = [...(errors ?? []), result].filter((part) => part !== undefined).join(' ')
      const limit = subtype === 'error_max_turns' ? 'turns' : subtype.startsWith('error_max_budget') ? 'cost' : null
      const isEmpty = result === undefined || result.trim() === ''
      const before = said.failure
      const hasFailed =
        limit === null && (is_error === true || subtype.startsWith('error') || (isEmpty && before !== undefined))
      const itsError = words.trim() || before?.words || subtype || 'it says that it failed'
      said = {
        ...said,
        data: isEmpty ? said.data : cutAnswer(result),
        isOver: true,
        limit,
        error: hasFailed ? itsError.slice(0, MAX_ERROR_CHARACTERS) : null,
        failure: hasFailed ? failureIn(itsError, event, before) : undefined,
        ...(event.usage && tokensOf(event.usage) !== null
          ? { tokens: tokensOf(event.usage), uses: [{ model, ...event.usage }] }
          : {}),
        cost: event.total_cost_usd ?? null,
        turns: event.num_turns ?? said.turns,
      }
    },
    () => said,
  )
}

const geminiSchema = z.looseObject({
  type: text,
  role: text,
  content: text,
  delta: flag,
  status: text,
  message: text,
  severity: text,
  response: text,
  error: errorSchema,
  stats: geminiStatsSchema,
})

function gemini(): OutputReader {
  let said = saidNothing
  const answer = new TextTail(MAX_ANSWER_CHARACTERS)
  let beginning = ''
  const add = (words: string) => {
    answer.add(words)
    if (beginning.length < 2 * MAX_SUMMARY_CHARACTERS) beginning += words
  }
  return eventReader(
    (raw) => {
      const event = geminiSchema.safeParse(raw).data
      if (!event) return
      if (event.type === 'message' && event.role === 'assistant' && event.content !== undefined) add(event.content)
      if (event.type === 'error' && event.severity !== 'warning') {
        const words = event.message ?? event.error ?? 'it says that it failed'
        said = { ...said, error: words.slice(0, MAX_ERROR_CHARACTERS), failure: failureOf(words, errorIn(raw)) }
      }
      if (/^(?:message|tool_use|tool_result)$/.test(event.type ?? ''))
        said = { ...said, failure: undefined, hasWorked: said.hasWorked === true || event.role !== 'user' }
      const isObject = event.type === undefined
      if (
        event.type !== 'result' &&
        !(isObject && (event.response !== undefined || event.stats !== undefined || event.error !== undefined))
      )
        return
      if (event.response !== undefined) add(event.response)
      const { stats } = event
      const failed = event.error ?? (event.status === 'error' ? (said.error ?? 'it says that it failed') : null)
      const isGood = event.status === 'success'
      said = {
        ...said,
        isOver: true,
        error: isGood ? null : (failed?.slice(0, MAX_ERROR_CHARACTERS) ?? said.error),
        failure: isGood || failed === null ? undefined : failureOf(failed, errorIn(raw)),
        ...(stats && stats.tokens !== null ? { tokens: stats.tokens, uses: stats.uses } : {}),
        cost: stats?.cost ?? said.cost,
      }
    },
    () => ({ ...said, data: answer.text }),
    () => said,
    () => beginning,
  )
}

const codexSchema = z.looseObject({
  type: text,
  message: text,
  error: errorSchema,
  usage: codexUsageSchema,
  item: z.looseObject({ type: text, item_type: text, text }).optional().catch(undefined),
})

function codex(): OutputReader {
  let said = saidNothing
  return eventReader(
    (raw) => {
      const event = codexSchema.safeParse(raw).data
      const { item, usage } = event ?? {}
      switch (event?.type) {
        case 'item.completed':
          if (item?.type !== 'error') said = { ...said, failure: undefined, hasWorked: true }
          // First versions of Codex name it differently.
          if (/^(agent|assistant)_message$/.test(item?.type ?? item?.item_type ?? '') && item?.text !== undefined)
            said = { ...said, data: cutAnswer(item.text) }
          break
        case 'turn.completed':
          said = {
            ...said,
            isOver: true,
            error: null,
            failure: undefined,
            tokens: sum([said.tokens, usage && tokensOf(usage)]),
            uses: usage ? joinUses([...said.uses, { model: null, ...usage }]) : said.uses,
          }
          break
        case 'turn.failed':
        case 'error': {
          const words = event.error ?? event.message ?? 'it says that it failed'
          said = { ...said, error: words.slice(0, MAX_ERROR_CHARACTERS), failure: failureOf(words, errorIn(raw)) }
          break
        }
      }
    },
    () => said,
  )
}

const opencodeSchema = z.looseObject({
  type: text,
  part: z
    .looseObject({
      messageID: text,
      text,
      reason: text,
      cost: number,
      tokens: opencodeUsageSchema,
    })
    .optional()
    .catch(undefined),
  error: z
    .union([errorText, z.looseObject({ data: errorText }).transform(({ data }) => data)])
    .optional()
    .catch(undefined),
})

/** `opencode run --format json`: the text of its last message is its answer. */
function opencode(): OutputReader {
  let said = saidNothing
  let message: string | undefined
  let answer = new TextTail(MAX_ANSWER_CHARACTERS)
  return eventReader(
    (raw) => {
      const { type, part, error } = opencodeSchema.safeParse(raw).data ?? {}
      if (type === 'text' && part?.text !== undefined) {
        if (part.messageID !== message) answer = new TextTail(MAX_ANSWER_CHARACTERS)
        message = part.messageID
        answer.add(part.text)
      }
      if (type !== 'error') said = { ...said, failure: undefined }
      if (type === 'text' || type === 'tool_use') said = { ...said, hasWorked: true }
      if (type === 'step_finish') {
        const usage = part?.tokens
        said = {
          ...said,
          isOver: part?.reason !== 'tool-calls',
          turns: (said.turns ?? 0) + 1,
          tokens: sum([said.tokens, usage && tokensOf(usage)]),
          uses: usage ? joinUses([...said.uses, { model: null, ...usage }]) : said.uses,
          cost: sum([said.cost, part?.cost]),
        }
      }
      if (type === 'error') {
        const words = error ?? 'it says that it failed'
        said = { ...said, error: words.slice(0, MAX_ERROR_CHARACTERS), failure: failureOf(words, errorIn(raw)) }
      }
    },
    () => ({ ...said, data: answer.text }),
    () => said,
  )
}

function custom(): OutputReader {
  const answer = new TextTail(MAX_PLAIN_CHARACTERS)
  return {
    line: (line) => answer.add(`${line}\n`),
    used: saidNothing,
    summary: null,
    get said() {
      return saidPlainly(answer.text)
    },
  }
}

const errorIn = (raw: unknown): unknown => eventErrorSchema.safeParse(raw).data?.error
const eventErrorSchema = z.looseObject({ error: z.unknown() })

export const outputReaders: Readonly<Record<PresetName, () => OutputReader>> = {
  claude,
  gemini,
  codex,
  opencode,
  custom,
}
