import type { ValueSource } from '@shared/contract/orchestration'
import { showView } from '../../../client/navigation'
import { choose as chooseInView } from '../../../client/chosen'
import { inboxOf, needAt } from '../labels'
import { choose, chooseNeed, refreshProjects, showSource, useProjects } from '../store'
import { hideReport } from '../report/reportStore'
import { focusInbox } from './keys'

export async function showNeed(project: number, run: string, source: ValueSource): Promise<void> {
  hideReport()
  await showView('projects')
  if (useProjects.getState().projects === null) await refreshProjects()
  const items = inboxOf(useProjects.getState().runs.values())
  const item = needAt(items, project, run, source)
  if (item) {
    chooseNeed({ project, run }, { key: item.key, index: items.indexOf(item) })
    focusInbox()
    return
  }
  chooseInView('projects.part', 'overview')
  choose({ project, run })
  showSource(project, source)
}
