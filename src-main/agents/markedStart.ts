import { findProgram } from '../files/findProgram'

interface StartMarks {
  /** The file through which a process enters its control group. */
  readonly group: string | undefined
  /** Its oom_score_adj. */
  readonly inherited: number | undefined
}

/** Marks itself, then becomes the program. What it cannot mark, it leaves. */
const script = '{ echo $$ >"$1"; echo "$2" >/proc/self/oom_score_adj; } 2>/dev/null; shift 2; exec "$@"'

/**
 * Returns the command that starts a program with its marks already on it: on a busy computer it could fork before its parent
 * comes to mark it, and what it forked would have no mark. Linux only. A program that cannot be found is left as it is, so that
 * its start fails with the system's own error.
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
