interface DiskProblem {
  readonly code: 'INVALID' | 'FORBIDDEN'
  /** Completes “it could not be written: …”. */
  readonly why: string
  readonly hint: string
}

const full: DiskProblem = {
  code: 'INVALID',
  why: 'the disk is full',
  hint: 'Free some space on it, then try again.',
}
const noQuota: DiskProblem = {
  code: 'INVALID',
  why: 'your quota on the disk is used up',
  hint: 'Delete files that you do not need there, then try again.',
}
const readOnly: DiskProblem = {
  code: 'FORBIDDEN',
  why: 'it is read-only, or its disk is',
  hint: 'Make it writable, or choose a place on another disk.',
}
const noPermission: DiskProblem = {
  code: 'FORBIDDEN',
  why: 'you have no permission',
  hint: 'Check the permissions of the file and its folder.',
}
const notOpened: DiskProblem = {
  code: 'FORBIDDEN',
  why: 'the file cannot be opened',
  hint: 'Check that its folder exists, that you may write there, and that not too many files are open (ulimit -n).',
}
const noDescriptors: DiskProblem = {
  code: 'INVALID',
  why: 'too many files are open',
  hint: 'Close programs, or allow more open files (ulimit -n), then try again.',
}
const broken: DiskProblem = {
  code: 'INVALID',
  why: 'the disk reported an error',
  hint: 'Check its free space and its health, then try again.',
}

const problems: readonly (readonly [code: RegExp, problem: DiskProblem])[] = [
  [/^(ENOSPC|SQLITE_FULL|SQLITE_IOERR_SHMSIZE)$/, full],
  [/^(EMFILE|ENFILE)$/, noDescriptors],
  [/^EDQUOT$/, noQuota],
  [/^(EROFS|SQLITE_READONLY(_.*)?)$/, readOnly],
  [/^(EACCES|EPERM|SQLITE_PERM)$/, noPermission],
  [/^SQLITE_CANTOPEN(_.*)?$/, notOpened],
  [/^(EIO|SQLITE_IOERR(_.*)?)$/, broken],
]

export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && problemOf(String(error.code)) === full

const problemOf = (systemCode: string): DiskProblem | undefined =>
  problems.find(([pattern]) => pattern.test(systemCode))?.[1]

/**
 * One sentence with what to do; undefined for an error that is not about a disk.
 * @param name of the file, at the start of a sentence; the error's own where it has one
 */
export function diskProblem(
  error: unknown,
  name: string = nameOf(error),
  action: 'read' | 'written' | 'used' = 'used',
): { code: DiskProblem['code']; message: string; hint: string } | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  const problem = problemOf(String(error.code))
  if (!problem) return undefined
  const { code, why, hint } = problem
  return { code, message: `${name} could not be ${action}: ${why}.`, hint }
}

/** Only the last part of the path: a whole path may contain the user's name. */
function nameOf(error: unknown): string {
  const path = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : ''
  const staged = /([^/\\]+)$/.exec(path)?.[1] ?? 'Bridgedeck’s data'
  return /^\.(.+)\.[0-9a-f]{12}\.tmp$/.exec(staged)?.[1] ?? staged
}
