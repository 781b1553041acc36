import { realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { executionModes, maestroVariables } from '@shared/contract/loopOptions'
import type { Loop } from '@shared/contract/loops'
import { resolveSettings } from '../../../loops/maestro/dispatch/dispatchSettings'
import { resolveRunSettings } from '../../../loops/maestro/run/runSettings'
import {
  extensionFolder,
  findStateDir,
  projectRoot,
  requireRelative,
  settingLayers,
} from '../../../loops/maestro/stateFiles'
import { inAroundProject } from '../../aroundProject'
import { defineCommand } from '../../command'
import { loopExitCode } from '../../exitCodes'
import { askNobody, followLoop, maxTime, maxTimeOf, secondAgent, secondAgentOf, startWhenRead } from '../../loopCalls'
import { choice, dollars, flag, folderPath, number, text, withDefault } from '../../parameters'
import { trustFolder, trustRepository, trustRepositoryFlag } from '../../trustFolder'
import { maestroGroup as group } from './group'
import { printEnd, printLine } from './printLine'

export const maestroRun = defineCommand({
  group,
  name: 'run',
  summary: 'Run the phases of the active session until it is done or needs you.',
  data: {
    'line?': '{ number, time, level, text }, as the log grows',
    'loop?': '{ state, outcome, message, … } at the end',
  },
  details:
    'Each phase goes to its agent; phases that are independent of each other go as a batch where the mode is parallel. A failed phase is tried again.\n' +
    'At the end a code reviewer looks at what changed, and the session is archived. MAESTRO_EXECUTION_MODE, MAESTRO_MAX_RETRIES, MAESTRO_VALIDATION_STRICTNESS, MAESTRO_AUTO_ARCHIVE and the settings of dispatch apply.',
  positionals: { folder: withDefault(folderPath('A folder of the project.'), '.') },
  options: {
    agent: text('NAME', 'The agent for all roles; one that you set up. Default: one named after the role, or gemini.'),
    'second-agent': secondAgent,
    mode: choice('MODE', 'The execution mode, where the session has none.', executionModes),
    'retry-failed': flag('Try failed phases once more whose retries are used up.'),
    'max-turns': number('N', 'Stop after this many turns of agents.', { min: 1, max: 1_000_000 }),
    'max-cost': dollars('Stop after this cost.'),
    'max-time': maxTime,
    worktree: flag('Let agents work in a git worktree of its own, until you merge it or throw it away.'),
    'worktree-per-agent': flag('Give agents that work at once a git worktree each; what completes a phase is merged.'),
    'trust-repository': trustRepositoryFlag,
    'accept-env': flag(
      'You checked the model and arguments in the .env here; needed once, and after each change of them.',
    ),
    auto: askNobody,
    trust: flag('Trust the folder, so that agents may run in it.'),
  },
  examples: ['maestro run --mode parallel', 'maestro run . --agent claude --retry-failed --max-cost 5'],
  run: async (context, { folder, trust, ...wanted }) => {
    const { environment, openSession, signal } = context
    const root = await realpath(projectRoot(folder))
    const layers = await settingLayers(root, environment)
    const { value: stateDir } = await findStateDir(root, layers)
    requireRelative(stateDir)
    const session = await openSession()
    if (trust) await trustFolder(session, root, signal)
    return inAroundProject(session, root, signal, async (project, placeOf) => {
      const place = placeOf(join(root, stateDir, 'state/active-session.md'))
      const options = {
        settings: resolveSettings(layers),
        sessionSettings: resolveRunSettings(layers),
        environment: maestroVariables(environment),
        extension: resolve(root, extensionFolder(environment)),
        auto: wanted.auto,
        acceptsEnv: wanted['accept-env'],
        retriesFailed: wanted['retry-failed'],
        ...(wanted.agent === undefined ? {} : { agent: wanted.agent }),
        ...secondAgentOf(wanted['second-agent']),
        ...(wanted['max-turns'] === undefined ? {} : { maxTurns: wanted['max-turns'] }),
        ...(wanted['max-cost'] === undefined ? {} : { maxCost: wanted['max-cost'] }),
        ...maxTimeOf(wanted['max-time']),
        ...(wanted.mode === undefined ? {} : { mode: wanted.mode }),
        ...(wanted.worktree ? { worktree: true } : {}),
        ...(wanted['worktree-per-agent'] ? { worktreePerAgent: true } : {}),
      }
      if (wanted.worktree || wanted['worktree-per-agent'])
        await trustRepository(session, project, wanted['trust-repository'], context)
      await startWhenRead(() => session.client.call('loops.dispatch', { project, place, options }, signal), signal)
      const name = { project, system: 'maestro', place } as const
      const loop = await followLoop(session, name, context, printLine(context.output))
      signal.throwIfAborted()
      if (loop.state === 'failed')
        throw new AppError('INVALID', loop.message, loop.hint === null ? {} : { hint: loop.hint })
      printEnd(context.output, loop)
      return exitCodeOf(loop)
    })
  },
})

const exitCodeOf = (loop: Loop): number => loopExitCode(loop.state === 'ended' ? loop : { ...loop, state: 'paused' })
