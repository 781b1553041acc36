import { CircleAlert, CircleX, Copy, FileCode2, FileText, MessageCircleQuestionMark, X } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { attentionOf, runMark, type Attention } from '@shared/report/attention'
import { collectReport } from '@shared/report/collectReport'
import { costText } from '@shared/report/amounts'
import { htmlReport, printReport } from '@shared/report/printReport'
import type { Report, RunReport } from '@shared/report/report'
import { attentionPlace, attentionText, changesText, tokensText, totalText } from '@shared/report/reportDocument'
import { counted } from '@shared/countedText'
import { durationText } from '@shared/durationText'
import { localTime } from '@shared/localTime'
import { showAgentRun } from '../../../client/agents/agentChoice'
import { call } from '../../../client/call'
import { attempt, notify } from '../../../client/messages'
import { notifySaved } from '../../../client/savedFile'
import { useAnswer } from '../../../client/useAnswer'
import { Button } from '../../../widgets/Button'
import { Segments } from '../../../widgets/Segments'
import { visibleText } from '../../../widgets/visibleText'
import { CommitEntry } from '../commits/CommitEntry'
import { showNeed } from '../inbox/showNeed'
import { showRun, useProjects } from '../store'
import { lastLeft } from './absence'
import { hideReport } from './reportStore'
import { markSeen, useSeen } from './seen'
import './report.css'

const HOUR_MS = 3_600_000

const hours = { '8': '8 hours', '24': '24 hours', '168': '7 days' } as const
type Span = 'left' | keyof typeof hours

export function SinceYouLeft({ now }: { readonly now: number }) {
  const left = lastLeft()
  const [span, setSpan] = useState<Span>(left === null ? '24' : 'left')
  const { projects, runs } = useProjects()
  const states = [...(projects?.values() ?? [])].map(({ state }) => state)
  const { data: report, failure } = useAnswer(
    span,
    true,
    (signal) => reportSince(span === 'left' ? left : null, span, signal),
    `${states.join()} ${[...runs.values()].reduce((sum, { run }) => sum + run.revision, 0)}`,
  )
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus({ preventScroll: true }), [])
  const why = report === null ? 'Not read yet.' : null
  return (
    <section
      className="report-page"
      aria-label="Since you left"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) hideReport()
      }}
    >
      <div className="report-head">
        <h2 ref={title} tabIndex={-1}>
          Since you left
        </h2>
        <Segments
          label="Of the last"
          value={span}
          options={[
            ...(left === null ? [] : [{ value: 'left' as const, label: localTime(left) }]),
            ...(['8', '24', '168'] as const).map((value) => ({ value, label: hours[value] })),
          ]}
          onChange={setSpan}
        />
        <span className="report-buttons">
          <Button
            label="Copy as Markdown"
            icon={Copy}
            why={why}
            onClick={() => {
              if (report) attempt(() => copy(report))
            }}
          />
          <Button
            label="Save Markdown…"
            icon={FileText}
            why={why}
            onClick={() => {
              if (report) attempt(() => save(report, 'markdown'))
            }}
          />
          <Button
            label="Save HTML…"
            icon={FileCode2}
            why={why}
            onClick={() => {
              if (report) attempt(() => save(report, 'html'))
            }}
          />
          <Button label="Close" icon={X} shortcut="Esc" onClick={hideReport} />
        </span>
      </div>
      <div className="report-body scroll-pane" role="region" aria-label="Report" tabIndex={0}>
        {report === null ? (
          <p className={failure === null ? 'muted' : 'problem'} role="status">
            {failure?.message ?? 'Reading what agents did…'}
          </p>
        ) : (
          <ReportBody report={report} now={now} />
        )}
      </div>
    </section>
  )
}

function ReportBody({ report, now }: { readonly report: Report; readonly now: number }) {
  const isSeen = useSeen()
  const attention = attentionOf(report)
  const runs = report.projects.flatMap(({ project, name, runs }) =>
    runs.map((run) => ({ project, projectName: name, run })),
  )
  const done = runs.filter(({ run }) => run.turns > 0)
  const ids = [...attention.map(({ id }) => id), ...done.map(runMark)]
  const fresh = ids.filter((id) => !isSeen(id))
  if (ids.length === 0)
    return (
      <p className="report-empty">
        Nothing happened since {localTime(report.since)}.{' '}
        <span className="muted">Runs of agents, questions and failures of the open projects show here.</span>
      </p>
    )
  return (
    <>
      <p className="report-total">
        {totalText(
          runs.map(({ run }) => run),
          attention,
        )}
        .{report.otherTurns === 0 ? '' : ` ${counted(report.otherTurns, 'agent run')} of no open run.`}{' '}
        <span className="muted" role="status">
          {fresh.length === 0 ? 'All seen.' : `${fresh.length} new.`}
        </span>{' '}
        <Button label="Mark all as seen" why={fresh.length === 0 ? 'All seen.' : null} onClick={() => markSeen(ids)} />
      </p>
      <h3>Failures and questions</h3>
      {attention.length === 0 ? <p className="muted">None.</p> : null}
      <ul className="report-items" aria-label="Failures and questions">
        {attention.map((item) => (
          <AttentionRow key={item.id} item={item} isSeen={isSeen(item.id)} />
        ))}
      </ul>
      <h3>What was done</h3>
      {done.length === 0 ? <p className="muted">No agent had a turn.</p> : null}
      {done.map((of) => (
        <RunCard key={runMark(of)} of={of} isSeen={isSeen(runMark(of))} now={now} />
      ))}
    </>
  )
}

const NewMark = ({ isSeen }: { readonly isSeen: boolean }) => (
  <span className={isSeen ? 'report-mark muted' : 'report-mark is-new'}>{isSeen ? 'seen' : 'new'}</span>
)

function AttentionRow({ item, isSeen }: { readonly item: Attention; readonly isSeen: boolean }) {
  const isFailed = item.kind !== 'need' || item.need.kind === 'failure'
  const Icon = item.kind === 'need' ? (isFailed ? CircleAlert : MessageCircleQuestionMark) : CircleX
  return (
    <li className={isSeen ? 'is-seen' : undefined}>
      <Icon
        className={isFailed ? 'bad-text' : 'warn-text'}
        size={16}
        strokeWidth={1.75}
        role="img"
        aria-label={item.kind === 'need' ? item.need.kind : 'failure'}
      />
      <span className="report-what">
        <span>{visibleText(attentionText(item))}</span>
        <span className="muted">
          {visibleText(attentionPlace(item))}
          {timeOf(item)}
        </span>
      </span>
      <NewMark isSeen={isSeen} />
      <span className="report-links">{linksOf(item)}</span>
    </li>
  )
}

function timeOf(item: Attention): string {
  const time = item.kind === 'start' ? item.start.at : item.kind === 'turn' ? item.turn.endedAt : null
  return time === null ? '' : ` · ${localTime(time)}`
}

function linksOf(item: Attention): ReactNode {
  const { project, id } = item
  const open = (show: () => Promise<void>) => () => {
    markSeen([id])
    attempt(show)
  }
  if (item.kind === 'start')
    return project === null ? null : (
      <Button label="Show project" onClick={open(() => showRun({ project, run: null }))} />
    )
  const { key } = item.run
  const ofRun = project === null || key === null ? null : { project, run: key }
  if (item.kind === 'turn')
    return (
      <>
        <Button label="Show log" onClick={open(() => showAgentRun(item.turn.run))} />
        {ofRun === null ? null : <Button label="Show run" onClick={open(() => showRun(ofRun))} />}
      </>
    )
  if (ofRun === null) return null
  return (
    <Button
      label={item.need.kind === 'question' ? 'Open question' : 'Open'}
      look="primary"
      onClick={open(() => showNeed(ofRun.project, ofRun.run, item.need.source))}
    />
  )
}

interface RunCardProps {
  readonly of: { readonly project: number | null; readonly projectName: string; readonly run: RunReport }
  readonly isSeen: boolean
  readonly now: number
}

function RunCard({ of, isSeen, now }: RunCardProps) {
  const { project, projectName, run } = of
  const { key, changes } = run
  const place = project === null || key === null ? null : { project, run: key }
  const see = () => markSeen([runMark(of)])
  return (
    <article className={isSeen ? 'report-run is-seen' : 'report-run'} aria-label={visibleText(run.title)}>
      <h4>
        <span>{visibleText(run.title)}</span>
        <span className="muted">
          {visibleText(projectName)} · {run.system}, {run.isGone ? 'no longer there' : (run.state ?? 'unknown')}
        </span>
        <NewMark isSeen={isSeen} />
        <span className="report-links">
          {place === null ? null : (
            <Button
              label="Show run"
              onClick={() => {
                see()
                attempt(() => showRun(place))
              }}
            />
          )}
        </span>
      </h4>
      <dl className="report-facts">
        {factsOf(run).map(([title, text]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{visibleText(text)}</dd>
          </div>
        ))}
      </dl>
      {place === null || changes === null ? null : (
        <div>
          {changes.commits.map((commit) => (
            <CommitEntry key={commit.commit} {...place} commit={commit} now={now} onOpen={see} />
          ))}
        </div>
      )}
    </article>
  )
}

function factsOf(run: RunReport): [title: string, text: string][] {
  const { turns, failures, worked, tasks, checks, changes } = run
  const failed = Object.entries(failures).map(([status, number]) => `${number} ${status}`)
  return [
    ['Turns', `${turns}${failed.length === 0 ? '' : ` (${failed.join(', ')})`}`],
    ['Cost', costText(run)],
    ['Time', durationText(worked)],
    ...(tasks.total === 0 ? [] : [['Tasks', `${tasks.done} of ${tasks.total} done`] satisfies [string, string]]),
    ...(checks.passed + checks.failed === 0
      ? []
      : [['Checks', `${checks.passed} passed, ${checks.failed} failed`] satisfies [string, string]]),
    ['Tokens', tokensText(run)],
    ['Commits', changes === null ? 'unknown' : changesText(changes)],
  ]
}

async function copy(report: Report): Promise<void> {
  await call('window.copyText', { text: printReport(report) })
  notify('Copied the report.')
}

async function save(report: Report, format: 'markdown' | 'html'): Promise<void> {
  const { saved } = await call('window.saveText', {
    text: format === 'html' ? htmlReport(report) : `${printReport(report)}\n`,
    name: `report-${localTime(report.until).slice(0, 10)}.${format === 'html' ? 'html' : 'md'}`,
    format,
  })
  notifySaved(saved)
}

async function reportSince(left: number | null, span: Span, signal: AbortSignal): Promise<Report> {
  const until = Date.now()
  return collectReport({
    since: left ?? until - (span === 'left' ? 24 : Number(span)) * HOUR_MS,
    until,
    ask: (name, input) => call(name, input, { signal }),
    inOpen: async (project, work) => (project.state === 'open' ? work() : []),
  })
}
