/** A loop as a command of the command line starts and follows it. */
import { setTimeout as wait } from 'node:timers/promises'
import { toFailure } from '@shared/contract/errors'
import type { Loop, LoopLine, LoopName } from '@shared/contract/loops'
import type { CommandContext } from './command'
import { isActive, showLoop } from './loopState'
import { flag, number, text } from './parameters'
import { toned } from './printed'
import type { Session } from './session'
import { logTones } from './stateTones'

/** Of a start that answers by itself what it can. */
export const askNobody = flag(
  'Ask nobody: answer questions as recommended, or else with the first option, and pass gates. What has neither waits for you.',
)

const MINUTE_MS = 60_000

export const maxTime = number('MIN', 'Stop after this many minutes, once the agent at work has ended.', {
  min: 1,
  max: 365 * 24 * 60,
})

/** The option of a start. @param minutes as given */
export const maxTimeOf = (minutes: number | undefined): { readonly maxTime?: number } =>
  minutes === undefined ? {} : { maxTime: minutes * MINUTE_MS }

export const secondAgent = text(
  'NAME',
  'The agent that takes a turn while its own agent is at the usage limit of its service.',
)

/** The option of a start. @param agent as given */
export const secondAgentOf = (agent: string | undefined): { readonly secondAgent?: string } =>
  agent === undefined ? {} : { secondAgent: agent }

/** How long reading the project's files may take. */
const OPEN_WAIT_MS = 20_000
/** Time between two reads of the loop's lines. */
const POLL_MS = 100

/** Starts a loop once its project, which may just have been opened, has been read. */
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
 * Prints the loop's log as it grows until the loop has ended; stops it when the call is interrupted.
 * @param print `isEnd` for the last line, which says how the loop ended
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
    // It may have ended at the same moment.
    if (signal.aborted) await client.call('loops.stop', name).catch(() => undefined)
  }
}

/** The same with each line as it is, and at the end what to do next. @throws where the call was interrupted */
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
