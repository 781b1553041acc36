import type { Code } from './code'
import { MARK, STRING, TEMPLATE, WORD } from './tokens'
import { nameWords, wordSet } from './names'

const has = (words: string): ((name: string) => boolean) => {
  const known = wordSet(words)
  return (name) => nameWords(name).some((word) => known.has(word))
}

const isSaving = has(
  'write save append persist store log info debug warn error print hash parse dump digest set put edit open clone summarize summarise compress truncate condense echo estimate count validate size checksum equal diff extract pick shorten excerpt trim',
)
const isAsking = has(
  'task agent generate chat complete ask invoke llm query spawn delegate dispatch prompt subagent message call',
)
const isPromptName = has('prompt prompts message messages instruction instructions context input task request body')
const isOtherName = has('path key file hash command cmd url json serialized backup html report log output markdown')

const callee = (code: Code, open: number): string | undefined =>
  code.is(open, '(') && code.isWord(open - 1) ? code.text(open - 1) : undefined

function receiver(code: Code, at: number): string | undefined {
  const before = code.text(at - 1)
  if (before !== '=' && before !== ':' && before !== '+=') return undefined
  return code.isWord(at - 2) || code.kind(at - 2) === STRING ? code.text(at - 2) : undefined
}

export function swallows(code: Code, at: number): boolean {
  if (code.is(at, 'except')) {
    let colon = at + 1
    while (colon < at + 12 && !code.is(colon, ':')) colon++
    return code.is(colon + 1, 'pass')
  }
  if (!code.is(at, 'catch')) return false
  const open = code.is(at + 1, '(') ? at + 1 : -1
  const close = open < 0 ? at : code.partner(open)
  if (code.is(close + 1, '{') && code.partner(close + 1) === close + 2) return true
  return open >= 0 && code.is(close - 1, '}') && code.is(close - 2, '{') && code.is(close - 3, '=>')
}

type Usage = 'prompt' | 'saved' | 'template' | 'other'

export function usageOf(code: Code, first: number): Usage {
  let usage: Usage = 'other'
  for (const place of [first, ...code.around(first)]) {
    const called = place === first ? undefined : callee(code, place)
    if (called !== undefined && isSaving(called)) return 'saved'
    if (called !== undefined && isAsking(called)) usage = 'prompt'
    if (usage === 'other' && (code.is(place, '`') || code.is(place, '${'))) usage = 'template'
    const name = receiver(code, statementStart(code, place))
    if (name === undefined || usage === 'prompt') continue
    if (isPromptName(name)) usage = 'prompt'
    else if (isOtherName(name)) return 'saved'
  }
  return usage
}

function statementStart(code: Code, at: number): number {
  let start = at
  for (let steps = 0; steps < 12 && code.is(start - 1, '+'); steps++) {
    let before = start - 2
    const open = code.partner(before)
    if (open >= 0 && open < before) before = open
    while (code.isWord(before - 1) && (code.is(before, '(') || code.is(before, '['))) before--
    while (code.is(before - 1, '.') && code.isWord(before - 2)) before -= 2
    start = before
  }
  return code.is(start - 1, 'await') ? start - 1 : start
}

export const isJoined = (code: Code, first: number, last: number): boolean =>
  code.is(first - 1, '+') || code.is(last + 1, '+') || code.is(first - 1, '+=')

export function pathStart(code: Code, at: number): number {
  let start = at
  for (let steps = 0; steps < 8 && isDot(code, start - 1) && code.isWord(start - 2); steps++) start -= 2
  return start
}

export const isDot = (code: Code, at: number): boolean => code.is(at, '.') || code.is(at, '?.')

export const unquoted = (code: Code, at: number): string | undefined =>
  code.kind(at) === STRING ? code.text(at).replace(/^(['"]{3}|['"])([^]*)\1$/, '$2') : undefined

export const isText = (code: Code, at: number): boolean => code.kind(at) === STRING || code.kind(at) === TEMPLATE

export const isCall = (code: Code, at: number): boolean =>
  code.kind(at) === WORD &&
  code.kind(at + 1) === MARK &&
  code.is(at + 1, '(') &&
  !code.is(at - 1, 'function') &&
  !code.is(at - 1, 'new') &&
  !code.is(at - 1, 'def')
