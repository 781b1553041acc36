/** Specification 003 has four hooks. No access to files here. */
import { z } from 'zod'
import type { HookFormat } from '@shared/hookFormats'
import { hookEvents, type HookEvent } from '../../../formats/maestro/hooks/hooksFile'
import { dispatchAgents, SESSION_ID } from '../../../formats/maestro/schema'
import { readFrontMatter } from '../../../formats/text/frontMatter'
import { field, textOf } from '../../../formats/text/located'
import { markdownLines } from '../../../formats/text/markdown'
import { StateText } from '../../../formats/text/stateFile'

const text = z.string().catch('')

const inputSchema = z
  .object({
    session_id: z.string().max(200).regex(SESSION_ID).optional().catch(undefined),
    cwd: text,
    prompt: text,
    prompt_response: text,
    stop_hook_active: z
      .union([z.literal(true), z.literal('true')])
      .transform(() => true)
      .catch(false),
  })
  .transform(({ session_id, cwd, prompt, prompt_response, stop_hook_active }) => ({
    /** Undefined where missing or unfit as a folder name. */
    session: session_id,
    cwd,
    prompt,
    response: prompt_response,
    isRetry: stop_hook_active,
  }))
export type HookInput = z.output<typeof inputSchema>

/** Whatever is not a JSON object counts as an empty one. */
export function parseHookInput(given: string): HookInput {
  let value: unknown
  try {
    value = JSON.parse(given)
  } catch {
    value = {}
  }
  return inputSchema.catch(inputSchema.parse({})).parse(value)
}

/**
 * The agent that the environment names, else the first to which the prompt delegates; a mere mention does not count.
 */
export function delegatedAgent(prompt: string, current: string | undefined): string | undefined {
  const named = current?.toLowerCase().replaceAll('-', '_')
  const known = dispatchAgents.find((agent) => agent === named)
  if (known) return known
  const lower = prompt.toLowerCase()
  return dispatchAgents.find((agent) => {
    const name = agent.replaceAll('_', '[-_]')
    return new RegExp(
      `(?:\\b(?:delegate|transfer|hand[\\s-]?off|dispatch|invoke)\\s+(?:to\\s+)?(?:the\\s+)?|@)${name}\\b`,
    ).test(lower)
  })
}

/** Anything longer is not passed on to an agent, as it could instruct it. */
const isWord = (value: string | undefined): value is string => value !== undefined && /^[\w.:-]{1,64}$/.test(value)

export function sessionContext(file: string): string | undefined {
  const { root } = readFrontMatter(new StateText('active-session.md', file)).document
  const said = (['current_phase', 'status'] as const).flatMap((name) => {
    const value = textOf(field(root, name))
    return isWord(value) ? [`${name}=${value}`] : []
  })
  return said.length === 0 ? undefined : `Active session: ${said.join(', ')}`
}

const coordinators = ['techlead', 'orchestrator']

export const needsReport = (agent: string): boolean => !coordinators.includes(agent.toLowerCase())

const sections = ['Task Report', 'Downstream Context']

export function missingSections(response: string): string[] {
  const headings = markdownLines(response).flatMap((line) => (line.kind === 'heading' ? [line.text.toLowerCase()] : []))
  return sections
    .filter((section) => !headings.some((heading) => new RegExp(`^${section}\\b`, 'i').test(heading)))
    .map((section) => `Missing ${section} section`)
}

export const denialOf = (missing: readonly string[]): string =>
  `Handoff report validation failed: ${missing.join('; ')}. Answer again with the headings ## Task Report and ## Downstream Context.`

export type HookAnswer =
  | { readonly kind: 'none' }
  | { readonly kind: 'allow'; readonly agent?: string | undefined; readonly context?: string | undefined }
  | { readonly kind: 'deny'; readonly agent?: string | undefined; readonly reason: string }

export function printAnswer(event: HookEvent, answer: HookAnswer, format: HookFormat): string {
  return JSON.stringify(format === '1.2' ? earlier(event, answer) : later(answer))
}

function earlier(event: HookEvent, answer: HookAnswer): object {
  if (answer.kind === 'none') return {}
  if (answer.kind === 'deny') return { decision: 'deny', reason: answer.reason }
  if (answer.context === undefined) return { decision: 'allow' }
  return {
    decision: 'allow',
    hookSpecificOutput: { hookEventName: hookEvents[event], additionalContext: answer.context },
  }
}

function later(answer: HookAnswer): object {
  if (answer.kind === 'deny') return { continue: false, systemMessage: answer.reason }
  const context = answer.kind === 'allow' ? answer.context : undefined
  return { continue: true, ...(context === undefined ? {} : { systemMessage: context }) }
}

export const fallback = (event: HookEvent): HookAnswer =>
  event === 'session-start' || event === 'session-end' ? { kind: 'none' } : { kind: 'allow' }
