import type { RunLoopSystem } from '@shared/contract/loops'
import { choose, useProjects } from '../store'

/** The watcher tells of new files after a moment; beyond it, the person looks elsewhere. */
const WATCH_LIMIT_MS = 10_000

/** Chooses the run whose first files were just written, as soon as it is found, unless something else is chosen first. */
export function chooseNewRun(project: number, system: RunLoopSystem): void {
  const before = useProjects.getState().choice
  const stop = useProjects.subscribe(({ runs, choice }) => {
    if (choice !== before) {
      end()
      return
    }
    const found = [...runs.values()].find(
      (placed) => placed.project === project && placed.run.system === system && placed.run.folder === '',
    )
    if (!found) return
    end()
    choose({ project, run: found.run.key })
  })
  const timer = setTimeout(stop, WATCH_LIMIT_MS)
  const end = () => {
    stop()
    clearTimeout(timer)
  }
}
