import type { Task } from './contract/tasks'

/** A task that was unknown before counts as just started up to this age, ms. */
const JUST_STARTED_MS = 10_000

export function taskEnd(
  before: Task | undefined,
  { name, operation, status, lastError, startedAt }: Task,
  now: number,
): { failed: boolean; text: string } | undefined {
  const ran = before ? before.status === 'running' : startedAt !== null && now - startedAt < JUST_STARTED_MS
  if (!ran) return undefined
  if (status === 'error')
    return { failed: true, text: `The task ${name} failed: ${lastError ?? 'it does not say why.'}` }
  return status === 'completed' && operation === 'poll_screen'
    ? { failed: false, text: `The task ${name} found its text on the screen.` }
    : undefined
}
