/**
 * The one place that runs git. A repository's own settings can name programs (hooks, fsmonitor, filters, merge drivers, textconv,
 * signing, transports), and the repository was written by others: here none of them is run, and nothing is fetched.
 */
import { AppError } from '@shared/contract/errors'
import { runProcess, type GitAnswer, type GitOptions } from './gitProcess'
import type { TrustedFolder } from './trustedFolder'

/** Filters and merge drivers of one repository. */
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
  // What looks like a bare repository inside a project brings settings of its own.
  ['safe.bareRepository', 'explicit'],
]

/** These read and write refs and objects alone: they know neither filters nor merge drivers. */
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

/** In the environment, as a name in a setting may hold any character: a command line would end it at its first `=`. */
function settingsAsVariables(pairs: readonly (readonly [string, string])[]): Record<string, string> {
  const variables: Record<string, string> = { GIT_CONFIG_COUNT: String(pairs.length) }
  pairs.forEach(([key, value], index) => {
    variables[`GIT_CONFIG_KEY_${index}`] = key
    variables[`GIT_CONFIG_VALUE_${index}`] = value
  })
  return variables
}

/**
 * Runs git in a trusted folder and gives its answer, whatever its exit code. Filters do nothing, and merge drivers are git's own
 * merge of texts.
 * @throws AppError UNSUPPORTED where there is no git, TIMEOUT, CANCELLED, FORBIDDEN when the repository is another user's
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

/** The names of all settings, each before a NUL. */
const listSettings = (at: TrustedFolder, signal?: AbortSignal): Promise<GitAnswer> =>
  start(at, ['config', '--list', '--name-only', '-z'], settings, { signal })

/** The names of the filters that the settings know, as in `filter=lfs`. */
export async function filterNames(at: TrustedFolder, signal?: AbortSignal): Promise<ReadonlySet<string>> {
  const { text } = await listSettings(at, signal)
  return new Set(text.split('\0').flatMap((key) => /^filter\.(.*)\.(?:clean|smudge|process)$/s.exec(key)?.[1] ?? []))
}

/** What makes the filters and merge drivers of a repository do nothing of their own. */
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

/** Like {@link git}, for a command that has to succeed. @throws AppError INVALID with what git said */
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
