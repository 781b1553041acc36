import { useEffect } from 'react'
import { followNeed, type InboxItem } from '../labels'
import { chooseNeed, moveNeed, useProjects } from '../store'
import { focusInbox } from './keys'

export function useChosenNeed(items: readonly InboxItem[]): InboxItem | null {
  const isUntouched = useProjects(({ choice }) => choice === null)
  const chosen = useProjects(({ need }) => need)
  // A need that is not there yet was not answered.
  const isComplete = useProjects(
    ({ projects }) =>
      projects !== null &&
      (chosen?.firstOf === undefined || projects.has(chosen.firstOf)) &&
      [...projects.values()].every(({ state }) => state !== 'reading'),
  )
  const next = followNeed(items, isUntouched ? { key: '', index: 0 } : chosen)
  const isWaiting = chosen !== null && !isComplete && next?.item.key !== chosen.key
  const item = isWaiting ? null : (next?.item ?? null)
  const index = next?.index ?? 0

  useEffect(() => {
    if (isWaiting) return
    if (item === null) {
      if (chosen !== null) moveNeed(null)
    } else if (item.key !== chosen?.key) {
      chooseNeed({ project: item.project, run: item.run.key }, { key: item.key, index })
      if (chosen !== null && document.activeElement === document.body) focusInbox()
    } else if (index !== chosen.index) moveNeed({ key: item.key, index })
  }, [item, index, chosen, isWaiting])
  return item
}
