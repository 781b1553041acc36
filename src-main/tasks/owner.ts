import { childIsAlive } from '../storage/children'
import type { OwnPart, ProcessIdentity } from './entry'

const START_TOLERANCE_MS = 5_000

export const isOwnedBy = (self: ProcessIdentity, own: OwnPart | null): boolean =>
  own !== null && own.owner !== null && isSameProcess(own.owner, self)

export const isOwnedByOther = (self: ProcessIdentity, { owner }: OwnPart): boolean =>
  owner !== null && !isSameProcess(owner, self) && childIsAlive(owner)

const isSameProcess = (one: ProcessIdentity, other: ProcessIdentity): boolean =>
  one.pid === other.pid && Math.abs(one.startedAt - other.startedAt) < START_TOLERANCE_MS
