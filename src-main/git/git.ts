/**
 * Security: no other code may run git. A repository's settings can name programs (hooks, fsmonitor, filters, merge
 * drivers, textconv, signing, transports); none is run here, and nothing is fetched.
 */
import { AppError } from '@shared/contract/errors'
import { runProcess, type GitAnswer, type GitOptions } from './gitProcess'
import type { TrustedFolder } from './trustedFolder'

const MAX_DRIVERS = 500

const settings: readonly (readonly [string, string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.quotePath', 'false'],
  ['core.safecrlf', 'false'],
  ['commit.gpgSign', 'false'],
  ['tag.gpgSign', 'false'],
  ['log.showSignature', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['merge.verifySignatures', 'false'],
  ['submodule.recurse', 'false'],
  ['credential.helper', ''],
  // A bare repository inside a project would bring its own settings.
  ['safe.bareRepository', 'explicit'],
]

/** These commands only read and write refs and objects, so filters and merge drivers do not apply. */
const WITHOUT_DRIVERS = [
  'cat-file',
  'commit-tree',
  'for-each-ref',
  'merge-base',
  'rev-list',
  'rev-parse',
  'symbolic-ref',
  'update-ref',
  'var',
]

const plainDiff = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--ignore-submodules=all',
]

/** A command line would end a setting's name at its first `=`. */
function settingsAsVariables(pairs: readonly (readonly [string, string])[]): Record<string, string> {
  const variables: Record<string, string> = { GIT_CONFIG_COUNT: String(pairs.length) }
  pairs.forEach(([key, value], index) => {
    variables[`GIT_CONFIG_KEY_${index}`] = key
    variables[`GIT_CONFIG_VALUE_${index}`] = value
  })
  return variables
}

/**
 * Any exit code is an answer. Filters do nothing, and merges use git's own text merge.
 * @throws AppError UNSUPPORTED where there is no git, TIMEOUT, CANCELLED, FORBIDDEN when the repository is another
 * user's
 */
export async function git(at: TrustedFolder, args: readonly string[], options: GitOptions = {}): Promise<GitAnswer> {
  const [command = '', ...rest] = args
  const drivers = WITHOUT_DRIVERS.includes(command) ? [] : await driverSettings(at, options.signal)
  const inert = command === 'diff' ? ['diff', ...plainDiff, ...rest] : args
  const answer = await start(at, inert, [...settings, ...drivers], options)
  if (answer.code !== 0 && answer.message.includes('dubious ownership')) {
    throw new AppError('FORBIDDEN', `git refuses to work in ${at.path}: the folder belongs to another user.`, {
      hint: 'To allow it, add the folder to git’s safe.directory setting.',
    })
  }
  return answer
}

const listSettings = (at: TrustedFolder, signal?: AbortSignal): Promise<GitAnswer> =>
  start(at, ['config', '--list', '--name-only', '-z'], settings, { signal })

export async function filterNames(at: TrustedFolder, signal?: AbortSignal): Promise<ReadonlySet<string>> {
  const { text } = await listSettings(at, signal)
  return new Set(text.split('\0').flatMap((key) => /^filter\.(.*)\.(?:clean|smudge|process)$/s.exec(key)?.[1] ?? []))
}

async function driverSettings(at: TrustedFolder, signal?: AbortSignal): Promise<(readonly [string, string])[]> {
  const listed = await listSettings(at, signal)
  const drivers = withoutDrivers(listed.text.split('\0'))
  if (listed.isCut || drivers.length > MAX_DRIVERS)
    throw new AppError('UNSUPPORTED', 'The repository’s settings define too many filters.', {
      hint: 'Check its .git/config.',
    })
  return drivers
}

function withoutDrivers(keys: readonly string[]): (readonly [string, string])[] {
  const found = new Map<string, string>()
  for (const key of keys) {
    const [, filter] = /^filter\.(.*)\.(?:clean|smudge|process|required)$/s.exec(key) ?? []
    if (filter !== undefined) {
      for (const what of ['clean', 'smudge', 'process']) found.set(`filter.${filter}.${what}`, '')
      found.set(`filter.${filter}.required`, 'false')
    }
    if (/^merge\.(.*)\.driver$/s.test(key)) found.set(key, 'git merge-file --quiet --marker-size=%L %A %O %B')
  }
  return [...found]
}

/** @throws AppError INVALID with git's message when it fails */
export async function gitOrFail(
  at: TrustedFolder,
  args: readonly string[],
  options: GitOptions = {},
): Promise<GitAnswer> {
  const answer = await git(at, args, options)
  if (answer.code !== 0) throw failure(args, answer)
  if (answer.isCut) throw new AppError('INVALID', `The output of git ${args[0] ?? ''} is too large.`)
  return answer
}

export const failure = (args: readonly string[], { message, code }: GitAnswer): AppError =>
  new AppError('INVALID', `git ${args[0] ?? ''} failed: ${(message.trim() || `exit code ${code}`).slice(0, 1500)}`)

const start = (
  at: TrustedFolder,
  args: readonly string[],
  pairs: readonly (readonly [string, string])[],
  options: GitOptions,
): Promise<GitAnswer> =>
  runProcess(at, args, { ...options, environment: { ...settingsAsVariables(pairs), ...options.environment } })
