import { formatInfo } from '@shared/formats/formats'
import type { ReactNode } from 'react'
import type { Edit } from '@shared/contract/edits'
import type { JournalEntry, Run } from '@shared/contract/orchestration'
import { call } from '../../client/call'
import { attempt } from '../../client/messages'
import { useAnswer } from '../../client/useAnswer'
import { Button } from '../../widgets/Button'
import { visibleText } from '../../widgets/visibleText'
import { DetailsPanel } from './details/DetailsPanel'
import { Section } from './details/parts'
import { undo } from './edit/editing'
import { takeBackLabel } from './edit/takeBackLabel'
import { useEdits, useUndoable } from './edit/useEdits'
import { JournalRows } from './Journal'
import { editsByEntry } from './journalRows'
import { agoText, processText, stateMeaning, writtenText } from './labels'
import { restOf, stateNow } from './loopState'
import { useLastLoop } from './loops'
import { PartList, type Lists } from './PartList'
import { Source } from './Source'

const MAX_RECENT = 5

interface OverviewProps {
  readonly project: number
  readonly run: Run
  readonly lists: Lists | null
  readonly now: number
  readonly onAll: (part: 'activity' | 'files') => void
}

export function Overview({ project, run, lists, now, onAll }: OverviewProps) {
  const doubtful = lists?.findings.filter(({ severity }) => severity !== 'info') ?? []
  const of = { project, run: run.key, now }
  return (
    <>
      {lists === null || lists.needs.length === 0 ? null : <PartList part="needs" lists={lists} {...of} />}
      <div className="run-overview">
        <Facts project={project} run={run} now={now} />
        {lists === null || lists.meters.length === 0 ? null : <PartList part="meters" lists={lists} {...of} />}
        {lists === null || lists.errors.length === 0 ? null : <PartList part="errors" lists={lists} {...of} />}
        {lists === null || doubtful.length === 0 ? null : (
          <PartList
            part="findings"
            title="Contradictions and errors in the files"
            lists={{ ...lists, findings: doubtful }}
            {...of}
          />
        )}
        <Recent project={project} run={run} now={now} onAll={() => onAll('activity')} />
      </div>
      <Section title={formatInfo[run.system].title}>
        <p className="muted">{formatInfo[run.system].meaning}</p>
        <DetailsPanel project={project} run={run} />
      </Section>
    </>
  )
}

function Facts({ project, run, now }: Pick<OverviewProps, 'project' | 'run' | 'now'>) {
  const { state, reason, currentPhase, writtenAt, updatedAt } = run
  const loop = useLastLoop(project, run)
  return (
    <Section title="State">
      <dl className="projects-facts">
        <Fact title="State">
          {restOf(run, loop) ?? stateNow(run, loop) ?? 'unknown'}
          <span className="muted">
            : {stateMeaning(run, loop)}
            {state.written === undefined || state.written === state.value
              ? ''
              : `; in the file: ${visibleText(state.written)}`}
          </span>{' '}
          <Source project={project} source={state.source} />
        </Fact>
        {reason.value === null ? null : (
          <Fact title="Why">
            {visibleText(reason.value)} <Source project={project} source={reason.source} />
          </Fact>
        )}
        {currentPhase.value === null ? null : (
          <Fact title="Phase">
            {visibleText(currentPhase.value)} <Source project={project} source={currentPhase.source} />
          </Fact>
        )}
        <Fact title="Fresh">
          {writtenText(writtenAt, now)}
          {updatedAt.value === null ? '' : `; updated ${agoText(updatedAt.value, now)} `}
          {updatedAt.value === null ? null : <Source project={project} source={updatedAt.source} />}
        </Fact>
        <Fact title="Process">{processText(run, loop, now)}</Fact>
      </dl>
    </Section>
  )
}

const Fact = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <div>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </div>
)

interface RecentProps extends Pick<OverviewProps, 'project' | 'run' | 'now'> {
  readonly onAll: () => void
}

function Recent({ project, run: { key, revision }, now, onAll }: RecentProps) {
  const { data, failure } = useAnswer(
    `${project} ${key}`,
    true,
    (signal) => call('projects.journal', { project, run: key, before: null }, { signal }),
    revision,
  )
  const { edits } = useEdits(project, key)
  const offered = editsByEntry(data?.entries ?? [], edits ?? [])
  const undoable = useUndoable(
    project,
    [...offered.values()].map(({ edit }) => edit),
    revision,
  )
  const offer = ({ entry }: JournalEntry) => {
    const edit = offered.get(entry)
    return edit && undoable.has(edit.edit) ? <UndoEdit of={{ project, run: key }} edit={edit} /> : null
  }
  return (
    <Section title="Recent activity">
      {failure === null ? null : <p className="problem">{failure.message}</p>}
      {data?.entries.length === 0 ? <p className="muted">No changes seen yet.</p> : null}
      {data === null || data.entries.length === 0 ? null : (
        <>
          <JournalRows project={project} entries={data.entries} now={now} most={MAX_RECENT} offer={offer} />
          <div>
            <Button label="All activity" onClick={onAll} />
          </div>
        </>
      )}
    </Section>
  )
}

interface UndoEditProps {
  readonly of: { readonly project: number; readonly run: string }
  readonly edit: Pick<Edit, 'edit' | 'summary'>
}

const UndoEdit = ({ of, edit }: UndoEditProps) => (
  <Button label="Undo" tip={takeBackLabel(edit.summary)} onClick={() => attempt(() => undo(of, edit.edit))} />
)
