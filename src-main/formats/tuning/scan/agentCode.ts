import type { Code } from './code'
import { isCall, isDot, usageOf } from './usage'

const tools: ReadonlySet<string> = new Set(['Task', 'Agent'])

export function isAgentCall(code: Code, at: number): boolean {
  if (!code.isWord(at) || !tools.has(code.text(at)) || !isCall(code, at) || isDot(code, at - 1)) return false
  const isKeyed = code.is(at + 2, '{') || (code.isWord(at + 2) && (code.is(at + 3, '=') || code.is(at + 3, ':')))
  return isKeyed && !isConstructor(code, at)
}

const constructorKeys: ReadonlySet<string> = new Set([
  'tools',
  'instructions',
  'expected_output',
  'role',
  'goal',
  'llm',
])

function isConstructor(code: Code, at: number): boolean {
  const first = code.is(at + 2, '{') ? at + 3 : at + 2
  const open = first - 1
  const close = code.partner(open)
  const end = Math.min(close < 0 ? code.length : close, at + 120)
  for (let key = first; key < end; key++)
    if (
      code.parent(key) === open &&
      constructorKeys.has(code.text(key)) &&
      (code.is(key + 1, '=') || code.is(key + 1, ':'))
    )
      return true
  return false
}

export function callAround(code: Code, at: number): number {
  for (const open of code.around(at)) if (code.is(open, '(') && isAgentCall(code, open - 1)) return open - 1
  return -1
}

export const isPrompt = (code: Code, at: number): boolean =>
  callAround(code, at) >= 0 || isNamedPrompt(code, at) || usageOf(code, promptStart(code, at)) === 'prompt'

const promptStart = (code: Code, at: number): number => (code.is(code.parent(at), '`') ? code.parent(at) : at)

export function isNamedPrompt(code: Code, at: number): boolean {
  const open = promptStart(code, at)
  return (
    (code.is(open - 1, '=') || code.is(open - 1, ':')) && /prompt|instruction/i.test(code.text(open - 2).slice(0, 60))
  )
}
