import { dirname, join } from 'node:path'
import { AppError, describeFailure, toFailure } from '@shared/contract/errors'
import { installationOf } from '../files/installation'
import { findTarget, readArguments, readAsked, unknownCommand } from './commandLine'
import { fullName } from './command'
import { commands } from './commands'
import { groupSynopsis, helpOf, synopsis } from './help'
import { EXIT_OK, exitCode } from './exitCodes'
import { openWindow } from './openWindow'
import { Output, terminalsOf } from './output'
import { terminalPasswords } from './passwords'
import { Sessions } from './sessions'
import { hasDisplay, startWindow, windowArguments, windowProgram } from './startWindow'
import type { StandardStreams } from './streams'
import { withHelp } from './usageError'

export interface Call {
  readonly programs: string
  readonly folder: string
  readonly environment: NodeJS.ProcessEnv
  readonly streams: StandardStreams
  readonly signal: AbortSignal
}

/**
 * @param words without the program's name
 * @returns the exit code
 */
export async function runCommandLine(
  words: readonly string[],
  { programs, folder, environment, streams, signal }: Call,
): Promise<number> {
  const terminals = terminalsOf(streams, environment)
  const isJson = words.includes('--json')
  const asked = readAsked(words)
  const named = findTarget(asked.words, commands)
  const isKnown = asked.words.length === 0 || named.group !== undefined || named.command !== undefined
  const isApp = installationOf(dirname(programs)) === 'app'
  const forWindow = isApp && (words.length === 0 ? hasDisplay(environment) : !isKnown)
  const toOpen = forWindow ? windowArguments(words, folder) : undefined
  if ((words.length === 0 && toOpen === undefined) || (asked.help && isKnown)) {
    const output = new Output('help', false, terminals)
    output.stream(helpOf(named, commands, output.width, openWindow(dirname(programs))))
    return EXIT_OK
  }
  const target = asked.version && isKnown ? findTarget(['version', ...(isJson ? ['--json'] : [])], commands) : named
  const { group, command, rest } = target
  const passwords = terminalPasswords(environment, streams, words)
  const sessions = new Sessions(programs, passwords, environment)
  let output = new Output(group?.reportFailure ? words.slice(0, 2).join(' ') : 'usage', isJson, terminals)
  try {
    if (toOpen) {
      await startWindow(windowProgram(join(programs, '..', '..', '..')), toOpen, environment)
      return EXIT_OK
    }
    if (!command) throw unknownCommand(asked.words, group, commands)
    const given = readArguments(command, rest)
    output = new Output(fullName(command), given.options.has('json'), terminals)
    return await command.run(
      {
        output,
        folder,
        environment,
        streams,
        commands,
        signal,
        resources: join(programs, '../resources'),
        openSession: (taskHome, toStart) => sessions.open(taskHome, toStart),
        findSession: () => sessions.find(),
        ownSessions: () => new Sessions(programs, { ...passwords, ask: neverAsk }, environment),
      },
      given,
    )
  } catch (thrown) {
    const cause: unknown = signal.aborted ? signal.reason : thrown
    const error = command ? withHelp(cause, fullName(command)) : cause
    if (environment.BRIDGEDECK_DEBUG && toFailure(error).code === 'INTERNAL') console.error(error)
    if (group?.reportFailure)
      return group.reportFailure(error, output, command ? synopsis(command) : groupSynopsis(group, commands))
    const failure = toFailure(error)
    output.failure(failure)
    return exitCode(failure)
  } finally {
    output.clearProgress()
    await end(sessions, output)
  }
}

/** A failure at the end is answered too, and does not keep the call from ending. */
async function end(sessions: Sessions, output: Output): Promise<void> {
  try {
    const notice = await sessions.repairNotice()
    if (notice) output.rawError(`${describeFailure(notice)}\n`)
  } catch (error) {
    output.failure(toFailure(error))
  }
  try {
    await sessions.close()
  } catch (error) {
    output.failure(toFailure(error))
  }
}

export const interruptedByPerson = (): AppError => new AppError('CANCELLED', 'Interrupted.')

/**
 * Aborted by Ctrl+C, when nobody reads the output any more, and with the process that started this one under our Node.
 */
export function interruption(): AbortController {
  const interrupted = new AbortController()
  process.once('SIGINT', () => interrupted.abort(interruptedByPerson()))
  endWithFront(interrupted)
  // A reader that has seen enough, such as head, ends the call as Ctrl+C does.
  process.stdout.on('error', () => interrupted.abort(new AppError('CANCELLED', 'Nobody reads the output any more.')))
  return interrupted
}

/**
 * `scripts/cli.mjs` under another Node has a channel to this process, which closes when that process is gone, even when
 * killed.
 */
function endWithFront(interrupted: AbortController): void {
  if (process.channel === undefined) return
  const end = () => interrupted.abort(new AppError('CANCELLED', 'The program that started this call was ended.'))
  process.once('disconnect', end)
  process.channel.unref()
  if (!process.connected) end()
}

/** Whoever calls a server is not at its terminal. */
const neverAsk = () => Promise.resolve(undefined)
