import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { dispatchSettingNames, maestroVariables } from '@shared/contract/loopOptions'
import { resolveSettings, type SettingTexts } from '../../../loops/maestro/dispatch/dispatchSettings'
import { planBatch, type BatchPlan } from '../../../loops/maestro/dispatch/planBatch'
import { extensionFolder, settingLayers } from '../../../loops/maestro/stateFiles'
import { inAroundProject } from '../../aroundProject'
import { defineCommand, type CommandContext } from '../../command'
import { EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK } from '../../exitCodes'
import { followLoop, secondAgent, secondAgentOf, startWhenRead } from '../../loopCalls'
import { flag, folderPath, required, text } from '../../parameters'
import { terminalText } from '../../terminalText'
import { trustFolder, trustRepository, trustRepositoryFlag } from '../../trustFolder'
import { maestroGroup as group } from './group'
import { printEnd, printLine } from './printLine'

export const maestroDispatch = defineCommand({
  group,
  name: 'dispatch',
  aliases: ['parallel-dispatch'],
  summary: 'Run the prompts of a batch in parallel, each with its own agent.',
  data: {
    'line?': '{ number, time, level, text }, as the log grows',
    'loop?': '{ state, outcome, message, … } at the end',
    'settings?': 'with --dry-run: each with value and source',
    'prompts?': 'with --dry-run: [{ file, name, agent }]',
    'warnings?': 'with --dry-run: texts',
  },
  details:
    'The files in DIR/prompts are named after their agents; the results are in DIR/results. The agents work in the working folder, which must be trusted; DIR may lie elsewhere. A session is left as it is: only maestro run writes into it. The exit code is the number of agents that failed, 125 at most; it is 1, too, when none was started, and 10 when an agent needs you, such as for a refused key: no further one starts then.\n' +
    'MAESTRO_DEFAULT_MODEL, MAESTRO_WRITER_MODEL, MAESTRO_AGENT_TIMEOUT, MAESTRO_MAX_CONCURRENT, MAESTRO_STAGGER_DELAY, MAESTRO_GEMINI_EXTRA_ARGS and MAESTRO_CLEANUP_DISPATCH apply, from the environment or a .env. The agents get the MAESTRO_… variables of your environment.',
  positionals: { folder: required(folderPath('The folder of the batch, with prompts.')) },
  options: {
    'dry-run': flag('Check everything and show each setting with where it comes from; start nothing.'),
    resume: flag('Run only the agents without a result, and those that failed.'),
    agent: text(
      'NAME',
      'The agent for all prompts; one that you set up. Default: one named after the prompt, or gemini.',
    ),
    'second-agent': secondAgent,
    'worktree-per-agent': flag('Give each agent a git worktree of its own, which you merge or throw away.'),
    'trust-repository': trustRepositoryFlag,
    'accept-env': flag(
      'You checked the model and arguments in the .env here; needed once, and after each change of them.',
    ),
    trust: flag('Trust the working folder, so that agents may run in it.'),
  },
  examples: [
    'maestro dispatch .gemini/parallel/batch-1 --dry-run',
    'maestro dispatch .gemini/parallel/batch-1 --resume',
  ],
  run: async (context, { folder: batch, 'dry-run': isDryRun, trust, ...wanted }) => {
    const { environment, openSession, signal } = context
    const texts = resolveSettings(await settingLayers(context.folder, environment))
    const extension = resolve(context.folder, extensionFolder(environment))
    const plan = await planBatch(batch, extension, texts)
    if (isDryRun) {
      const { prompts, settings } = plan
      if (context.output.isJson) context.output.result({ settings: texts, prompts, warnings: settings.warnings }, '')
      else context.output.raw(describePlan(plan, texts))
      return EXIT_OK
    }
    const root = await realpath(context.folder)
    const session = await openSession()
    if (trust) await trustFolder(session, root, signal)
    const target = await realpath(batch)
    return inAroundProject(session, root, signal, async (project, placeOf) => {
      const place = placeOf(target)
      const options = {
        folder: placeOf(root),
        resumes: wanted.resume,
        settings: texts,
        environment: maestroVariables(environment),
        extension,
        acceptsEnv: wanted['accept-env'],
        ...(wanted['worktree-per-agent'] ? { worktreePerAgent: true } : {}),
        ...(wanted.agent === undefined ? {} : { agent: wanted.agent }),
        ...secondAgentOf(wanted['second-agent']),
      }
      if (wanted['worktree-per-agent']) await trustRepository(session, project, wanted['trust-repository'], context)
      await startWhenRead(() => session.client.call('loops.dispatch', { project, place, options }, signal), signal)
      return followBatch(context, session, { project, system: 'maestro', place })
    })
  },
})

async function followBatch(
  context: CommandContext,
  session: Parameters<typeof followLoop>[0],
  name: Parameters<typeof followLoop>[1],
): Promise<number> {
  const loop = await followLoop(session, name, context, printLine(context.output))
  const { state, message, hint, code } = loop
  context.signal.throwIfAborted()
  if (state === 'failed') throw new AppError('INVALID', message, hint === null ? {} : { hint })
  printEnd(context.output, loop)
  return code ?? (state === 'stopped' ? EXIT_INTERRUPTED : EXIT_FAILED)
}

function describePlan({ prompts, settings: { warnings } }: BatchPlan, texts: SettingTexts): string {
  const lines = [
    ...dispatchSettingNames.map((name) => `${name}=${texts[name].value}  (${texts[name].source})`),
    ...warnings.map((warning) => `WARNING: ${warning}`),
    ...prompts.map(({ file, name, agent }) => `${name}  ${agent}  prompts/${file}`),
  ]
  return lines.map((line) => `${terminalText(line)}\n`).join('')
}
