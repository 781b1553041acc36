/** Which test files a change can break: those that lead to a changed file, by imports or by naming its path. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import { programs } from './programs.mjs'

const folders = ['src-shared', 'src-main', 'src-preload', 'src-renderer', 'test', 'scripts', 'resources']
const isCode = (file) => /\.(ts|tsx|mjs|cjs)$/.test(file)
const isTest = (file) => /\.test\.(ts|tsx|mjs)$/.test(file)

/**
 * Files that put the whole app together, or list all of a kind: nearly every change is part of what imports them, and breaks
 * it no other way than what is tested nearer by.
 */
export const hubs = [
  'src-main/main.ts',
  'src-main/bridge.ts',
  'src-main/cli.ts',
  'src-main/bridge/createBridge.ts',
  'src-main/formats/formats.ts',
  'src-main/tasks/operations/index.ts',
]

/** A string that may name a file or folder of the project. */
const naming = /(['"`])((?:\.{1,2}|@shared|src-\w+|test|scripts|resources|out)\/[^'"`\n$]*)\1/g

/** Of those below `test/`, for one change: nearly every change is some part of what half of them test. */
const MAX_FAR_TESTS = 4

/** The quick ones first. */
const kinds = ['fuzz', 'integration', 'vice', 'e2e']

/**
 * @param {string} root
 * @param {Iterable<string>} changed files, relative to the root, with `/`
 * @returns {{ tests: string[], leftOut: string[] }} test files: those that a change can break, and those that lead to it
 *   only through a hub, or when others are named like it, quicker, or nearer. Unit tests and changed tests are never
 *   left out.
 */
export function affectedTests(root, changed) {
  const users = usersOf(
    root,
    folders.flatMap((folder) => filesBelow(root, folder)),
  )
  const changes = [...changed]
  const steps = distances(changes, users, hubs)
  const isNear = (file) => !file.startsWith('test/') || steps.get(file) === 0
  const far = [...steps.keys()].filter((file) => isTest(file) && !isNear(file))
  const nearest = far
    .map((file) => ({ file, order: [isNamesake(file, changes) ? 0 : 1, kinds.indexOf(kindOf(file)), steps.get(file)] }))
    .sort((a, b) => compare(a.order, b.order) || (a.file < b.file ? -1 : 1))
    .slice(0, MAX_FAR_TESTS)
    .map(({ file }) => file)
  const all = [...distances(changes, users, []).keys()].filter(isTest).sort()
  const isWanted = (file) => isNear(file) || nearest.includes(file)
  return { tests: all.filter(isWanted), leftOut: all.filter((file) => !isWanted(file)) }
}

const kindOf = (test) => test.split('/')[1]

/** Whether a test is named after a changed file or its folder, as `test/vice/…` and `viceFaults.test.ts` are after `machine/vice/commands.ts`. */
function isNamesake(test, changes) {
  const name = test.toLowerCase()
  return changes.some((file) =>
    [posix.basename(posix.dirname(file)), posix.basename(file).replace(/\..*$/, '')].some((word) =>
      name.includes(word.toLowerCase()),
    ),
  )
}

/** Compares numbers, the first ones first. */
function compare(a, b) {
  const at = a.findIndex((value, index) => value !== b[index])
  return at < 0 ? 0 : a[at] - b[at]
}

/** The files that changed and all that lead to them without going through a hub, each with the imports in between. */
function distances(changed, users, hubs) {
  const steps = new Map(changed.map((file) => [file, 0]))
  for (const [file, count] of steps) {
    if (hubs.includes(file)) continue
    for (const user of users.get(file) ?? []) if (!steps.has(user)) steps.set(user, count + 1)
  }
  return steps
}

/** For each file those that name it. A folder that is named stands for all that is in it. */
function usersOf(root, files) {
  const known = new Set(files)
  const users = new Map()
  const add = (target, user) => {
    const list = users.get(target)
    if (list) list.push(user)
    else users.set(target, [user])
  }
  for (const file of files.filter(isCode)) {
    for (const [, , name] of readFileSync(join(root, file), 'utf8').matchAll(naming)) {
      const path = pathOf(file, name)
      const found = [path, `${path}.ts`, `${path}.tsx`].find((candidate) => known.has(candidate))
      if (found !== undefined) add(found, file)
      else if (path.includes('/')) for (const inside of files) if (inside.startsWith(`${path}/`)) add(inside, file)
    }
  }
  return users
}

function pathOf(file, name) {
  const path = name.replace(/\?.*$/, '').replace(/\/$/, '')
  if (path.startsWith('@shared/')) return `src-shared/${path.slice('@shared/'.length)}`
  const program = /^out\/main\/(\w+)\.cjs$/.exec(path)?.[1]
  if (program !== undefined) return programs[program] ?? path
  return posix.normalize(path.startsWith('.') ? posix.join(posix.dirname(file), path) : path)
}

function filesBelow(root, folder) {
  if (!statSync(join(root, folder), { throwIfNoEntry: false })) return []
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
}
