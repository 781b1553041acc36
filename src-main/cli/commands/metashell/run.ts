import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { AppError, toFailure } from '@shared/contract/errors'
import type { Loop, LoopLine, LoopName } from '@shared/contract/loops'
import { defineCommand, type CommandContext, type Values } from '../../command'
import { isActive, showLoop } from '../../loopState'
import { EXIT_FAILED, EXIT_OK } from '../../exitCodes'
import { dollars, number, text } from '../../parameters'
import { toned } from '../../printed'
import { logTones } from '../../stateTones'
import type { Session } from '../../session'
import { metashellFolder, metashellGroup as group } from './group'
import { inProject } from './inProject'

/** Time between two reads of the loop's lines. */
const POLL_MS = 100

const positionals = { folder: metashellFolder }
const options = {
  agent: text('NAME', 'The agent to run; one that you set up in the window.'),
  'max-turns': number('N', 'Stop after this many turns.', { min: 1, max: 1_000_000 }),
  'max-cost': dollars('Stop after this cost.'),
}

const data = {
  'line?': '{ number, time, level, text }, as the log grows',
  'loop?': '{ state, outcome, message, … } at the end',
}

export const metashellRun = defineCommand({
  group,
  name: 'run',
  summary: 'Start or resume a session; runs until it needs your decision.',
  positionals,
  options,
  data,
  examples: ['metashell run . --agent claude --max-cost 5'],
  run: runSession,
})

export const metashellResume = defineCommand({
  group,
  name: 'resume',
  summary: 'Resume an existing session.',
  positionals,
  options,
  data,
  examples: ['metashell resume .'],
  run: async (context, values) => {
    if (!existsSync(join(values.folder, '.meta/session.json')))
      throw new AppError('NOT_FOUND', `There is no session in ${values.folder} to resume.`, {
        hint: 'metashell run starts one.',
      })
    return runSession(context, values)
  },
})

/** Runs until the loop ends; stops it when the call is interrupted. */
async function runSession(
  context: CommandContext,
  { folder, agent, ...values }: Values<typeof positionals> & Values<typeof options>,
): Promise<number> {
  const options = {
    ...(agent === undefined ? {} : { agent }),
    ...(values['max-turns'] === undefined ? {} : { maxTurns: values['max-turns'] }),
    ...(values['max-cost'] === undefined ? {} : { maxCost: values['max-cost'] }),
  }
  return inProject(context, folder, async (session, name) => {
    await session.client.call('loops.start', { ...name, options }, context.signal)
    const loop = await attendLoop(context, session, name)
    context.output.result({ loop }, loop.hint ?? '')
    return exitCodeOf(loop)
  })
}

async function attendLoop({ output, signal }: CommandContext, { client }: Session, name: LoopName): Promise<Loop> {
  const print = (line: LoopLine) =>
    output.result({ line }, toned(logTones[line.level], `[${line.level.toUpperCase()}] ${line.text}`))
  let printed = 0
  const printNew = async (): Promise<Loop> => {
    for (;;) {
      const { loop, lines } = await client.call('loops.lines', { ...name, after: printed })
      for (const line of lines) print(line)
      printed = lines.at(-1)?.number ?? printed
      if (lines.length === 0 || printed >= loop.lines) {
        showLoop(output, loop)
        return loop
      }
    }
  }
  for (;;) {
    const loop = await printNew()
    if (!isActive(loop)) return loop
    try {
      await wait(POLL_MS, undefined, { signal })
    } catch (error) {
      // It may have ended at the same moment.
      await client.call('loops.stop', name).catch((stopping: unknown) => {
        if (toFailure(stopping).code !== 'CONFLICT') throw stopping
      })
      await printNew()
      throw error
    }
  }
}

const exitCodeOf = ({ outcome, code }: Loop): number =>
  code ?? (outcome === 'done' || outcome === 'gate' ? EXIT_OK : EXIT_FAILED)
