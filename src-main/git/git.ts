/**
 * The one place that runs git. A repository's own settings can name programs (hooks, fsmonitor, filters, merge drivers, textconv,
 * signing, transports), and the repository was written by others: here none of them is run, and nothing is fetched.
 */
import { spawn } from 'node:child_process'
import { realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { AppError } from '@shared/contract/errors'
import type { TrustedFolder } from './trustedFolder'

/** ms */
const USUAL_TIME = 30_000
/** Of a command that reads or writes the whole work tree, ms. */
export const LONG_TIME = 5 * 60_000
const USUAL_OUTPUT = 16 * 1024 * 1024
/** Of what git says on standard error, characters. */
const MOST_WORDS = 4_000
/** Filters and merge drivers of one repository. */
const MOST_DRIVERS = 500

export interface GitOptions {
  readonly signal?: AbortSignal | undefined
  readonly input?: string | Uint8Array
  /** ms */
  readonly timeout?: number
  /** Bytes of standard output; a command that writes more is ended, and its answer is cut there. */
  readonly mostOutput?: number
  /** Variables of git that this command needs, such as an index of its own. */
  readonly environment?: Readonly<Record<string, string>>
}

export interface GitAnswer {
  readonly code: number
  readonly bytes: Buffer
  /** The bytes as UTF-8. */
  readonly text: string
  readonly words: string
  readonly isCut: boolean
}

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

const plainDiff = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--ignore-submodules=all',
]

/** Whatever the caller's environment says to git would hold for this repository too. */
function environment(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(git_|ssh_askpass$|pager$|editor$|visual$|language$)/i.test(name),
  )
  return {
    ...Object.fromEntries(own),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    GIT_EDITOR: ':',
    GIT_SEQUENCE_EDITOR: ':',
    GIT_PAGER: 'cat',
    GIT_OPTIONAL_LOCKS: '0',
    // Objects that a partial clone lacks stay lacking; a git before 2.45 finds no transport that it may use.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    ...more,
  }
}

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
  const { signal } = options
  const listed = await start(at, ['config', '--list', '--name-only', '-z'], settings, { signal })
  const drivers = driverSettings(listed.text.split('\0'))
  if (listed.isCut || drivers.length > MOST_DRIVERS)
    throw new AppError('UNSUPPORTED', 'The repository’s settings name too many filters.', {
      hint: 'Look into its .git/config.',
    })
  const [command = '', ...rest] = args
  const inert = command === 'diff' ? ['diff', ...plainDiff, ...rest] : args
  const answer = await start(at, inert, [...settings, ...drivers], options)
  if (answer.code !== 0 && answer.words.includes('dubious ownership')) {
    throw new AppError('FORBIDDEN', `git does not work in ${at.path}: it belongs to another user.`, {
      hint: 'If you want that, add it to git’s safe.directory setting.',
    })
  }
  return answer
}

/** The names of the filters that the settings know, as in `filter=lfs`. */
export async function filterNames(at: TrustedFolder, signal?: AbortSignal): Promise<ReadonlySet<string>> {
  const { text } = await start(at, ['config', '--list', '--name-only', '-z'], settings, { signal })
  return new Set(text.split('\0').flatMap((key) => /^filter\.(.*)\.(?:clean|smudge|process)$/s.exec(key)?.[1] ?? []))
}

function driverSettings(keys: readonly string[]): (readonly [string, string])[] {
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
  if (answer.isCut) throw new AppError('INVALID', `git ${args[0] ?? ''} said more than Bridgedeck takes.`)
  return answer
}

export const failure = (args: readonly string[], { words, code }: GitAnswer): AppError =>
  new AppError('INVALID', `git ${args[0] ?? ''} failed: ${(words.trim() || `exit code ${code}`).slice(0, 1500)}`)

function start(
  at: TrustedFolder,
  args: readonly string[],
  pairs: readonly (readonly [string, string])[],
  { signal, input, timeout = USUAL_TIME, mostOutput = USUAL_OUTPUT, environment: more = {} }: GitOptions,
): Promise<GitAnswer> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    // Not in the project: Windows looks for programs in the working folder first.
    const child = spawn('git', ['--no-pager', '-C', at.path, ...args], {
      cwd: tmpdir(),
      env: environment({ ...settingsAsVariables(pairs), ...more }),
      stdio: 'pipe',
      windowsHide: true,
    })
    const chunks: Buffer[] = []
    let size = 0
    let words = ''
    let isCut = false
    let stopped: unknown
    // SIGTERM: git then takes its lock files away.
    const stop = (reason: unknown): void => {
      stopped ??= reason
      child.kill()
    }
    const onAbort = () => stop(signal?.reason)
    const timer = setTimeout(
      () =>
        stop(
          new AppError('TIMEOUT', `git ${args[0] ?? ''} was not done within ${timeout / 1000} s.`, {
            hint: 'Look whether another git works in the folder, or is it very large?',
          }),
        ),
      timeout,
    )
    signal?.addEventListener('abort', onAbort, { once: true })
    child.stdout.on('data', (chunk: Buffer) => {
      if (isCut) return
      const taken = chunk.subarray(0, mostOutput - size)
      chunks.push(taken)
      size += taken.length
      if (taken.length === chunk.length) return
      isCut = true
      child.kill()
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      words = (words + text).slice(0, MOST_WORDS)
    })
    // A program that ends early does not read all of it; its exit code tells.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
    const ended = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
    child.on('error', (error) => {
      ended()
      reject(
        'code' in error && error.code === 'ENOENT'
          ? new AppError('UNSUPPORTED', 'There is no git on this computer.', {
              hint: 'Install git, or look whether it is on the PATH.',
              cause: error,
            })
          : error,
      )
    })
    child.on('close', (code) => {
      ended()
      if (stopped !== undefined) {
        reject(
          stopped instanceof AppError
            ? stopped
            : new AppError('CANCELLED', 'The operation was cancelled.', { cause: stopped }),
        )
        return
      }
      const bytes = Buffer.concat(chunks)
      resolve({ code: isCut ? 0 : (code ?? 1), bytes, text: bytes.toString('utf8'), words, isCut })
    })
  })
}

export interface Repository {
  /** Of the work tree, links resolved. */
  readonly top: string
  /** Its git folder; of a linked work tree, its own one. */
  readonly gitFolder: string
  /** Null before the first commit. */
  readonly head: string | null
  /** Its history was cut off when it was cloned: what is missing may be where it came from. */
  readonly isShallow: boolean
}

/** The repository that a folder is in; null when it is in none, or in one without a work tree. */
export async function findRepository(at: TrustedFolder, signal?: AbortSignal): Promise<Repository | null> {
  const options = { signal }
  const { code, text } = await git(
    at,
    ['rev-parse', '--is-shallow-repository', '--show-toplevel', '--absolute-git-dir'],
    options,
  )
  const [shallow, top, gitFolder, ...more] = text.split('\n')
  if (code !== 0 || top === undefined || gitFolder === undefined || more.length !== 1) return null
  const head = await git(at, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], options)
  return {
    top: await realpath(top),
    gitFolder: await realpath(gitFolder),
    head: head.code === 0 ? head.text.trim() : null,
    isShallow: shallow === 'true',
  }
}

/** How a commit is written in files: its hash, or the beginning of it. Nothing else is handed to git as a name. */
export const isCommitName = (name: string): boolean => /^[0-9a-f]{4,64}$/i.test(name)

/** The whole hash by each of the names, `null` where there is no such commit; a name that fits several, or is no hash, is not in it. */
export async function findCommits(
  at: TrustedFolder,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string | null>> {
  const asked = [...new Set(names)].filter(isCommitName)
  const found = new Map<string, string | null>()
  if (asked.length === 0) return found
  const { text } = await gitOrFail(at, ['cat-file', '--batch-check=%(objectname)'], {
    input: asked.map((name) => `${name}^{commit}\n`).join(''),
    signal,
  })
  const lines = text.split('\n')
  asked.forEach((name, index) => {
    const line = lines[index] ?? ''
    if (line.endsWith(' ambiguous')) return
    // A branch may have the name of a hash.
    found.set(name, line.startsWith(name.toLowerCase()) && /^[0-9a-f]+$/.test(line) ? line : null)
  })
  return found
}

/** Those of the commits (whole hashes) that HEAD does not contain. */
export async function notInHead(
  at: TrustedFolder,
  commits: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  const { text } = await gitOrFail(at, ['rev-list', '--stdin'], { input: ['^HEAD', ...commits, ''].join('\n'), signal })
  const outside = new Set(text.split('\n'))
  return new Set(commits.filter((commit) => outside.has(commit)))
}

/** The commits (whole hashes), each before those that it builds on. */
export async function newestFirst(
  at: TrustedFolder,
  commits: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  const wanted = new Set(commits)
  if (wanted.size < 2) return [...wanted]
  const options = { signal }
  // Only what is between them is walked; commits that nothing joins are walked to their ends.
  const base = await git(at, ['merge-base', '--octopus', ...wanted], options)
  const limit = base.code === 0 ? [`^${base.text.trim()}^@`] : []
  const { text } = await gitOrFail(at, ['rev-list', '--topo-order', '--stdin'], {
    input: [...wanted, ...limit, ''].join('\n'),
    ...options,
  })
  return text.split('\n').filter((commit) => wanted.has(commit))
}

export interface CommitInfo {
  readonly commit: string
  readonly parents: readonly string[]
  /** ms since 1970, when it was committed. */
  readonly time: number
  /** Foreign text, in one line. */
  readonly subject: string
}

/** Of the commits (whole hashes), in the order given. */
export async function describeCommits(
  at: TrustedFolder,
  commits: readonly string[],
  signal?: AbortSignal,
): Promise<CommitInfo[]> {
  if (commits.length === 0) return []
  const { text } = await gitOrFail(
    at,
    ['log', '--no-walk=unsorted', '--stdin', '-z', '--encoding=UTF-8', '--format=%H%x00%P%x00%ct%x00%s'],
    {
      input: `${commits.join('\n')}\n`,
      signal,
    },
  )
  const values = text.split('\0')
  return commits.flatMap((_, index) => {
    const [commit, parents, seconds, subject] = values.slice(4 * index, 4 * index + 4)
    if (commit === undefined || parents === undefined || seconds === undefined || subject === undefined) return []
    return [
      {
        commit,
        parents: parents.split(' ').filter(Boolean),
        time: Number(seconds) * 1000,
        subject: subject.slice(0, 200),
      },
    ]
  })
}

/** What is not committed, relative to the top of the work tree. Ignored files are in neither list. */
export interface WorkTreeState {
  /** Changed, added, deleted or in conflict. */
  readonly changed: readonly string[]
  readonly untracked: readonly string[]
}

/** Changes inside submodules are not looked for: git would go by the settings of each. */
export async function readWorkTree(at: TrustedFolder, signal?: AbortSignal): Promise<WorkTreeState> {
  const { text } = await gitOrFail(
    at,
    ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all', '--ignore-submodules=all'],
    { timeout: LONG_TIME, signal },
  )
  const entries = text.split('\0').filter(Boolean)
  const named = (wanted: (code: string) => boolean) =>
    entries.filter((entry) => wanted(entry.slice(0, 2))).map((entry) => entry.slice(3))
  return { changed: named((code) => code !== '??'), untracked: named((code) => code === '??') }
}
