import { X } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Run, RunRow } from '@shared/contract/orchestration'
import { IconButton } from '../../../widgets/IconButton'
import { visibleText } from '../../../widgets/visibleText'
import { TaskCommits } from '../commits/TaskCommits'
import { act } from '../edit/editing'
import { Plan as PlanList } from '../Plan'
import type { Plan } from './plan'

interface ListStageProps {
  readonly project: number
  readonly run: Run
  readonly rows: readonly RunRow[]
  readonly plan: Plan | null
  readonly chosen: string | null
  readonly onChoose: (key: string) => void
}

export function ListStage({ project, run, rows, plan, chosen, onChoose }: ListStageProps) {
  const [isOpen, setOpen] = useState(false)
  const stage = useRef<HTMLDivElement>(null)
  const row = isOpen ? rows.find(({ key, commits }) => key === chosen && commits?.value?.length) : undefined
  const close = () => {
    setOpen(false)
    stage.current?.querySelector<HTMLElement>('.projects-plan')?.focus()
  }
  return (
    <div
      ref={stage}
      className="plan-stage"
      // Before the window's own listener, for which Escape makes a large plan small again.
      onKeyDownCapture={(event) => {
        if (event.key !== 'Escape' || !row) return
        event.preventDefault()
        event.stopPropagation()
        close()
      }}
    >
      <PlanList
        project={project}
        rows={rows}
        plan={plan}
        chosen={chosen}
        onChoose={onChoose}
        onCommits={() => setOpen(true)}
        onOpen={({ key, title }) => act({ project, run: run.key }, `${key} ${title.value ?? ''}`, key)}
      />
      {row ? (
        <div className="plan-over of-commits" role="region" aria-label="Commits of the task" tabIndex={0}>
          <div className="plan-bar">
            <h3>
              <span className="data">{visibleText(row.key)}</span> {visibleText(row.title.value ?? '')}
            </h3>
            <span className="plan-end">
              <IconButton label="Close" icon={X} shortcut="Esc" onClick={close} />
            </span>
          </div>
          <TaskCommits project={project} run={run} row={row} />
        </div>
      ) : null}
    </div>
  )
}
