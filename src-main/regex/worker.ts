/** A regular expression that never ends costs this thread only. */
import { AppError } from '@shared/contract/errors'
import { serveWorker } from '../rpc/serveWorker'
import { regexProtocol, type Match, type Search } from './messages'

serveWorker(regexProtocol, () => ({ requests: { search }, posts: {} }))

function search({ pattern, flags, text }: Search): Match | null {
  const found = compile(pattern, flags).exec(text)
  return found && { index: found.index, text: found[0] }
}

function compile(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags)
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new AppError('INVALID', `/${pattern}/${flags} is no regular expression that can be searched for: ${problem}.`)
  }
}
