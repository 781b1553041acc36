import { z } from 'zod'

export const CHECK_ROLE = 'check'

const checkResults = ['passed', 'failed', 'timed out', 'not checked'] as const

export const hostCheckSchema = z.strictObject({
  command: z.string().max(500),
  result: z.enum(checkResults),
  /** Null where a signal or Bridgedeck ended it, or it was not run. */
  exitCode: z.int().nullable(),
  claimed: z.boolean().nullable(),
  /** ms since 1970 */
  endedAt: z.number(),
  log: z.string().max(60).nullable(),
})
export type HostCheck = z.infer<typeof hostCheckSchema>

export const isCheckFailure = (check: Pick<HostCheck, 'result'> | null): boolean =>
  check?.result === 'failed' || check?.result === 'timed out'

export function checkText({ result, exitCode, claimed }: HostCheck): string {
  const said = claimed === null ? '' : `agent says ${claimed ? 'passed' : 'failed'}, `
  if (result === 'not checked') return `${said}not checked`
  return `${said}host: ${result === 'failed' && exitCode !== null ? `exit code ${exitCode}` : result}`
}
