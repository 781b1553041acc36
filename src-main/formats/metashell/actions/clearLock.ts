import { AppError } from '@shared/contract/errors'
import { Draft } from '../../edit/draft'
import type { Offer } from '../../edit/offer'
import { quote } from '../../finding'
import type { RunFiles } from '../../format'
import { parseLockHolder } from '../../edit/lockHolder'
import type { State } from '../state'

/** ms that a host waits for a lock. A younger lock may be held. */
const LOCK_TIMEOUT_MS = 5_000

export function clearLock(files: RunFiles, { lock }: State): Offer[] {
  if (lock === undefined) return []
  return [
    {
      name: 'clear-lock',
      target: '',
      title: 'Remove the stale lock',
      effect: `Deletes ${lock}, so that a host can write the session again.`,
      fields: [],
      source: { file: lock },
      answersNeed: false,
      plan: ({ now }) => {
        const age = now - (files.files.get(lock)?.modifiedAt ?? 0)
        if (age < LOCK_TIMEOUT_MS) {
          throw new AppError(
            'CONFLICT',
            `${lock} was made less than ${LOCK_TIMEOUT_MS / 1000} seconds ago: a host may be writing now.`,
            { hint: 'Wait, and try again if it is still there.' },
          )
        }
        const draft = new Draft(files)
        const content = draft.text(lock).text.trim()
        const holder = parseLockHolder(content)
        draft.write(lock, null)
        return {
          summary: `Removed ${lock}`,
          changes: draft.changes,
          warnings: [
            `Make sure that no host is running this session. ${content === '' ? 'The lock is empty, so its owner is unknown.' : `The lock holds: ${quote(content)}.`}`,
          ],
          ...(holder ? { holder } : {}),
        }
      },
    },
  ]
}
