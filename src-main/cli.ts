/** The command line's entry. */
import { join } from 'node:path'
import { AppError, toFailure } from '@shared/contract/errors'
import { asksForHelp, findTarget, readArguments, unknownCommand } from './cli/commandLine'
import { fullName } from './cli/command'
import { commands } from './cli/commands'
import { groupSynopsis, helpOf, synopsis } from './cli/help'
import { EXIT_OK, exitCode } from './cli/exitCodes'
import { Output } from './cli/output'
import { terminalPasswords } from './cli/passwords'
import { Sessions } from './cli/sessions'
import { UsageError } from './cli/usageError'

async function main(words: readonly string[]): Promise<number> {
  const target = findTarget(words, commands)
  const { group, command, rest } = target
  if (words.length === 0 || (asksForHelp(words) && (group || command))) {
    const output = new Output('help', false)
    output.stream(helpOf(target, commands, output.width))
    return EXIT_OK
  }
  const { signal } = interruption()
  const sessions = new Sessions(import.meta.dirname, terminalPasswords)
  const isJson = words.includes('--json')
  let output = new Output(group?.reportFailure ? words.slice(0, 2).join(' ') : 'usage', isJson)
  try {
    if (!command) throw unknownCommand(words, group, commands)
    const given = readArguments(command, rest)
    output = new Output(fullName(command), given.options.has('json'))
    return await command.run(
      {
        output,
        // npm runs scripts in the project's folder and keeps the caller's in INIT_CWD.
        folder: process.env.INIT_CWD ?? process.cwd(),
        environment: process.env,
        commands,
        resources: join(import.meta.dirname, '../resources'),
        signal,
        openSession: (taskHome, toStart) => sessions.open(taskHome, toStart),
        findSession: () => sessions.find(),
        ownSessions: () => new Sessions(import.meta.dirname, { ...terminalPasswords, ask: neverAsk }),
      },
      given,
    )
  } catch (thrown) {
    const cause: unknown = signal.aborted ? signal.reason : thrown
    const error = command && cause instanceof UsageError ? new UsageError(cause.message, fullName(command)) : cause
    if (process.env.BRIDGEDECK_DEBUG && toFailure(error).code === 'INTERNAL') console.error(error)
    if (group?.reportFailure)
      return group.reportFailure(error, output, command ? synopsis(command) : groupSynopsis(group, commands))
    const failure = toFailure(error)
    output.failure(failure)
    return exitCode(failure)
  } finally {
    output.clearProgress()
    await sessions.close()
  }
}

/** Whoever calls a server is not at its terminal. */
const neverAsk = () => Promise.resolve(undefined)

/** Aborted by Ctrl+C, and when nobody reads the output any more. */
function interruption(): AbortController {
  const interrupted = new AbortController()
  process.once('SIGINT', () => interrupted.abort(new AppError('CANCELLED', 'Interrupted.')))
  // A reader that has seen enough, such as head, ends the call as Ctrl+C does.
  process.stdout.on('error', () => interrupted.abort(new AppError('CANCELLED', 'Nobody reads the output any more.')))
  return interrupted
}

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})
