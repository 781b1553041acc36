import { useEffect } from 'react'
import type { Run } from '@shared/contract/orchestration'
import { call } from '../../../client/call'
import { reportError } from '../../../client/messages'
import { useProjects } from '../store'
import { lastLeft } from './absence'
import { useReport } from './reportStore'

export function useNews(isVisible: boolean): void {
  const isDue = useReport((state) => state.isDue)
  const isRead = useProjects(
    ({ projects }) => projects !== null && [...projects.values()].every(({ state }) => state !== 'reading'),
  )
  useEffect(() => {
    if (!isDue || !isVisible || !isRead) return
    const left = lastLeft()
    hasNews(left ?? Date.now()).then(
      (isNew) => useReport.setState(({ isShown, isDue }) => ({ isShown: isShown || (isNew && isDue), isDue: false })),
      reportError,
    )
  }, [isDue, isVisible, isRead])
}

async function hasNews(left: number): Promise<boolean> {
  const { projects, runs } = useProjects.getState()
  if ([...runs.values()].some(({ run }) => hasNeedSince(run, left))) return true
  const page = await call('agentRuns.list', { before: null })
  if (page.runs.some(({ turn, askedAt, endedAt }) => turn !== null && (endedAt ?? askedAt) >= left)) return true
  for (const project of projects?.keys() ?? []) {
    const { starts } = await call('loops.failedStarts', { project })
    if (starts.some(({ at }) => at >= left)) return true
  }
  return false
}

const hasNeedSince = ({ needs, archived }: Run, left: number): boolean =>
  !archived && needs.some(({ since }) => (since.value ?? 0) >= left)
