import { findProgram } from '../files/findProgram'

interface StartMarks {
  readonly group: string | undefined
  readonly inherited: number | undefined
}

/** Marks that cannot be set are skipped. */
const script = '{ echo $$ >"$1"; echo "$2" >/proc/self/oom_score_adj; } 2>/dev/null; shift 2; exec "$@"'

/**
 * Starts a program already marked: on a busy computer it could fork before its parent marks it. Linux only. A missing
 * program is left as it is, so that its start fails with the system's own error.
 */
export function markedStart(
  program: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  { group, inherited }: StartMarks,
): [program: string, args: readonly string[]] {
  if (process.platform !== 'linux' || findProgram(program, environment) === null) return [program, args]
  const marks = [group ?? '/dev/null', String(inherited ?? '')]
  return ['/bin/sh', ['-c', script, 'sh', ...marks, program, ...args]]
}
