import { toFailure } from '@shared/contract/errors'
import type { AgentRun } from '@shared/contract/agents'
import type { AdoptionRequest, AgentCopies, AgentResult, FollowAgentRun } from './agent'
import { resultOf } from './agentRun'
import type { AgentSlots } from './agentSlots'
import type { LeftRuns } from './leftRuns'
import { shareOutput } from './outputCopies'
import type { RunRecords } from './runRecords'

interface AdoptionParts {
  readonly records: RunRecords
  readonly left: LeftRuns
  readonly slots: AgentSlots
  /** ms */
  readonly grace: () => number
}

export async function adoptRun(
  parts: AdoptionParts,
  id: string,
  signal: AbortSignal,
  request: AdoptionRequest,
  follow: FollowAgentRun,
): Promise<AgentResult | null> {
  const { records } = parts
  const left = parts.left.get(id)
  const known = records.get(id)
  if (!known || (!left && known.status === 'stopped') || !records.hasBegun(id)) return null
  const endCopies = request.copies && (await share(parts, left, id, request.copies))
  if (left) await awaitLeft(parts, left, signal, request, follow)
  await endCopies?.()
  const run = records.get(id) ?? known
  if (!left) follow(run)
  return resultOf(run, await records.readAnswer(run))
}

async function awaitLeft(
  { left: runs, slots, grace }: AdoptionParts,
  left: AgentRun,
  signal: AbortSignal,
  { timeLimit = Infinity, group }: AdoptionRequest,
  follow: FollowAgentRun,
): Promise<void> {
  const places = [slots, ...(group ? [group.slots] : [])]
  for (const place of places) place.occupy()
  try {
    await runs.adopt(left, { limit: timeLimit, signal, follow, grace })
  } finally {
    for (const place of places) place.release()
  }
}

/**
 * Once more, as its bridge may have ended before it did. A run whose output cannot be shared is not left to run unseen.
 */
async function share(
  { records, left: runs, grace }: AdoptionParts,
  left: AgentRun | undefined,
  id: string,
  copies: AgentCopies,
): Promise<() => Promise<void>> {
  try {
    return await shareOutput(records.logs(id), copies, id)
  } catch (error) {
    if (left) await runs.stop(left, grace(), { status: 'error', reason: toFailure(error).message })
    throw error
  }
}
