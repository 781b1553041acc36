import { join, resolve } from 'node:path'
import { AppError, toFailure } from '@shared/contract/errors'
import { Arguments } from './cli/arguments'
import { maestro } from './cli/maestro'
import { ncrew } from './cli/ncrew'
import { operations } from './cli/operations'
import { EXIT_OK, exitCode, Output } from './cli/output'
import { terminalPasswords } from './cli/passwords'
import { Session } from './cli/session'
import { taskOptions } from './cli/tasks'
import { usage } from './cli/usage'
import { dataFolder } from './files/dataFolder'

async function main(words: readonly string[]): Promise<number> {
  // npm runs scripts in the project's folder and keeps the caller's in INIT_CWD.
  const folder = process.env.INIT_CWD ?? process.cwd()
  if (words[0] === 'maestro' && !words.includes('--help')) return maestro(words.slice(1), folder)
  let output = new Output('usage', words.includes('--json'))
  const interrupted = new AbortController()
  process.once('SIGINT', () => interrupted.abort(new AppError('CANCELLED', 'Interrupted.')))
  // A reader that has seen enough, such as head, ends the call as Ctrl+C does.
  process.stdout.on('error', () => interrupted.abort(new AppError('CANCELLED', 'Nobody reads the output any more.')))
  let session: Session | undefined
  const openSession = async (home?: string): Promise<Session> =>
    (session ??= await Session.open(
      {
        dataFolder: dataFolder(),
        resources: join(import.meta.dirname, '../resources/c64'),
        workerPath: join(import.meta.dirname, 'builtinWorker.cjs'),
        recorderPath: join(import.meta.dirname, 'recorderWorker.cjs'),
        lifetime: 'call',
        ...(home === undefined ? {} : { taskFolder: resolve(folder, home) }),
        log: (message, error) => {
          if (process.env.BRIDGEDECK_DEBUG) console.error(message, error ?? '')
        },
      },
      terminalPasswords,
    ))
  try {
    if (words[0] === 'ncrew' && !words.includes('--help')) {
      return await ncrew({
        words: words.slice(1),
        folder,
        environment: process.env,
        crews: join(import.meta.dirname, '../resources/ncrew'),
        openSession,
        signal: interrupted.signal,
      })
    }
    const parsed = Arguments.parse(words, taskOptions)
    if (!parsed) {
      process.stdout.write(usage)
      return EXIT_OK
    }
    output = new Output(parsed.command, parsed.json)
    session = await openSession(parsed.text('home'))
    await operations[parsed.command]({ words: parsed, session, output, folder, signal: interrupted.signal })
    return output.exitCode
  } catch (error) {
    const failure = interrupted.signal.aborted ? toFailure(interrupted.signal.reason) : toFailure(error)
    output.failure(failure)
    if (failure.code === 'INTERNAL' && process.env.BRIDGEDECK_DEBUG) console.error(error)
    return exitCode(failure)
  } finally {
    await session?.close()
  }
}

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})
