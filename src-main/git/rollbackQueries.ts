import { filterNames, gitOrFail } from './git'
import { findCommits } from './repository'
import type { TrustedFolder } from './trustedFolder'

export async function resolveCommits(
  at: TrustedFolder,
  names: readonly string[],
  signal: AbortSignal | undefined,
): Promise<{ found: string[]; obstacles: string[] }> {
  const known = await findCommits(at, names, signal)
  const found = new Set<string>()
  const obstacles: string[] = []
  for (const name of names) {
    const commit = known.get(name)
    if (typeof commit === 'string') found.add(commit)
    else
      obstacles.push(
        commit === null
          ? `Commit ${name} is not in the repository.`
          : `“${name.slice(0, 60)}” is not a commit hash, or matches several commits.`,
      )
  }
  return { found: [...found], obstacles }
}

export async function filteredFiles(
  at: TrustedFolder,
  paths: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const filters = await filterNames(at, signal)
  if (filters.size === 0 || paths.length === 0) return []
  const values = (await gitOrFail(at, ['check-attr', '--stdin', '-z', 'filter'], { input: paths, signal })).text.split(
    '\0',
  )
  const filtered = values.flatMap((path, index) =>
    index % 3 === 0 && filters.has(values[index + 2] ?? '') ? [path] : [],
  )
  return [...new Set(filtered)]
}
