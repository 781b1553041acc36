import { agentCalls, agentTypes, promptsIn, wholeExpression, type AgentCall } from './agentCalls'
import { isAgentCall } from './agentCode'
import type { Code } from './code'
import { allSure, foundAt, offsetsOf, type Found } from './finding'
import { nameWords, wordSet } from './names'
import { isNegated, sentencesOf } from './prose'
import { isReference, type SkillText } from './skillText'
import { isCall, isDot, swallows } from './usage'

export type AgentPattern =
  | 'error_handling'
  | 'result_validation'
  | 'agent_type_consistency'
  | 'nested_calls'
  | 'return_format_consistency'
  | 'missing_allowed_tool'

export function scanAgents(skill: readonly SkillText[]): Found<AgentPattern>[] {
  const calls = skill.map((file) => ({ file, calls: agentCalls(file) }))
  const isExplained = skill.some((file) => file.path === 'SKILL.md' && explainsFailures(file))
  const found = calls.flatMap(({ file, calls }) => {
    const isAnswered = isExplained || explainsFailures(file)
    const unhandled = offsetsOf(
      calls.filter((call) => !isHandled(call)),
      offsetOf,
      (call) => !isAnswered && isAwaited(call),
    )
    const unchecked = offsetsOf(
      calls.filter((call) => !isChecked(call)),
      offsetOf,
      (call) => isAwaited(call) && !isCheckedLater(call),
    )
    const count = unhandled.sure.length > 0 ? unhandled.sure.length : unhandled.unsure.length
    return [
      ...foundAt('error_handling', count > MAX_UNHANDLED ? 'high' : 'medium', file, unhandled),
      ...foundAt('result_validation', 'medium', file, unchecked),
      ...foundAt('nested_calls', 'high', file, allSure(nestedCalls(file, calls))),
    ] as Found<AgentPattern>[]
  })
  const all = calls.flatMap(({ calls }) => calls)
  return [...found, ...tooManyTypes(skill), ...tooManyFormats(skill, all), ...missingTool(skill, all)]
}

const explainsFailures = ({ text }: SkillText): boolean => failureHeading.test(text) || agentFails.test(text)
const failureHeading =
  /^ {0,3}#{2,6}[^\n]{0,60}(?:\berror[ -]handling|\berrors?\b|\bfailures?\b|\bfailed\b|\bretr(?:y|ies)\b|\brecovery\b|\bfallback|\btime-?outs?\b|错误|失败|异常处理|重试|降级)/im
const agentFails =
  /\b(?:agents?|sub-?agents?|tasks?|calls?|workers?|spawn\w*)\b[^\n]{0,40}\b(?:fail(?:s|ed|ure|ures)?|crash\w*|errors? out|time-?d? ?outs?|returns? (?:nothing|an error))\b/i

/** A bare call is made by the model, which sees its failure. */
function isAwaited(call: AgentCall): boolean {
  const { code } = call
  if (isInBackground(call)) return false
  const { first, wrappers } = wholeExpression(call)
  const before = code.text(first - 1)
  return before === 'await' || before === '=' || before === 'return' || wrappers.length > 0
}

function isInBackground({ code, at, close }: AgentCall): boolean {
  for (let token = at + 2; token < Math.min(close, at + 400); token++)
    if (code.is(token, 'run_in_background') && /^true$/i.test(code.text(token + 2))) return true
  return false
}

const offsetOf = ({ code, at }: AgentCall): number => code.start(at)

const MAX_UNHANDLED = 2

/** Characters around a call, as in skill tuning's own diagnosis. */
const HANDLED_WITHIN = 100
const CHECKED_WITHIN = 200

const handlers: ReadonlySet<string> = wordSet(
  'retry retries safe safely try attempt guard guarded settled fallback catch resilient',
)
const isHandler = (name: string): boolean =>
  /retr|safe|try|attempt|guard|settled|fallback|catch|resilient/i.test(name) &&
  nameWords(name).some((word) => handlers.has(word))

function isHandled(call: AgentCall): boolean {
  const { file, code, at } = call
  for (const open of code.around(at)) {
    if (code.is(open, '{') && code.is(open - 1, 'try')) return !swallows(code, code.partner(open) + 1)
    if (code.is(open, '(') && code.isWord(open - 1) && isHandler(code.text(open - 1))) return true
  }
  const { first, last } = wholeExpression(call)
  const from = code.start(first) - HANDLED_WITHIN
  for (let token = first - 1; token >= 0 && code.end(token) > from; token--)
    if (isHandling(code, token) && !isClosed(code, token, first)) return true
  for (const close of [call.close, last]) {
    const end = code.end(close) + HANDLED_WITHIN
    for (let token = close + 1; token < code.length && code.start(token) < end; token++)
      if (isHandling(code, token) && !code.is(token, 'try')) return true
  }
  return handledBelow.test(file.text.slice(code.end(last), code.end(last) + CHECKED_WITHIN))
}

const handledBelow =
  /\b(?:if|when|on|in case|should)\b[^.\n]{0,40}\b(?:fail\w*|errors?|throws?|time-?d? ?outs?|crash\w*)\b/i

function isHandling(code: Code, at: number): boolean {
  const text = code.text(at)
  if (text === 'then') return isDot(code, at - 1)
  if (text === 'catch' && swallows(code, at)) return false
  return text === 'catch' || text === 'try' || text === 'except'
}

function isClosed(code: Code, at: number, before: number): boolean {
  const open = code.is(at + 1, '(') ? code.partner(at + 1) + 1 : at + 1
  const close = code.is(open, '{') ? code.partner(open) : -1
  return close >= 0 && close < before
}

const checkers = /^(?:safe)?parse|valid|assert|check|verif|expect|ensure|^is[A-Z]|^require|^throwIf|guard|^inspect/i
const resultWords = /result|response|output|answer|reply|report|findings|review|outcome/i
const checkedBelow =
  /\b(?:check|verify|validate|confirm|ensure|make sure|reject|parse)\b[^.\n]{0,60}\b(?:results?|responses?|outputs?|answers?|repl(?:y|ies)|json|returned|findings|schema|valid)\b|\bif (?:the |its |an? )?(?:result|response|output|answer|reply|json)\b/i

function isChecked(call: AgentCall): boolean {
  const { file, code } = call
  const { first, last, wrappers } = wholeExpression(call)
  if (wrappers.some((name) => checkers.test(name))) return true
  const start = code.is(first - 1, 'await') ? first - 1 : first
  // The caller checks it, or does not: it cannot be seen here.
  if (code.is(start - 1, 'return') || code.is(start - 1, '=>')) return true
  if (defaults.has(code.text(last + 1))) return true
  const names = receivers(code, start)
  const isChained = isDot(code, last + 1)
  const isAbout = (token: number): boolean =>
    names.size > 0 ? names.has(code.text(token)) : isChained || resultWords.test(code.text(token))
  const end = code.end(last) + CHECKED_WITHIN
  for (let token = last + 1; token < code.length && code.start(token) < end; token++) {
    if (isAgentCall(code, token) && names.size === 0) break
    if (isCheck(code, token, isAbout)) return true
  }
  return checkedBelow.test(file.text.slice(code.end(last), end))
}

/** Characters below a call in which a sentence about checking counts. */
const CHECKED_LATER_WITHIN = 3_000

const isCheckedLater = ({ file, code, close }: AgentCall): boolean =>
  checkedBelow.test(file.text.slice(code.end(close), code.end(close) + CHECKED_LATER_WITHIN))

const defaults: ReadonlySet<string> = new Set(['||', '??', '?.', '&&'])

function receivers(code: Code, start: number): ReadonlySet<string> {
  if (!code.is(start - 1, '=')) return new Set()
  const close = start - 2
  if (code.isWord(close)) return new Set([code.text(close)])
  const open = code.partner(close)
  const names = new Set<string>()
  for (let token = open + 1; open >= 0 && token < close && token < open + 40; token++)
    if (code.isWord(token)) names.add(code.text(token))
  return names
}

const tests: ReadonlySet<string> = wordSet('if while switch typeof assert ! not')
const comparisons: ReadonlySet<string> = wordSet('?. ?? || && ? === !== == != < > >= <= instanceof')

function isCheck(code: Code, token: number, isAbout: (token: number) => boolean): boolean {
  const isCalledCheck = isCall(code, token) && checkers.test(code.text(token))
  if (isCalledCheck || tests.has(code.text(token))) {
    const close = isCalledCheck ? code.partner(token + 1) : -1
    const end = Math.min(close < 0 ? token + 14 : close, token + 20)
    for (let inner = token + 1; inner < end && !code.is(inner, '{'); inner++) if (isAbout(inner)) return true
    return false
  }
  if (!isAbout(token)) return false
  let next = token + 1
  while (next < token + 8 && code.is(next, '.') && code.isWord(next + 1)) next += 2
  return comparisons.has(code.text(next))
}

function nestedCalls(file: SkillText, calls: readonly AgentCall[]): number[] {
  const inCode = calls.filter(({ code, at }) => isNested(code, at)).map(offsetOf)
  const inPrompts = promptsIn(file).flatMap(({ text, start }) => {
    if (!nestedCall.test(text)) return []
    return [...sentencesOf(text, 0, text.length)].flatMap((sentence) => {
      const at = sentence.text.search(nestedCall)
      return at >= 0 && !isNegated(sentence.text) ? [start + sentence.start + at] : []
    })
  })
  return [...inCode, ...inPrompts]
}

const nestedCall = /\b(?:Task|Agent)\s?\(/

function isNested(code: Code, at: number): boolean {
  for (const open of code.around(at)) {
    if (code.is(open, '{') && (code.is(open - 1, '=>') || code.is(open - 1, ')'))) return false
    if (code.is(open, '(') && isAgentCall(code, open - 1)) return true
  }
  return false
}

/** An autonomous skill with more agent types is hard to coordinate. */
const MAX_TYPES = 3

function tooManyTypes(skill: readonly SkillText[]): Found<AgentPattern>[] {
  if (!skill.some(({ path }) => path === 'phases/orchestrator.md')) return []
  const seen = new Map<string, { file: SkillText; offset: number }>()
  for (const file of skill)
    for (const { type, offset } of agentTypes(file)) if (!seen.has(type)) seen.set(type, { file, offset })
  const places = [...seen.values()]
  const extra = places[MAX_TYPES]
  if (!extra) return []
  const offsets = places.filter(({ file }) => file === extra.file).map(({ offset }) => offset)
  return foundAt('agent_type_consistency', 'low', extra.file, allSure([...offsets.slice(-2), extra.offset]))
}

const MAX_FORMATS = 2
const formats: readonly (readonly [string, RegExp])[] = [
  ['file path', /\b(?:file ?)?paths?\b|\bfile ?names?\b|\blocation of the\b/i],
  ['json', /\bjson\b|\{\s*["']?\w+["']?\s*:/i],
  ['summary', /\bsummar(?:y|ies|ise|ize)\b/i],
  [
    'other',
    /\b(?:markdown|yaml|csv|xml|html|plain text|prose|table|bullet(?:ed)?|list|text|report|paragraph|diff|patch|score|number|boolean|yes or no|string|code)\b/i,
  ],
]

const returning =
  /\b(?:return|respond with|reply with|answer (?:with|in)|output|report back|give back|send back|format:)|\[(?:return|output)[\w ]{0,20}\]/i

function formatOf(sentence: string): string | undefined {
  const verb = returning.exec(sentence)
  if (!verb || isNegated(sentence.slice(0, verb.index + verb[0].length))) return undefined
  const object = sentence.slice(verb.index + verb[0].length, verb.index + verb[0].length + 60)
  const named = formats.flatMap(([format, words]) => {
    const at = object.search(words)
    return at < 0 ? [] : [{ format, at }]
  })
  return named.sort((a, b) => a.at - b.at)[0]?.format
}

function tooManyFormats(skill: readonly SkillText[], calls: readonly AgentCall[]): Found<AgentPattern>[] {
  const callers = new Set(calls.map(({ file }) => file))
  const seen = new Map<string, { file: SkillText; offset: number }>()
  for (const file of skill) {
    if (!callers.has(file)) continue
    for (const { text, start } of promptsIn(file)) {
      for (const sentence of sentencesOf(text, 0, text.length)) {
        const format = formatOf(sentence.text)
        if (format !== undefined && !seen.has(format))
          seen.set(format, { file, offset: start + sentence.start + Math.max(0, sentence.text.search(/\S/)) })
      }
    }
  }
  if (seen.size <= MAX_FORMATS) return []
  // Agents with different work may well return different things.
  const places = [...seen.values()].map(({ file, offset }) => ({
    file: file.path,
    line: file.line(offset),
    context: file.excerpt(offset),
  }))
  return [{ pattern: 'return_format_consistency', severity: 'medium', confidence: 'low', places }]
}

function missingTool(skill: readonly SkillText[], calls: readonly AgentCall[]): Found<AgentPattern>[] {
  const file = skill.find(({ path }) => path === 'SKILL.md')
  const front = file?.front
  if (!file || !front || calls.every(({ file: { path } }) => isReference(path))) return []
  const text = file.text.slice(front.start, Math.min(front.end, front.start + 5_000))
  const key = /^allowed[-_]tools[ \t]*:([^\n]*(?:\n(?:[ \t]*-|[ \t]+)[^\n]*)*)/m.exec(text)
  if (!key || /(?:^|[\s,[\]"'-])(?:Task|Agent|spawn_agent|\*)(?:$|[\s,()[\]"'])/.test(key[1] ?? '')) return []
  return foundAt('missing_allowed_tool', 'medium', file, allSure([front.start + key.index]))
}
