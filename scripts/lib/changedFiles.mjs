/** What git says was changed. */
import { join } from 'node:path'
import { existsSync } from 'node:fs'
import { root, run, SetupError } from './process.mjs'

/**
 * The files that differ from a commit, relative to the folder, with new ones and without deleted ones.
 * @param {string} since compared with where the branch left it
 */
export async function changedFiles(since, folder = root) {
  const lists = await Promise.all([
    git(folder, 'diff', '-z', '--name-only', '--no-renames', '--relative', '--merge-base', since),
    git(folder, 'ls-files', '-z', '--others', '--exclude-standard'),
  ])
  return lists
    .flatMap((list) => list.split('\0'))
    .filter((file) => file !== '' && existsSync(join(folder, file)))
    .sort()
}

async function git(folder, ...args) {
  const { code, output } = await run('git', args, { cwd: folder })
  if (code !== 0) throw new SetupError(`git ${args[0]} failed: ${output.trim()}`)
  return output
}
