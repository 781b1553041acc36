import { BookOpen, FolderOpen, ScrollText } from 'lucide-react'
import { useEffect, useMemo, useState, type ComponentProps } from 'react'
import { useBridge } from '../../client/machines'
import { perform } from '../../client/actions'
import { call } from '../../client/call'
import { reportError } from '../../client/messages'
import { shortcutOf } from '../../client/shortcuts'
import { useClock } from '../../widgets/useClock'
import { useReading } from '../../client/useReading'
import type { ViewProps } from '../../client/view'
import { ListAndDetail } from '../../widgets/ListAndDetail'
import { Button } from '../../widgets/Button'
import { EmptyState } from '../../widgets/EmptyState'
import { CommitPane } from './commits/CommitPane'
import { EditDialog } from './edit/EditDialog'
import { Formats } from './Formats'
import { Inbox } from './inbox/Inbox'
import { NeedPane } from './inbox/NeedPane'
import { useChosenNeed } from './inbox/useChosenNeed'
import { ProjectDetail } from './ProjectDetail'
import { RawFile } from './RawFile'
import { Restricted } from './Restricted'
import { RunDetail } from './RunDetail'
import { RunList } from './RunList'
import { useReport } from './report/reportStore'
import { SinceYouLeft } from './report/SinceYouLeft'
import { useNews } from './report/useNews'
import { NewRunDialog } from './setup/NewRun'
import { SetUpAgentDialog } from './setup/SetUpAgentDialog'
import { SearchField, SearchResults } from './Search'
import { useSourcesShown } from './Source'
import { loopName } from './loops'
import { choose, placeOf, refreshProjects, useProjects } from './store'
import { useCalmRows } from './useCalmRows'
import { inboxOf, listRows } from './labels'
import dark from './empty-dark.png'
import light from './empty-light.png'
import './projects.css'

const CLOCK_MS = 5_000

/** So that nobody is notified of what they look at. */
function useWatched(run: { readonly project: number; readonly run: string } | null): void {
  const project = run?.project ?? null
  const key = run?.run ?? null
  useEffect(() => {
    const watched = project === null || key === null ? null : { project, run: key }
    call('window.watch', { run: watched }).catch(reportError)
  }, [project, key])
}

export function ProjectsView({ visible }: ViewProps) {
  const bridge = useBridge()
  const { projects, runs, formats, choice, shown, at } = useProjects()
  const [search, setSearch] = useState('')
  const now = useClock(visible, CLOCK_MS)
  const problem = useReading(visible && bridge.state === 'ready', projects !== null, refreshProjects)
  const sorted = useMemo(() => listRows(projects?.values() ?? [], runs.values()), [projects, runs])
  const rows = useCalmRows(sorted)
  const inbox = useMemo(() => inboxOf(runs.values()), [runs])
  const need = useChosenNeed(inbox)
  const [hasSources] = useSourcesShown()
  const hasReport = useReport((state) => state.isShown)
  useNews(visible && bridge.state === 'ready')

  const place = need ? { project: need.project, run: need.run.key } : choice
  const wanted = place?.run ?? null
  useWatched(visible && place && wanted !== null ? { project: place.project, run: wanted } : null)

  if (projects === null) {
    return (
      <div className="empty" role="status">
        <p>{problem ?? 'Waiting for the bridge to start…'}</p>
      </div>
    )
  }
  if (projects.size === 0) return <NoProjects formats={formats} />
  const chosen = place ? projects.get(place.project) : undefined
  const run = place && wanted !== null ? runs.get(placeOf(place.project, wanted))?.run : undefined
  const tellsItself = chosen && run && !need && at === null && loopName(chosen.project, run) !== null
  const needCount = [...runs.values()].reduce((sum, { run }) => sum + (run.archived ? 0 : run.needCount), 0)
  const openCount = [...projects.values()].filter(({ state }) => state !== 'closed').length
  return (
    <>
      <div className="toolbar">
        <OpenFolder />
        <Button
          label="Since you left"
          icon={ScrollText}
          shortcut={shortcutOf('report.show')}
          pressed={hasReport}
          tip="What failed and needs you, what agents did and what it cost"
          onClick={() => perform('report.show')}
        />
        <SearchField text={search} onChange={setSearch} />
        <span className="muted" role="status">
          {countOf(runs.size, 'run')} in {countOf(openCount, 'open project')}
        </span>
      </div>
      {hasReport ? (
        <SinceYouLeft now={now} />
      ) : (
        <ListAndDetail className={hasSources ? 'projects with-sources' : 'projects'}>
          <div className="projects-lists">
            <Inbox
              items={inbox}
              more={needCount - inbox.length}
              projects={projects}
              chosen={need?.key ?? null}
              now={now}
            />
            {search === '' ? (
              <RunList rows={rows} now={now} choice={place} onChoose={choose} />
            ) : (
              <SearchResults projects={projects} text={search} />
            )}
          </div>
          <div className={shown ? 'projects-right with-file' : 'projects-right'}>
            <div className="projects-detail" role="region" aria-label="Details" tabIndex={0}>
              {chosen && !chosen.trusted && chosen.state !== 'closed' && !tellsItself ? <Restricted /> : null}
              {chosen && need ? (
                <NeedPane key={need.key} item={need} project={chosen} now={now} />
              ) : chosen && run ? (
                <RunDetail key={placeOf(chosen.project, run.key)} project={chosen} run={run} now={now} />
              ) : chosen && wanted !== null && chosen.state !== 'closed' ? (
                <p className="muted">
                  This run is gone: its files were moved or deleted. The project’s journal has its history.
                </p>
              ) : chosen ? (
                <ProjectDetail key={chosen.project} project={chosen} formats={formats} now={now} />
              ) : (
                <p className="muted">Choose a run. Arrow keys move in the lists, F6 between panels.</p>
              )}
            </div>
            {shown?.kind === 'file' ? <RawFile place={shown} version={run?.revision ?? 0} /> : null}
            {shown?.kind === 'commit' ? <CommitPane {...shown} /> : null}
          </div>
        </ListAndDetail>
      )}
      <EditDialog />
      <SetUpAgentDialog />
      <NewRunDialog projects={projects} />
    </>
  )
}

const OpenFolder = () => (
  <Button
    label="Open a folder…"
    icon={FolderOpen}
    look="primary"
    shortcut={shortcutOf('project.open')}
    onClick={() => perform('project.open')}
  />
)

const NoProjects = ({ formats }: ComponentProps<typeof Formats>) => (
  <EmptyState
    picture={{ light, dark }}
    title="No project is open"
    action={
      <div className="projects-buttons">
        <OpenFolder />
        <Button
          label="Open the sample project"
          icon={BookOpen}
          tip="A copy with runs of all formats, frozen in the middle of their work. Change it as you like."
          onClick={() => perform('project.sample')}
        />
      </div>
    }
  >
    <p>
      Open a folder, or drop one on the window. Bridgedeck finds the runs of agents by the state files they keep, and
      shows each change. Supported formats:
    </p>
    <Formats formats={formats} />
    <p>Bridgedeck runs nothing in a folder until you trust it, not even git.</p>
  </EmptyState>
)

const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
