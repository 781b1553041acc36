import { counted } from '@shared/countedText'
import { HOLD, runHold } from '@shared/runHold'
import { turnRecords, type TurnRecord } from '@shared/turnRecord'
import { readRepositoryState } from '../../git/repositoryState'
import type { LoopWork } from '../loop'
import { endOfHold, holdRun, type HeldEnd } from '../runGuard'

/** A sidecar key: the newest turn's number when the person was asked. */
const ASKED = 'asked about no commits'

const hasCommits = ({ commits, elsewhere }: TurnRecord): boolean => commits.length + elsewhere.length > 0
const isInRepository = ({ after: { head, branch } }: TurnRecord): boolean => head !== null || branch !== null

/**
 * The person is asked once; to let the crew continue confirms that it is done.
 * @returns why it is not done; undefined where it is
 */
export async function endWithoutCommits({
  remembered,
  holds,
  trusted,
}: Pick<LoopWork, 'remembered' | 'holds' | 'trusted'>): Promise<HeldEnd | undefined> {
  const records = turnRecords(remembered)
  const last = records.at(-1)
  const worked = records.filter(({ task }) => task !== null).length
  if (!last || worked === 0 || !isInRepository(last) || records.some(hasCommits)) return undefined
  const hold = runHold(holds)
  const isHeld = hold?.kind === 'no-commits'
  if (!isHeld && remembered.get(ASKED) === String(last.number)) return undefined
  const left = new Set(records.flatMap(({ uncommitted }) => uncommitted))
  const { uncommitted } = await readRepositoryState(trusted())
  const still = uncommitted.filter((file) => left.has(file))
  if (left.size > 0 && still.length === 0) {
    if (isHeld) holds.set({ [HOLD]: null })
    return undefined
  }
  if (isHeld) return endOfHold(hold)
  remembered.set({ [ASKED]: String(last.number) })
  const files = left.size === 0 ? 'git sees no change' : `${counted(still.length, 'file')} uncommitted`
  return endOfHold(holdRun(holds, 'no-commits', `The crew says that it is done, but no turn made a commit: ${files}.`))
}
