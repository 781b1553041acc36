/** What Bridgedeck found when it ran the check of a task itself, kept beside the run's files. */
import { z } from 'zod'

/** In place of an agent's role, of a check that Bridgedeck runs. */
export const CHECK_ROLE = 'check'

const checkResults = ['passed', 'failed', 'timed out', 'not checked'] as const

/** What is shown of it. */
export const hostCheckSchema = z.strictObject({
  command: z.string().max(500),
  result: z.enum(checkResults),
  /** Null where a signal or Bridgedeck ended it, and where it was not run. */
  exitCode: z.int().nullable(),
  /** What the agent says of the same check; null where it says nothing. */
  claimed: z.boolean().nullable(),
  /** ms since 1970 */
  endedAt: z.number(),
  /** Of its log among the agents' runs; null where it was not run. */
  log: z.string().max(60).nullable(),
})
export type HostCheck = z.infer<typeof hostCheckSchema>

export const isCheckFailure = (check: Pick<HostCheck, 'result'> | null): boolean =>
  check?.result === 'failed' || check?.result === 'timed out'

/** `agent says passed, host: exit code 1` */
export function checkText({ result, exitCode, claimed }: HostCheck): string {
  const said = claimed === null ? '' : `agent says ${claimed ? 'passed' : 'failed'}, `
  if (result === 'not checked') return `${said}not checked`
  return `${said}host: ${result === 'failed' && exitCode !== null ? `exit code ${exitCode}` : result}`
}
