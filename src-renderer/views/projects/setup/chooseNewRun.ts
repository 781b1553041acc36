import type { RunLoopSystem } from '@shared/contract/loops'
import { choose, useProjects } from '../store'

/** The watcher reports new files after a moment; after this long, the person looks elsewhere. */
const WATCH_LIMIT_MS = 10_000

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
