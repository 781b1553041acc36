import { realpath } from 'node:fs/promises'
import type { LoopName } from '@shared/contract/loops'
import { chooseRun, tuningStatus } from '../../../loops/tuning/tuningStatus'
import { inAroundProject } from '../../aroundProject'
import { defineCommand, type CommandContext, type Values } from '../../command'
import { loopExitCode } from '../../exitCodes'
import { printLoop, secondAgent, secondAgentOf, startWhenRead } from '../../loopCalls'
import { flag, number, text } from '../../parameters'
import { loadRemembered } from '../../remembered'
import { trustFolder } from '../../trustFolder'
import { projectFolder, tuningGroup as group } from './group'

const positionals = { folder: projectFolder }
const options = {
  run: text('FOLDER', 'The run, where several are not completed.'),
  auto: flag(
    'Ask nothing: choose all fixes of low and medium risk, leave those unverified that no scan can tell of, begin further iterations.',
  ),
  agent: text('NAME', 'Ask this agent for fixes that cannot be generated; one that you set up in the window.'),
  'second-agent': secondAgent,
  analyse: flag('Let the agent analyse the skill as well, once in a run.'),
  'max-steps': number('N', 'Stop after this many steps. Default: 50.', { min: 1, max: 1_000 }),
  trust: flag('Trust the folder, so that the skill in it may be changed.'),
}
const data = {
  'line?': '{ number, time, level, text }, as the log grows',
  'loop?': '{ state, outcome, message, … } at the end',
}

export const tuningRun = defineCommand({
  group,
  name: 'run',
  summary: 'Diagnose, fix and verify a skill until the run is completed or needs you.',
  details:
    'Works offline, without an agent. One that you choose, here or in the window, is asked only for fixes that cannot be generated and for the analysis; it is told to read only, and its fixes are offered once they fit. The run stops where you have to choose among fixes, give a verdict, or start another iteration: answer with project answer, or in the window, then run it again. Each changed file is backed up first.',
  positionals,
  options,
  data,
  examples: ['tuning run resources/sample-project --auto --trust'],
  run: (context, values) => runTuning(context, values, false),
})

export const tuningResume = defineCommand({
  group,
  name: 'resume',
  summary: 'Resume a run that was interrupted, failed, or reached its limit.',
  positionals,
  options,
  data,
  examples: ['tuning resume resources/sample-project --auto --trust'],
  run: (context, values) => runTuning(context, values, true),
})

async function runTuning(
  context: CommandContext,
  {
    folder,
    run,
    auto,
    trust,
    agent,
    analyse,
    'max-steps': maxSteps,
    'second-agent': second,
  }: Values<typeof positionals> & Values<typeof options>,
  resumes: boolean,
): Promise<number> {
  const { signal } = context
  const root = await realpath(folder)
  const chosen = chooseRun((await tuningStatus(root, loadRemembered, signal)).runs, run)
  const session = await context.openSession()
  if (trust) await trustFolder(session, root, signal)
  return inAroundProject(session, root, signal, async (project, placeOf) => {
    const at = placeOf(root)
    const name = { project, system: 'tuning', place: at === '' ? chosen.run : `${at}/${chosen.run}` } satisfies LoopName
    const options = {
      auto,
      resumes,
      analyses: analyse,
      ...(agent === undefined ? {} : { agent }),
      ...secondAgentOf(second),
      ...(maxSteps === undefined ? {} : { maxSteps }),
    }
    await startWhenRead(() => session.client.call('loops.start', { ...name, options }, signal), signal)
    return loopExitCode(await printLoop(session, name, context))
  })
}
