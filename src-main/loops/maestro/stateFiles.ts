/** Errors have the words of the helper programs in specification 003. */
import { access, constants, lstat, mkdir, readFile, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, relative, resolve, sep, win32 } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { repositoryAround } from '../../files/repositoryAt'
import { stageFile } from '../../files/stagedWrite'
import {
  DEFAULT_STATE_DIR,
  NEWER_STATE_DIR,
  stateDirSetting,
  type Setting,
  type SettingLayers,
} from '../../formats/maestro/settings'

const refuse = (what: string, path: string) => new AppError('INVALID', `${what} (got: ${path})`)

/** @throws AppError INVALID for an absolute path and for one with `..` in it */
export function requireRelative(path: string): void {
  if (isAbsolute(path) || win32.isAbsolute(path)) throw refuse('Path must be relative', path)
  if (path.split(/[/\\]/).includes('..')) throw refuse('Path traversal not allowed', path)
}

const isInside = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

export async function readState(root: string, path: string): Promise<Buffer> {
  requireRelative(path)
  const target = join(root, path)
  // A missing file is left to the read, whose message names it.
  const real = await realpath(target).catch(() => target)
  if (real !== target && !isInside(await realpath(root), real)) throw refuse('Path must stay inside the project', path)
  return readFile(target)
}

/**
 * In one step. A new file is for its owner only; an existing one keeps its mode and owner.
 * @param path relative to the project's `root`, without a link on the way
 */
export async function writeState(root: string, path: string, content: Uint8Array): Promise<void> {
  requireRelative(path)
  if (content.length === 0) throw new AppError('INVALID', 'stdin content is empty')
  const target = join(root, path)
  await requireNoLink(root, target, () => refuse('Path must not go through a symlink', path))
  const existing = await lstat(target).catch(() => undefined)
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const file = await stageFile(target, content, existing ?? { mode: 0o600 })
  try {
    await file.commit()
  } catch (error) {
    await file.discard()
    throw error
  }
}

/** @param refusal thrown when `target`, or a folder between it and `root`, is a symbolic link */
async function requireNoLink(root: string, target: string, refusal: () => AppError): Promise<void> {
  for (let path = target; path !== root && isInside(root, path); path = dirname(path)) {
    const found = await lstat(path).catch(() => undefined)
    if (found?.isSymbolicLink()) throw refusal()
  }
}

const workspaceFolders = ['state', 'state/archive', 'plans', 'plans/archive', 'parallel']

/** All state folders must be writable. */
export async function ensureWorkspace(root: string, stateDir: string = DEFAULT_STATE_DIR): Promise<void> {
  requireRelative(stateDir)
  await requireNoLink(root, join(root, stateDir), () => refuse('STATE_DIR must not be a symlink', stateDir))
  for (const folder of workspaceFolders) {
    const path = join(root, stateDir, folder)
    const name = relative(root, path)
    await requireNoLink(root, path, () => refuse('STATE_DIR must not be a symlink', name))
    await mkdir(path, { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
      throw new AppError('FORBIDDEN', `Failed to create directory: ${name}`, { cause })
    })
    await access(path, constants.W_OK).catch((cause: unknown) => {
      throw new AppError('FORBIDDEN', `Directory not writable: ${name}`, { cause })
    })
  }
}

const stateMarks = ['state/active-session.md', 'state', 'plans']

/** Without a setting, the folder in use of an older or newer Maestro; the older one first. */
export async function findStateDir(root: string, layers: SettingLayers): Promise<Setting> {
  const setting = stateDirSetting(layers)
  if (setting.source !== 'default') return setting
  for (const mark of stateMarks)
    for (const value of [DEFAULT_STATE_DIR, NEWER_STATE_DIR])
      if (await lstat(join(root, value, mark)).catch(() => undefined)) return { ...setting, value }
  return setting
}

export interface ActiveSession {
  readonly content?: Buffer
  readonly refusal?: string
  readonly setting: Setting
}

/**
 * Only an absolute path in the environment or in the extension's `.env` may lead out of the project.
 * @param folder anywhere in the project
 */
export async function readActiveSession(folder: string, environment: NodeJS.ProcessEnv): Promise<ActiveSession> {
  return readSessionBelow(projectRoot(folder), environment)
}

export async function readSessionBelow(root: string, environment: NodeJS.ProcessEnv): Promise<ActiveSession> {
  const setting = await findStateDir(root, await settingLayers(root, environment))
  const { value, source } = setting
  const refuse = (why: string) => ({
    setting,
    refusal: `MAESTRO_STATE_DIR of the ${source} is not read: ${why} (got: ${value})`,
  })
  if (!isAbsolute(value) && value.split(/[/\\]/).includes('..')) return refuse('path traversal is not allowed')
  const isOwn = isAbsolute(value) && (source === 'environment' || source === 'extension .env')
  const target = resolve(root, value)
  const realRoot = await realpath(root).catch(() => root)
  if (!isOwn && !isInside(root, target) && !isInside(realRoot, target)) return refuse('it is outside the project')
  try {
    const path = await realpath(join(target, 'state', 'active-session.md'))
    if (!isOwn && !isInside(realRoot, path)) return refuse('a symbolic link leads out of the project')
    // Reading a pipe would never end.
    if (!(await lstat(path)).isFile()) return { setting }
    return { setting, content: await readFile(path) }
  } catch {
    return { setting }
  }
}

/** Git is not asked: a repository's settings can run programs. */
export const projectRoot = (folder: string): string => repositoryAround(resolve(folder)) ?? resolve(folder)

export async function settingLayers(folder: string, environment: NodeJS.ProcessEnv): Promise<SettingLayers> {
  const text = (folder: string) => readFile(join(folder, '.env'), 'utf8').catch(() => undefined)
  return { environment, workspace: await text(folder), extension: await text(extensionFolder(environment)) }
}

/** An empty variable counts as not set. */
export const extensionFolder = (environment: NodeJS.ProcessEnv): string =>
  environment.MAESTRO_EXTENSION_PATH || join(homedir(), '.gemini/extensions/maestro')
