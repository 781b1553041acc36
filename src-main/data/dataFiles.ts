/** What each file below the data folder and the folder of tasks is. Paths are relative, with slashes. */
import type { DataPart } from '@shared/contract/data'

const cacheFolders: readonly string[] = ['chromium', 'chromium-screenshot', 'compiled', 'crashes', 'programs', 'backup']
const logNames: readonly string[] = ['logs', 'agents', 'vice.log']

/** An SQLite database is copied by SQLite, as it may be written meanwhile. */
export type Content = 'plain' | 'settings' | 'recording'

/** What of the data folder is the person's; the rest, such as `serve.json` with its token, is in no backup. */
const keptFiles: Readonly<Record<string, Content>> = {
  'bridgedeck.sqlite': 'settings',
  'builtin.state': 'plain',
  'prices.yaml': 'plain',
  'version.json': 'plain',
  'window.json': 'plain',
}
const keptFolders: readonly string[] = ['loops', 'sample-project']

/** What of the folder of tasks is Bridgedeck's or c64bridge's, without locks. */
const taskFiles: readonly string[] = ['tasks.json', '.bridgedeck.last-id']
const taskFolders: readonly string[] = ['tasks', 'sessions', '.bridgedeck.tasks']

/** Whether a folder in that of tasks is ours to look into. */
export const isTaskFolder = (path: string): boolean => taskFolders.includes(topOf(path))

const RECORDING = 'recording.sqlite'

const topOf = (path: string): string => path.split('/', 1)[0] ?? ''
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Of a file of the data folder. */
export function partOfData(path: string): DataPart {
  const top = topOf(path)
  if (cacheFolders.includes(top)) return 'cache'
  return logNames.includes(top) ? 'logs' : 'rest'
}

/** Of a file of the folder of tasks; undefined for what belongs to somebody else. */
export function partOfTasks(path: string): DataPart | undefined {
  if (!taskFiles.includes(path) && !(path.includes('/') && isTaskFolder(path))) return undefined
  return nameOf(path).startsWith(RECORDING) ? 'recordings' : 'tasks'
}

/** Whether a folder in the data folder is backed up. A loop's worktree is not: its repository has what was committed. */
export const isKeptFolder = (path: string, names: readonly string[]): boolean =>
  keptFolders.includes(topOf(path)) && (topOf(path) !== 'loops' || !names.includes('.git'))

/** How a file of the data folder is backed up; undefined for one that is not. */
export function keptOfData(path: string): Content | undefined {
  if (path.includes('/')) return keptFolders.includes(topOf(path)) ? 'plain' : undefined
  return Object.hasOwn(keptFiles, path) ? keptFiles[path] : undefined
}

/** How a file of the folder of tasks is backed up. */
export function keptOfTasks(path: string): Content | undefined {
  if (partOfTasks(path) === undefined) return undefined
  const name = nameOf(path)
  if (name === RECORDING) return 'recording'
  // What SQLite keeps beside it is in its copy.
  return name.startsWith(`${RECORDING}-`) ? undefined : 'plain'
}
