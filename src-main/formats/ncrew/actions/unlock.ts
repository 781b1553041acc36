import { Draft } from '../../edit/draft'
import { parseLockHolder } from '../../edit/lockHolder'
import type { Offer } from '../../edit/offer'
import { quote } from '../../finding'
import type { RunFiles } from '../../format'
import type { State } from '../state'

export function unlock(files: RunFiles, { lock }: State): Offer[] {
  if (lock === undefined) return []
  return [
    {
      name: 'unlock',
      target: '',
      title: 'Remove the lock',
      effect: `Deletes ${lock}, so that a loop can be started again.`,
      fields: [],
      source: { file: lock },
      answersNeed: false,
      plan: () => {
        const draft = new Draft(files)
        const content = draft.text(lock).text.trim()
        draft.write(lock, null)
        const holder = parseLockHolder(content)
        const owner = content === '' ? 'It is empty, so its owner is unknown.' : `It holds: ${quote(content)}.`
        return {
          summary: `Removed ${lock}`,
          changes: draft.changes,
          warnings: [
            `Make sure that no loop is running in this project: two would overwrite each other’s work. ${owner}`,
          ],
          ...(holder ? { holder } : {}),
        }
      },
    },
  ]
}
