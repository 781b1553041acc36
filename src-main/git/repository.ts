import { realpath } from 'node:fs/promises'
import { isCommitName } from '@shared/commitName'
import { git, gitOrFail } from './git'
import { WORK_TREE_LIMIT_MS } from './gitProcess'
import type { TrustedFolder } from './trustedFolder'

export interface Repository {
  readonly top: string
  readonly gitFolder: string
  readonly head: string | null
  readonly isShallow: boolean
}

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

export async function checkedOutBranch(at: TrustedFolder, signal?: AbortSignal): Promise<string | null> {
  const { code, text } = await git(at, ['symbolic-ref', '--quiet', '--short', 'HEAD'], { signal })
  return code === 0 ? text.trim() : null
}

export interface CommitIdentity {
  readonly name: string
  readonly email: string
}

export async function readCommitIdentity(at: TrustedFolder, signal?: AbortSignal): Promise<CommitIdentity | null> {
  const { code, text } = await git(at, ['var', 'GIT_COMMITTER_IDENT'], { signal })
  const [, name, email] = /^(.+) <(.+)> \d+ [+-]\d+$/.exec(text.trim()) ?? []
  return code === 0 && name !== undefined && email !== undefined ? { name, email } : null
}

/** `null` for no such commit. Ambiguous names, and names that are no hash, are left out. */
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

export async function notInHead(
  at: TrustedFolder,
  commits: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  const { text } = await gitOrFail(at, ['rev-list', '--stdin'], { input: ['^HEAD', ...commits, ''].join('\n'), signal })
  const outside = new Set(text.split('\n'))
  return new Set(commits.filter((commit) => outside.has(commit)))
}

export async function onNoBranch(
  at: TrustedFolder,
  commits: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  if (commits.length === 0) return new Set()
  const refs = ['for-each-ref', '--format=^%(objectname)', 'refs/heads', 'refs/remotes']
  const branches = (await gitOrFail(at, refs, { signal })).text
  const { text } = await gitOrFail(at, ['rev-list', '--stdin'], {
    input: `${[...commits, '^HEAD'].join('\n')}\n${branches}`,
    signal,
  })
  const outside = new Set(text.split('\n'))
  return new Set(commits.filter((commit) => outside.has(commit)))
}

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

/** Paths are relative to the top of the work tree; ignored files are left out. */
export interface WorkTreeState {
  readonly changed: readonly string[]
  readonly untracked: readonly string[]
}

/** Changes inside submodules are not looked for: git would obey each submodule's settings. */
export async function readWorkTree(at: TrustedFolder, signal?: AbortSignal): Promise<WorkTreeState> {
  const { text } = await gitOrFail(
    at,
    ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all', '--ignore-submodules=all'],
    { limitMs: WORK_TREE_LIMIT_MS, signal },
  )
  const entries = text.split('\0').filter(Boolean)
  const named = (wanted: (code: string) => boolean) =>
    entries.filter((entry) => wanted(entry.slice(0, 2))).map((entry) => entry.slice(3))
  return { changed: named((code) => code !== '??'), untracked: named((code) => code === '??') }
}
