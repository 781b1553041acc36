/** Exit codes: timed out, not started or killed, stopped by the person. */
const EXIT_TIMEOUT = 124
const EXIT_NO_CODE = 255
const EXIT_STOPPED = 130

/** A higher number is no exit code: 256 failures would look like success. */
const MAX_EXIT_CODE = 125

export interface AgentOutcome {
  readonly name: string
  readonly exitCode: number
}

/** @param exitCode null when a signal ended it or it never started */
export function exitCodeOf(
  status: 'success' | 'error' | 'timeout' | 'limit' | 'stopped',
  exitCode: number | null,
): number {
  if (status === 'timeout') return EXIT_TIMEOUT
  return status === 'stopped' ? EXIT_STOPPED : (exitCode ?? EXIT_NO_CODE)
}

const statusOf = (exitCode: number): 'success' | 'failed' | 'timeout' =>
  exitCode === 0 ? 'success' : exitCode === EXIT_TIMEOUT ? 'timeout' : 'failed'

/**
 * @param agents in the order of dispatch
 * @param milliseconds from the first start to the last end
 */
export function summaryText(agents: readonly AgentOutcome[], milliseconds: number): string {
  const failed = failuresOf(agents)
  return `${JSON.stringify({
    batch_status: failed === 0 ? 'success' : 'partial_failure',
    total_agents: agents.length,
    succeeded: agents.length - failed,
    failed,
    wall_time_seconds: Math.round(milliseconds / 1000),
    agents: agents.map(({ name, exitCode }) => ({ name, exit_code: exitCode, status: statusOf(exitCode) })),
  })}\n`
}

export const failuresOf = (agents: readonly AgentOutcome[]): number =>
  agents.filter(({ exitCode }) => exitCode !== 0).length

export const batchExitCode = (agents: readonly AgentOutcome[]): number => Math.min(failuresOf(agents), MAX_EXIT_CODE)

/**
 * `coder: FAILED (exit 2)`
 * @param timeout minutes
 */
export function endLine({ name, exitCode }: AgentOutcome, timeout: number): string {
  switch (statusOf(exitCode)) {
    case 'success':
      return `${name}: SUCCESS (exit 0)`
    case 'timeout':
      return `${name}: TIMEOUT (exceeded ${timeout}m)`
    case 'failed':
      return `${name}: FAILED (exit ${exitCode})`
  }
}
