import { useState } from 'react'
import type { Project } from '@shared/contract/orchestration'
import { ListBox } from '../../widgets/ListBox'
import { answerNeed } from './edit/editing'
import { visibleText } from '../../widgets/visibleText'
import type { Choice } from './store'
import { agoText, runTitle, type InboxItem } from './labels'

interface InboxProps {
  readonly items: readonly InboxItem[]
  readonly projects: ReadonlyMap<number, Project>
  readonly choice: Choice | null
  readonly now: number
  readonly onChoose: (choice: Choice) => void
}

/** Needs of one run may have the same title; their number tells them apart. */
const keyOf = ({ project, run, need }: InboxItem): string => `${project} ${run.key} ${run.needs.indexOf(need)}`

/** What waits for a person, over all runs. */
export function Inbox({ items, projects, choice, now, onChoose }: InboxProps) {
  const [opened, setOpened] = useState<string | null>(null)
  const ofRun = items.filter(({ project, run }) => choice?.project === project && choice.run === run.key)
  const chosen = ofRun.find((item) => keyOf(item) === opened) ?? ofRun[0]
  return (
    <section className="projects-inbox" aria-labelledby="projects-inbox">
      <h2 id="projects-inbox">
        Needs you <span className="muted">{items.length === 0 ? '' : `${items.length}, Enter answers`}</span>
      </h2>
      {items.length === 0 ? (
        <p className="muted projects-none">Nothing in the open projects needs you.</p>
      ) : (
        <ListBox
          label="Needs you"
          items={items}
          keyOf={keyOf}
          chosen={chosen ? keyOf(chosen) : null}
          onChoose={(item) => {
            setOpened(keyOf(item))
            onChoose({ project: item.project, run: item.run.key })
          }}
          onOpen={({ project, run, need }) => answerNeed({ project, run: run.key }, need)}
          height={40}
          render={({ project, run, need }) => (
            <div className="run-row">
              <span title={visibleText(need.title)}>{visibleText(need.title)}</span>
              <span className="muted">{need.kind}</span>
              <span className="muted" title={visibleText(`${projects.get(project)?.name ?? ''} · ${runTitle(run)}`)}>
                {visibleText(`${projects.get(project)?.name ?? ''} · ${runTitle(run)}`)}
              </span>
              <span className="muted">
                {need.since.value === null ? 'since: unknown' : agoText(need.since.value, now)}
              </span>
            </div>
          )}
        />
      )}
    </section>
  )
}
