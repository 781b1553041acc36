/** Which process runs a task. */
import { childIsAlive } from '../storage/children'
import type { OwnPart, ProcessIdentity } from './entry'

/** Start times of one process differ by how they were found out. */
const START_TOLERANCE_MS = 5_000

/** Whether this process runs it, or ran it last. */
export const isOwnedBy = (self: ProcessIdentity, own: OwnPart | null): boolean =>
  own !== null && own.owner !== null && isSameProcess(own.owner, self)

/** Whether another process that is alive has it, and writes its entry. */
export const isOwnedByOther = (self: ProcessIdentity, { owner }: OwnPart): boolean =>
  owner !== null && !isSameProcess(owner, self) && childIsAlive(owner)

const isSameProcess = (one: ProcessIdentity, other: ProcessIdentity): boolean =>
  one.pid === other.pid && Math.abs(one.startedAt - other.startedAt) < START_TOLERANCE_MS
