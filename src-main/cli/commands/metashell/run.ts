import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { defineCommand, type CommandContext, type Values } from '../../command'
import { askNobody, maxTime, maxTimeOf, printLoop, secondAgent, secondAgentOf, startWhenRead } from '../../loopCalls'
import { loopExitCode } from '../../exitCodes'
import { dollars, flag, number, text } from '../../parameters'
import { trustFolder, trustRepository, trustRepositoryFlag } from '../../trustFolder'
import { metashellFolder, metashellGroup as group } from './group'
import { inProject } from './inProject'

const positionals = { folder: metashellFolder }
const options = {
  agent: text('NAME', 'The agent to run; one that you set up in the window.'),
  'second-agent': secondAgent,
  'max-turns': number('N', 'Stop after this many turns.', { min: 1, max: 1_000_000 }),
  'max-cost': dollars('Stop after this cost.'),
  'max-time': maxTime,
  'run-checks': flag('Run the plan’s verification_cmd of each task once it is reported done, without asking.'),
  auto: askNobody,
  trust: flag('Trust the folder, so that agents and git may run in it.'),
  worktree: flag('Let agents work in a git worktree of its own, until you merge it or throw it away.'),
  'trust-repository': trustRepositoryFlag,
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
  examples: ['metashell run . --agent claude --max-cost 5', 'metashell run . --worktree'],
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

async function runSession(
  context: CommandContext,
  { folder, agent, auto, trust, ...values }: Values<typeof positionals> & Values<typeof options>,
): Promise<number> {
  const options = {
    auto,
    ...(agent === undefined ? {} : { agent }),
    ...(values['max-turns'] === undefined ? {} : { maxTurns: values['max-turns'] }),
    ...(values['max-cost'] === undefined ? {} : { maxCost: values['max-cost'] }),
    ...maxTimeOf(values['max-time']),
    ...secondAgentOf(values['second-agent']),
    ...(values['run-checks'] ? { runsChecks: true } : {}),
    ...(values.worktree ? { worktree: true } : {}),
  }
  return inProject(context, folder, async (session, name) => {
    const { signal } = context
    if (trust) await trustFolder(session, folder, signal)
    if (values.worktree) await trustRepository(session, name.project, values['trust-repository'], context)
    await startWhenRead(
      () => session.client.call('loops.start', { ...name, system: 'metashell', options }, signal),
      signal,
    )
    return loopExitCode(await printLoop(session, name, context))
  })
}
