import { BookOpen } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import type { Project } from '@shared/contract/orchestration'
import { perform } from '../../../client/actions'
import { Button } from '../../../widgets/Button'
import { ListBox } from '../../../widgets/ListBox'
import { visibleText } from '../../../widgets/visibleText'
import { agoText, runTitle, unblocksText, type InboxItem } from '../labels'
import { chooseNeed } from '../store'
import { INBOX_ID, pressAnswer } from './keys'
import { NeedIcon } from './NeedIcon'
import './inbox.css'

const ROW_PX = 40

interface InboxProps {
  readonly items: readonly InboxItem[]
  readonly more: number
  readonly projects: ReadonlyMap<number, Project>
  readonly chosen: string | null
  readonly now: number
}

export function Inbox({ items, more, projects, chosen, now }: InboxProps) {
  const onKey = ({ key, altKey, ctrlKey, metaKey, nativeEvent }: KeyboardEvent) => {
    if (!/^[1-9]$/.test(key) || altKey || ctrlKey || metaKey) return
    nativeEvent.preventDefault()
    pressAnswer(Number(key))
  }
  return (
    <section id={INBOX_ID} className="projects-inbox" aria-label="Inbox" onKeyDown={onKey}>
      <h2>
        Inbox{' '}
        {items.length === 0 ? null : (
          <span className="muted">
            {(items.length + more).toLocaleString('en')} · <kbd>J</kbd> <kbd>K</kbd> move, <kbd>Enter</kbd> answers
          </span>
        )}
      </h2>
      {items.length === 0 ? (
        <div className="projects-none">
          <p className="muted">Nothing in the open projects needs you.</p>
          <Button label="Open the sample project" icon={BookOpen} onClick={() => perform('project.sample')} />
        </div>
      ) : (
        <div className="inbox-list" style={{ height: ROW_PX * items.length }}>
          <ListBox
            label="Needs you"
            isFirst
            items={items}
            keyOf={({ key }) => key}
            chosen={chosen}
            onChoose={(item) => {
              pressAnswer(null)
              chooseNeed({ project: item.project, run: item.run.key }, { key: item.key, index: items.indexOf(item) })
            }}
            onOpen={() => pressAnswer('answer')}
            height={ROW_PX}
            render={(item) => <InboxRow item={item} project={projects.get(item.project)} now={now} />}
          />
        </div>
      )}
      {more === 0 ? null : (
        <p className="muted projects-none">And {more.toLocaleString('en')} more, listed at their runs.</p>
      )}
    </section>
  )
}

interface InboxRowProps {
  readonly item: InboxItem
  readonly project: Project | undefined
  readonly now: number
}

function InboxRow({ item: { run, need }, project, now }: InboxRowProps) {
  const place = visibleText(`${project?.name ?? ''} · ${runTitle(run)}`)
  return (
    <div className="inbox-row">
      <NeedIcon kind={need.kind} />
      <span title={visibleText(need.title)}>{visibleText(need.title)}</span>
      <span className="muted">{need.since.value === null ? 'age unknown' : agoText(need.since.value, now)}</span>
      <span className="muted" title={place}>
        {place}
      </span>
      <span className="muted">{unblocksText(need)}</span>
    </div>
  )
}
