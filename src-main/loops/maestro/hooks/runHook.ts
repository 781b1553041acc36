import { resolve } from 'node:path'
import { describeFailure, toFailure } from '@shared/contract/errors'
import { hookEvents, type HookEvent } from '../../../formats/maestro/hooks/hooksFile'
import { readSessionBelow } from '../stateFiles'
import {
  delegatedAgent,
  denialOf,
  fallback,
  missingSections,
  needsReport,
  parseHookInput,
  sessionContext,
  type HookAnswer,
  type HookInput,
} from './hookEvents'
import type { NotedDecision } from './decisionLog'
import { HookState } from './hookState'

interface HookCall {
  readonly folder: string
  readonly environment: NodeJS.ProcessEnv
  readonly now: number
  readonly log: (level: 'INFO' | 'WARN' | 'ERROR', message: string) => void
  readonly note?: (decision: NotedDecision) => Promise<void>
}

/**
 * Never rejects: a hook that fails must not stop the host that called it.
 * @param given standard input
 */
export async function runHook(event: HookEvent, given: string, call: HookCall): Promise<HookAnswer> {
  const input = parseHookInput(given)
  const { answer, problem } = await answerTo(event, input, call)
  if (problem !== '') call.log('ERROR', `Hook failed, and allows what was asked: ${problem}`)
  const { note, now, folder, log } = call
  await note?.({
    time: now,
    event: hookEvents[event],
    folder: resolve(folder, input.cwd),
    answer: answer.kind,
    agent: (answer.kind === 'none' ? undefined : answer.agent) ?? null,
    reason: answer.kind === 'deny' ? answer.reason : problem,
  }).catch((error: unknown) => log('WARN', `The answer is not in the log: ${describeFailure(toFailure(error))}`))
  return answer
}

async function answerTo(
  event: HookEvent,
  input: HookInput,
  call: HookCall,
): Promise<{ readonly answer: HookAnswer; readonly problem: string }> {
  try {
    return { answer: await handlers[event](input, call, await HookState.open(call.environment)), problem: '' }
  } catch (error) {
    return { answer: fallback(event), problem: describeFailure(toFailure(error)) }
  }
}

type Handler = (input: HookInput, call: HookCall, state: HookState) => Promise<HookAnswer>

const handlers: Readonly<Record<HookEvent, Handler>> = {
  'session-start': async ({ session, cwd }, call, state) => {
    await state.prune(call.now)
    if (session !== undefined && (await activeSession(cwd, call)) !== undefined) await state.make(session)
    return { kind: 'none' }
  },

  'before-agent': async ({ session, cwd, prompt }, call, state) => {
    await state.prune(call.now)
    const agent = delegatedAgent(prompt, call.environment.MAESTRO_CURRENT_AGENT)
    if (agent !== undefined && session !== undefined) {
      await state.note(session, 'active-agent', agent)
      call.log('INFO', `BeforeAgent: ${agent} is at work`)
    }
    const file = await activeSession(cwd, call)
    return { kind: 'allow', agent, context: file === undefined ? undefined : sessionContext(file) }
  },

  'after-agent': async ({ session, response, isRetry }, call, state) => {
    if (session === undefined) return { kind: 'allow' }
    const agent =
      (await state.read(session, 'active-agent')) ?? (isRetry ? await state.read(session, 'denied-agent') : undefined)
    await state.clear(session)
    if (agent === undefined || !needsReport(agent)) return { kind: 'allow', agent }
    const missing = missingSections(response)
    if (missing.length === 0) {
      call.log('INFO', 'AfterAgent: handoff report validated')
      return { kind: 'allow', agent }
    }
    if (isRetry) {
      call.log('WARN', `AfterAgent: retry still malformed, allowed to prevent a loop: ${missing.join('; ')}`)
      return { kind: 'allow', agent }
    }
    call.log('WARN', `AfterAgent: requesting a retry: ${missing.join('; ')}`)
    await state.note(session, 'denied-agent', agent)
    return { kind: 'deny', agent, reason: denialOf(missing) }
  },

  'session-end': async ({ session }, _, state) => {
    if (session !== undefined) await state.remove(session)
    return { kind: 'none' }
  },
}

/** Maestro's own hooks know only the environment's state folder, and look below the host's working folder. */
async function activeSession(cwd: string, { folder, environment, log }: HookCall): Promise<string | undefined> {
  const { content, refusal, setting } = await readSessionBelow(resolve(folder, cwd), environment)
  if (refusal !== undefined) log('WARN', refusal)
  else if (setting.source.endsWith('.env'))
    log('WARN', `MAESTRO_STATE_DIR is that of the ${setting.source}; Maestro’s own hooks do not read it.`)
  return content?.toString()
}
