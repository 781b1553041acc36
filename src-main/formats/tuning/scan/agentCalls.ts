import type { Code } from './code'
import { STRING, TEMPLATE } from './tokens'
import type { SkillText } from './skillText'
import { callAround, isAgentCall, isNamedPrompt } from './agentCode'
import { pathStart, unquoted } from './usage'

export interface AgentCall {
  readonly file: SkillText
  readonly code: Code
  readonly at: number
  readonly close: number
  readonly tool: string
}

export function agentCalls(file: SkillText): AgentCall[] {
  const { code } = file
  const calls: AgentCall[] = []
  for (let at = 0; at < code.length; at++) {
    if (!isAgentCall(code, at)) continue
    const close = code.partner(at + 1)
    calls.push({ file, code, at, close: close < 0 ? at + 2 : close, tool: code.text(at) })
  }
  return calls
}

export function agentTypes({ code }: SkillText): { type: string; offset: number }[] {
  const types: { type: string; offset: number }[] = []
  for (let at = 0; at < code.length; at++) {
    if (!typeKeys.has(unquoted(code, at) ?? code.text(at))) continue
    const type = unquoted(code, at + 2)
    if (type !== undefined && type !== '' && callAround(code, at) >= 0) types.push({ type, offset: code.start(at) })
  }
  return types
}

const typeKeys: ReadonlySet<string> = new Set(['subagent_type', 'agent_type', 'subagentType'])

export interface Prompt {
  readonly text: string
  readonly start: number
}

export function promptsIn({ code }: SkillText): Prompt[] {
  const prompts: Prompt[] = []
  for (let at = 0; at < code.length; at++) {
    const kind = code.kind(at)
    if ((kind !== STRING && kind !== TEMPLATE) || code.end(at) - code.start(at) < MIN_PROMPT) continue
    if (callAround(code, at) >= 0 || isNamedPrompt(code, at))
      prompts.push({ text: code.text(at), start: code.start(at) })
  }
  return prompts
}

/** Characters; a shorter text is a name. */
const MIN_PROMPT = 12

export function wholeExpression({ code, at, close }: AgentCall): { first: number; last: number; wrappers: string[] } {
  let [first, last] = [pathStart(code, at), close]
  const wrappers: string[] = []
  for (const open of code.around(at)) {
    if (code.is(open, '{') || code.is(open, '${') || code.is(open, '`')) break
    const end = code.partner(open)
    if (end < 0) break
    last = end
    first = open
    if (code.is(open, '(') && code.isWord(open - 1)) {
      wrappers.push(code.text(open - 1))
      first = pathStart(code, open - 1)
    }
  }
  return { first, last, wrappers }
}
