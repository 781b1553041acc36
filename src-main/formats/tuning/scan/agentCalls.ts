/** The calls of agents in a skill. */
import type { Code } from './code'
import { STRING, TEMPLATE } from './tokens'
import type { SkillText } from './skillText'
import { isCall, isDot, pathStart, unquoted, usageOf } from './usage'

export interface AgentCall {
  readonly file: SkillText
  readonly code: Code
  /** The token of its name. */
  readonly at: number
  /** The token that closes its arguments. */
  readonly close: number
  readonly tool: string
}

const tools: ReadonlySet<string> = new Set(['Task', 'Agent'])

/** `Task({`, `Agent(subagent_type=` */
export function isAgentCall(code: Code, at: number): boolean {
  if (!code.isWord(at) || !tools.has(code.text(at)) || !isCall(code, at) || isDot(code, at - 1)) return false
  const isKeyed = code.is(at + 2, '{') || (code.isWord(at + 2) && (code.is(at + 3, '=') || code.is(at + 3, ':')))
  return isKeyed && !isConstructor(code, at)
}

/** Arguments of classes with the same names in frameworks for agents. */
const constructorKeys: ReadonlySet<string> = new Set([
  'tools',
  'instructions',
  'expected_output',
  'role',
  'goal',
  'llm',
])

/** `Agent(tools=[…])` makes an agent of a framework, and asks none. */
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

/** Whether a token stands in the arguments of an agent's call; the call's token, or -1. */
export function callAround(code: Code, at: number): number {
  for (const open of code.around(at)) if (code.is(open, '(') && isAgentCall(code, open - 1)) return open - 1
  return -1
}

/** The types of agents that a file calls, with the place of each. */
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

/** A text that an agent gets. */
export interface Prompt {
  readonly text: string
  /** In the file. */
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

/** Whether a text in code is for an agent or a model. */
export const isPrompt = (code: Code, at: number): boolean =>
  callAround(code, at) >= 0 || isNamedPrompt(code, at) || usageOf(code, promptStart(code, at)) === 'prompt'

/** Of a template, its backtick. */
const promptStart = (code: Code, at: number): number => (code.is(code.parent(at), '`') ? code.parent(at) : at)

/** A shorter text is the name of something. */
const MIN_PROMPT = 12

/** `const reviewPrompt = …` */
function isNamedPrompt(code: Code, at: number): boolean {
  const open = promptStart(code, at)
  return (
    (code.is(open - 1, '=') || code.is(open - 1, ':')) && /prompt|instruction/i.test(code.text(open - 2).slice(0, 60))
  )
}

/** The tokens of the expression that a call is part of: `await Promise.all([Task(…), Task(…)])`. */
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
