import { setTimeout as wait } from 'node:timers/promises'
import { toFailure } from '@shared/contract/errors'
import type { Loop, LoopLine, LoopName } from '@shared/contract/loops'
import type { CommandContext } from './command'
import { isActive, showLoop } from './loopState'
import { flag, number, text } from './parameters'
import { toned } from './printed'
import type { Session } from './session'
import { logTones } from './stateTones'

export const askNobody = flag(
  'Ask nobody: answer questions as recommended, or else with the first option, and pass gates. What has neither waits for you.',
)

const MINUTE_MS = 60_000

export const maxTime = number('MIN', 'Stop after this many minutes, once the agent at work has ended.', {
  min: 1,
  max: 365 * 24 * 60,
})

export const maxTimeOf = (minutes: number | undefined): { readonly maxTime?: number } =>
  minutes === undefined ? {} : { maxTime: minutes * MINUTE_MS }

export const secondAgent = text(
  'NAME',
  'The agent that takes a turn while its own agent is at the usage limit of its service.',
)

export const secondAgentOf = (agent: string | undefined): { readonly secondAgent?: string } =>
  agent === undefined ? {} : { secondAgent: agent }

const OPEN_WAIT_MS = 20_000
const POLL_MS = 100

export async function startWhenRead(start: () => Promise<{ readonly loop: Loop }>, signal: AbortSignal): Promise<Loop> {
  const deadline = performance.now() + OPEN_WAIT_MS
  for (;;) {
    try {
      return (await start()).loop
    } catch (error) {
      if (toFailure(error).code !== 'NOT_FOUND' || performance.now() > deadline) throw error
      await wait(POLL_MS, undefined, { signal })
    }
  }
}

/**
 * Stops the loop when the call is interrupted.
 * @param print gets `isEnd` for the last line, which says how the loop ended
 */
export async function followLoop(
  { client }: Session,
  name: LoopName,
  { output, signal }: Pick<CommandContext, 'output' | 'signal'>,
  print: (line: LoopLine, isEnd: boolean) => void,
): Promise<Loop> {
  let after = 0
  for (;;) {
    const { loop, lines } = await client.call('loops.lines', { ...name, after })
    for (const line of lines) {
      after = line.number
      print(line, !isActive(loop) && line.number === loop.lines)
    }
    showLoop(output, loop)
    if (!isActive(loop)) {
      if (lines.length === 0 || after >= loop.lines) return loop
      continue
    }
    if (!signal.aborted) await wait(POLL_MS, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) await client.call('loops.stop', name).catch(() => undefined)
  }
}

/** @throws where the call was interrupted */
export async function printLoop(
  session: Session,
  name: LoopName,
  context: Pick<CommandContext, 'output' | 'signal'>,
): Promise<Loop> {
  const { output, signal } = context
  const loop = await followLoop(session, name, context, (line) =>
    output.result({ line }, toned(logTones[line.level], `[${line.level.toUpperCase()}] ${line.text}`)),
  )
  signal.throwIfAborted()
  output.result({ loop }, loop.hint ?? '')
  return loop
}
