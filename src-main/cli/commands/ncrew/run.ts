import type { LoopOptions } from '@shared/contract/loopOptions'
import type { Loop, LoopLine, LoopName } from '@shared/contract/loops'
import type { Crew } from '../../../loops/ncrew/crewFiles'
import { nextTurn } from '../../../loops/ncrew/nextTurn'
import type { CrewEnd } from '../../../loops/ncrew/runCrew'
import { logLine, type LogWord } from '../../../loops/ncrew/turnLog'
import { inAroundProject } from '../../aroundProject'
import { defineCommand, type CommandContext, type Values } from '../../command'
import { askNobody, followLoop, maxTime, maxTimeOf, secondAgent, secondAgentOf, startWhenRead } from '../../loopCalls'
import { EXIT_INTERRUPTED, EXIT_OK } from '../../exitCodes'
import type { Output } from '../../output'
import { toned } from '../../printed'
import { logTones } from '../../stateTones'
import { dollars, flag, number, text } from '../../parameters'
import type { Session } from '../../session'
import { trustFolder } from '../../trustFolder'
import { iterationBounds, loopOptions, reportEnd, requireCrew } from './crew'
import { crewFolder, ncrewGroup as group } from './group'

const EXIT_ERROR = 99

const positionals = { folder: crewFolder }
const options = {
  'max-iterations': number('N', 'Stop after this many iterations.', iterationBounds),
  'max-cost': dollars('Stop after this cost.'),
  'max-time': maxTime,
  llm: text('NAME', 'The same as --agent.'),
  agent: text('NAME', 'The agent to run; one that you set up in the window.'),
  'second-agent': secondAgent,
  auto: askNobody,
  single: flag('One turn only.'),
  'dry-run': flag('Show the next turn and its prompt; launch nothing.'),
  trust: flag('Trust the folder, so that agents and git may run in it.'),
}

const data = {
  'code?': 'the exit code',
  'message?': 'why it ended',
  'hint?': 'what to do',
  'role?': '--dry-run: of the expert',
  'phase?': '--dry-run: its key',
  'task?': '--dry-run: text or null',
  'llm?': '--dry-run: the language model or null',
  'prompt?': '--dry-run: text',
}

export const ncrewRun = defineCommand({
  group,
  name: 'run',
  summary: 'Run a crew until it is done or needs you.',
  positionals,
  options,
  data,
  examples: ['ncrew run --max-cost 5', 'ncrew run --dry-run'],
  run: runCrew,
})

export const ncrewResume = defineCommand({
  group,
  name: 'resume',
  summary: 'The same as run.',
  positionals,
  options,
  data,
  examples: ['ncrew resume', 'ncrew resume --single'],
  run: runCrew,
})

async function runCrew(
  context: CommandContext,
  { folder, agent, llm, auto, single, trust, ...values }: Values<typeof positionals> & Values<typeof options>,
): Promise<number> {
  const { output, signal } = context
  const chosen = agent ?? llm
  const limits = { maxIterations: values['max-iterations'], maxCost: values['max-cost'] }
  const options: LoopOptions<'ncrew'> = {
    ...loopOptions(limits, context.environment),
    auto,
    ...maxTimeOf(values['max-time']),
    ...secondAgentOf(values['second-agent']),
    ...(chosen === undefined ? {} : { agent: chosen }),
    ...(single ? { maxTurns: 1 } : {}),
  }
  const crew = await requireCrew(folder, signal)
  if (values['dry-run']) return dryRun(crew, options, output)
  const session = await context.openSession()
  if (trust) await trustFolder(session, crew.root, signal)
  return inAroundProject(session, crew.root, signal, async (project, place) => {
    const name = { project, system: 'ncrew' as const, place: place(crew.root) }
    await startWhenRead(() => session.client.call('loops.start', { ...name, options }, signal), signal)
    return reportEnd(output, await followCrew(session, name, context))
  })
}

async function dryRun(crew: Crew, options: LoopOptions<'ncrew'>, output: Output): Promise<number> {
  const next = await nextTurn(crew, options)
  if ('end' in next) return reportEnd(output, next.end)
  const { role, phase, task, llm, prompt } = next.turn
  const line = `Would launch ${role} (${llm ?? 'no language model named'}) for ${phase.name}: ${task ?? 'declare the crew complete'}`
  output.result({ role, phase: phase.key, task, llm, prompt }, `${line}\n\n${prompt}`)
  return EXIT_OK
}

const logLevels: Readonly<Record<LoopLine['level'], LogWord>> = { info: 'INFO', warn: 'WARN', error: 'ERROR' }

async function followCrew(session: Session, name: LoopName, context: CommandContext): Promise<CrewEnd> {
  const log = context.output.as('ncrew line')
  const loop = await followLoop(session, name, context, ({ time, level, text }, isEnd) => {
    if (!isEnd)
      log.result(
        { time: new Date(time).toISOString(), level, text },
        toned(logTones[level], logLine(time, logLevels[level], text)),
      )
  })
  return endOf(loop)
}

function endOf({ state, outcome, code, message, hint }: Loop): CrewEnd {
  const end = { message, ...(hint === null ? {} : { hint }) }
  if (code !== undefined) return { ...end, code }
  return { ...end, code: state === 'stopped' ? EXIT_INTERRUPTED : outcome === 'done' ? EXIT_OK : EXIT_ERROR }
}
