import type { KeyboardEvent } from 'react'
import { call } from '../../../client/call'
import { useAnswer } from '../../../client/useAnswer'
import { Button } from '../../../widgets/Button'
import { visibleText } from '../../../widgets/visibleText'
import type { Project } from '@shared/contract/orchestration'
import { agoText, runTitle, unblocksText, type InboxItem } from '../labels'
import { NeedText } from '../NeedText'
import { Source } from '../Source'
import { choose } from '../store'
import { AnswerForm } from './AnswerForm'
import { pressAnswer } from './keys'
import { NeedContext } from './NeedContext'
import { NeedIcon } from './NeedIcon'

function onKey({ key, altKey, ctrlKey, metaKey, target, nativeEvent }: KeyboardEvent): void {
  if (!/^[1-9]$/.test(key) || altKey || ctrlKey || metaKey) return
  const isText =
    target instanceof HTMLElement && target.matches('textarea, select, input:not([type=radio], [type=checkbox])')
  if (isText) return
  nativeEvent.preventDefault()
  pressAnswer(Number(key))
}

interface NeedPaneProps {
  readonly item: InboxItem
  readonly project: Project
  readonly now: number
}

export function NeedPane({ item, project, now }: NeedPaneProps) {
  const { run, need: known, index } = item
  const { data } = useAnswer(
    item.key,
    true,
    (signal) => call('projects.run', { project: project.project, run: run.key }, { signal }),
    run.revision,
  )
  const whole = data?.needs[index]
  const need = whole?.title === known.title ? whole : known
  return (
    <article className="need" aria-label="Chosen need" onKeyDown={onKey}>
      <h2>
        <NeedIcon kind={need.kind} /> {visibleText(need.title)}
      </h2>
      <div className="need-place">
        <Button
          label={visibleText(`${project.name} · ${runTitle(run)}`)}
          tip="Show the run"
          look="plain"
          onClick={() => choose({ project: project.project, run: run.key })}
        />
      </div>
      <p className="muted need-facts">
        <span>{need.kind}</span>
        <span>{need.since.value === null ? 'age unknown' : agoText(need.since.value, now)}</span>
        <span>{unblocksText(need)}</span>
        <Source project={project.project} source={need.source} />
      </p>
      <NeedText need={need} of={{ project: project.project, run: run.key }} />
      <AnswerForm project={project.project} run={run.key} revision={run.revision} need={need} />
      <NeedContext project={project.project} run={run.key} revision={run.revision} need={need} />
    </article>
  )
}
