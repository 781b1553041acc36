import { dirname } from 'node:path'
import { problemText } from '@shared/builds/buildProblems'
import { buildQuestion, type Build, type BuildPlan, type KeptBuild } from '@shared/contract/builds'
import { listNames } from '@shared/listNames'
import { AppError } from '@shared/contract/errors'
import { askAtTerminal } from '../../askAtTerminal'
import { defineCommand, type CommandContext } from '../../command'
import { EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK, exitCode } from '../../exitCodes'
import { openWindow } from '../../openWindow'
import { filePath, flag, machine, requireValue, text } from '../../parameters'
import { table, toned, type Cell } from '../../printed'
import type { Session } from '../../session'
import { machineGroup as group } from './group'

const SHOWN_LINES = 20

export const machineBuild = defineCommand({
  group,
  name: 'build',
  summary: 'Build a program with your own command, and run it.',
  details:
    'The command is asked for once: Bridgedeck suggests one for the kind of file, or make where there is a Makefile. It is run in the folder, which has to be trusted, with the environment that agents get. Approved commands are kept in Bridgedeck’s own settings, never in the folder.',
  positionals: { file: filePath('A source file, or the folder to build in. Required, except with --list.') },
  options: {
    command: text('COMMAND', 'Build with this command from now on; giving it approves it.'),
    program: text('FILE', 'The program that the command makes, from the folder; left out, the newest that it writes.'),
    only: flag('Run nothing after the build.'),
    trust: flag('Trust the folder.'),
    list: flag('List the approved commands, and build nothing.'),
    forget: flag('Forget the approved command of the file or folder, and build nothing. The folder stays trusted.'),
    machine: machine('The machine to run it on.'),
  },
  data: {
    'target?': 'absolute path',
    'command?': 'what was run',
    'result?': 'succeeded, failed, timed out or stopped',
    'exitCode?': 'number, or null',
    'started?': 'the program that runs, or null',
    'message?': 'in one sentence',
    'problems?': '[{ severity, file, line, message }]',
    'builds?': 'with --list and --forget, in place of the others: the approved [{ target, command, program }]',
  },
  examples: [
    'build game.s',
    "build games --command 'make game' --program game.prg --trust",
    'build games --only --json',
    'build --list',
    'build games --forget',
  ],
  run: async (context, { file: given, command, program, only, trust, list, forget, machine }) => {
    const { output, signal, openSession, resources } = context
    const session = await openSession()
    const { client } = session
    if (list) {
      const { builds } = await client.call('builds.kept', {}, signal)
      output.result({ builds }, table(builds.map(keptRow), 'No build command is approved.'))
      return EXIT_OK
    }
    const file = requireValue(given, 'FILE')
    if (forget) {
      const kept = await client.call('builds.forget', { target: file.path }, signal)
      output.result(kept, `Forgot the build command of ${file.written}. Its folder stays trusted.`)
      return EXIT_OK
    }
    const found = await client.call(
      'builds.plan',
      { target: file.path, ...(command === undefined ? {} : { command }) },
      signal,
    )
    const plan = await approve(context, session, found, { command, program, trust })
    // The program would be gone at once, with its machine.
    const runs = !only && !session.endsWithCall(machine)
    if (runs) await session.connect(machine, signal)
    const stopProgress = client.onEvent('builds.changed', ({ build }) => {
      if (build.result === null) output.progress(null, `Building ${file.written}: ${build.message}`)
    })
    const build = await client
      .call('builds.run', { target: plan.target, machine: runs ? machine : null }, signal)
      .finally(stopProgress)
    const { target, result, exitCode, started, problems } = build
    const printed = [...problems.map(problemLine), ...(await lastLines(session, build, signal)), endLine(build)]
    const note =
      runs || only || result !== 'succeeded'
        ? []
        : [
            toned(
              'notice',
              `Not run: ${machine} would end with this call. ${openWindow(dirname(resources))}, or call bridge start.`,
            ),
          ]
    output.result({ target, command: build.command, result, exitCode, started, message: build.message, problems }, [
      ...printed,
      ...note,
    ])
    return exitCodeOf(build)
  },
})

interface Given {
  readonly command: string | undefined
  readonly program: string | undefined
  readonly trust: boolean
}

async function approve(
  context: CommandContext,
  { client }: Session,
  found: BuildPlan,
  { command: typed, program: named, trust }: Given,
): Promise<BuildPlan> {
  const { target, folder, identity, origin, files, digest } = found
  const command = typed ?? found.command
  if (command === null)
    throw new AppError('NOT_FOUND', `No build command is known for ${target}.`, { hint: 'Give it with --command.' })
  const program = named ?? (typed === undefined ? found.program : null)
  const isKnown = origin === 'approved' && command === found.command
  if (isKnown && found.isTrusted && program === found.program) return found
  if (!(isKnown || typed !== undefined) || !(found.isTrusted || trust)) {
    const question = {
      ...buildQuestion(folder, command, files),
      action: 'approve and trust',
      withoutTerminal: {
        message:
          origin === 'changed'
            ? `What the build command of ${target} runs has changed since you approved it: ${listNames(files)}.`
            : `The build command of ${target} is not approved, or its folder not trusted.`,
        hint: `Call from a terminal, or add --trust and --command '${command}' if you know what it does.`,
      },
    }
    if (!(await askAtTerminal(question, context))) throw new AppError('CANCELLED', 'Nothing was run.')
  }
  const { signal } = context
  if (!found.isTrusted) await client.call('projects.setTrusted', { path: folder, identity }, signal)
  return client.call('builds.approved', { target, command, program, digest }, signal)
}

const keptRow = ({ target, command, program }: KeptBuild): Cell[] => [target, command, program ?? '']

const problemLine = (problem: Build['problems'][number]): Cell =>
  toned(problem.severity === 'error' ? 'bad' : 'notice', problemText(problem))

async function lastLines(
  { client }: Session,
  { result, log, problems }: Build,
  signal: AbortSignal,
): Promise<string[]> {
  if (result === 'succeeded' || problems.length > 0 || log === null) return []
  const { lines } = await client.call(
    'agentRuns.log',
    { run: log, stream: 'output', from: null, count: SHOWN_LINES },
    signal,
  )
  return lines.map(({ text }) => text)
}

const endLine = ({ result, message }: Build): Cell =>
  result === 'succeeded'
    ? message
    : toned('bad', `The build ${result === 'failed' ? 'failed' : `was ${result}`}: ${message}`)

function exitCodeOf({ result }: Build): number {
  if (result === 'succeeded') return EXIT_OK
  if (result === 'timed out') return exitCode({ code: 'TIMEOUT', message: '' })
  return result === 'stopped' ? EXIT_INTERRUPTED : EXIT_FAILED
}
