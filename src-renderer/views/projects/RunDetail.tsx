import { formatInfo } from '@shared/formats/formats'
import { type ReactNode } from 'react'
import type { Output } from '@shared/contract/contract'
import type { Project, Run } from '@shared/contract/orchestration'
import { call } from '../../client/call'
import { useAnswer } from '../../client/useAnswer'
import { oneOf, useViewState } from '../../client/viewState'
import { attempt } from '../../client/messages'
import { shortcutOf } from '../../client/shortcuts'
import { Button } from '../../widgets/Button'
import { Segments } from '../../widgets/Segments'
import { visibleText } from '../../widgets/visibleText'
import { DetailsPanel } from './details/DetailsPanel'
import { act, answerNeed, openPreview } from './edit/editing'
import { EditList } from './edit/EditList'
import { NeedText } from './NeedText'
import { History } from './History'
import { Journal } from './Journal'
import { useLoopOf } from './loops'
import { PlanPanel } from './plan/PlanPanel'
import { RunControls } from './RunControls'
import { StateLabel } from './StateLabel'
import { Source } from './Source'
import { showSource, useProjects } from './store'
import {
  agoText,
  claimOf,
  clockText,
  meterText,
  meterTone,
  phaseText,
  processText,
  runTitle,
  shareOf,
  silenceOf,
  stateMeaning,
  writtenText,
} from './labels'

const parts = [
  'plan',
  'details',
  'needs',
  'meters',
  'errors',
  'artefacts',
  'findings',
  'edits',
  'journal',
  'files',
] as const
type Part = (typeof parts)[number]
const readPart = oneOf<Part>(...parts)
const titles: Readonly<Record<Part, string>> = {
  plan: 'Plan',
  details: 'Details',
  needs: 'Needs you',
  meters: 'Meters',
  errors: 'Errors',
  artefacts: 'Artefacts',
  findings: 'Findings',
  edits: 'Edits',
  journal: 'Journal',
  files: 'Files',
}

type Lists = Output<'projects.run'>

interface RunDetailProps {
  readonly project: Project
  readonly run: Run
  readonly now: number
}

/** One run: what its files say, what is behind each value, what is doubtful, and what can be done. */
export function RunDetail({ project: whole, run: live, now }: RunDetailProps) {
  const { project } = whole
  const at = useProjects((state) => state.at)
  const [part, setPart] = useViewState('projects.part', readPart)
  const { lists, problem } = useRun(project, live, at)
  const run = at === null ? live : (lists?.run ?? live)
  const counts: Partial<Record<Part, number>> = {
    needs: run.needCount,
    findings: run.findings.error + run.findings.warning + run.findings.info,
    ...(lists
      ? {
          meters: lists.meters.length,
          errors: lists.errors.length,
          artefacts: lists.artefacts.length,
          files: lists.files.length,
        }
      : {}),
  }
  const loop = useLoopOf(project, run)
  const silence = at === null ? silenceOf(run, loop, now) : null
  const newest = lists?.files.find(({ writtenAt }) => writtenAt === run.writtenAt)
  return (
    <>
      <h2 className="projects-title">
        {visibleText(runTitle(run))} <StateLabel {...claimOf(run, loop, now)} meaning={stateMeaning(run)} />
        {run.archived || at !== null ? null : (
          <Button
            label="Act…"
            shortcut={shortcutOf('project.act')}
            onClick={() => act({ project, run: run.key }, runTitle(run), null)}
          />
        )}
      </h2>
      {run.stale === null ? null : (
        <p className="problem" role="alert">
          This is the last valid version, from before {clockText(run.stale.since)}. {visibleText(run.stale.message)}
        </p>
      )}
      {silence === null ? null : (
        <p className="warn-text" role="status">
          The files say {visibleText(run.state.written ?? run.state.value ?? '')}, but nothing was written for {silence}
          : the agent may be gone or busy. {newest ? <Source project={project} source={{ file: newest.file }} /> : null}
        </p>
      )}
      {at === null ? <RunControls project={whole} run={run} now={now} /> : null}
      <dl className="projects-facts">
        <Fact title="Format">
          {formatInfo[run.system].title}
          {run.archived ? ', archived' : ''}
          <span className="muted">. {formatInfo[run.system].meaning}</span>
        </Fact>
        <Fact title="State">
          {run.state.value ?? 'unknown'}
          <span className="muted">: {stateMeaning(run)}</span> <Source project={project} source={run.state.source} />
          {run.state.written === undefined || run.state.written === run.state.value ? null : (
            <span className="muted"> in the file: {visibleText(run.state.written)}</span>
          )}
        </Fact>
        {run.reason.value === null ? null : (
          <Fact title="Why">
            {visibleText(run.reason.value)} <Source project={project} source={run.reason.source} />
          </Fact>
        )}
        {run.currentPhase.value === null ? null : (
          <Fact title="Phase">
            {visibleText(run.currentPhase.value)} <Source project={project} source={run.currentPhase.source} />
          </Fact>
        )}
        <Fact title="Fresh">
          {writtenText(run.writtenAt, now)}
          {run.updatedAt.value === null ? '' : `; updated ${agoText(run.updatedAt.value, now)} `}
          {run.updatedAt.value === null ? null : <Source project={project} source={run.updatedAt.source} />}
        </Fact>
        <Fact title="Process">{processText(loop, now)}</Fact>
      </dl>
      <History project={project} run={live} />
      <Segments
        label="Part of the run"
        value={part}
        options={parts.map((value) => ({
          value,
          label: counts[value] === undefined ? titles[value] : `${titles[value]} ${counts[value]}`,
        }))}
        onChange={setPart}
      />
      {problem === null ? null : <p className="problem">{problem}</p>}
      {part === 'edits' ? (
        <EditList project={project} run={run.key} now={now} />
      ) : part === 'journal' ? (
        <Journal project={project} run={run.key} version={run.revision} now={now} />
      ) : part === 'plan' ? (
        <PlanPanel project={project} run={run} />
      ) : part === 'details' ? (
        <DetailsPanel project={project} run={run} />
      ) : (
        lists && <List part={part} project={project} run={run.key} lists={lists} now={now} />
      )}
    </>
  )
}

const Fact = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <div>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </div>
)

/** Read again with each change of the run; what was read stays until then. */
function useRun(
  project: number,
  { key, revision }: Run,
  at: number | null,
): { lists: Lists | null; problem: string | null } {
  const { data, failure } = useAnswer(
    `${project} ${key}`,
    true,
    (signal) => call('projects.run', { project, run: key, ...(at === null ? {} : { at }) }, { signal }),
    `${revision} ${at ?? 'now'}`,
  )
  return { lists: data, problem: failure?.message ?? null }
}

interface ListProps {
  readonly part: Exclude<Part, 'plan' | 'details' | 'journal' | 'edits'>
  readonly project: number
  readonly run: string
  readonly lists: Lists
  readonly now: number
}

const none: Readonly<Record<ListProps['part'], string>> = {
  needs: 'Nothing in this run needs you.',
  meters: 'No meters.',
  errors: 'No errors.',
  artefacts: 'No artefacts.',
  findings: 'No findings: the files follow the format.',
  files: 'No files.',
}

function List({ part, project, run, lists, now }: ListProps) {
  const isNow = useProjects(({ at }) => at === null)
  if (lists[part].length === 0) return <p className="muted">{none[part]}</p>
  const more = lists.more[part]
  return (
    <>
      <ul className={`projects-items ${part}`}>
        {part === 'needs'
          ? lists.needs.map((need, index) => {
              const { kind, title, options, source, since, unblocks } = need
              return (
                <li key={index}>
                  <h3>
                    {visibleText(title)}{' '}
                    {isNow ? <Button label="Answer…" onClick={() => answerNeed({ project, run }, need)} /> : null}
                  </h3>
                  <p className="muted">
                    {kind}, {since.value === null ? 'age unknown' : agoText(since.value, now)};{' '}
                    {unblocks.length === 0
                      ? 'blocks the whole run'
                      : `unblocks ${unblocks.map(visibleText).join(', ')}`}{' '}
                    <Source project={project} source={source} />
                  </p>
                  <NeedText need={need} />
                  {options.length === 0 ? null : (
                    <ol>
                      {options.map((option, at) => (
                        <li key={at}>{visibleText(option)}</li>
                      ))}
                    </ol>
                  )}
                </li>
              )
            })
          : part === 'meters'
            ? lists.meters.map((meter, index) => {
                const share = shareOf(meter)
                const tone = meterTone(share)
                return (
                  <li key={index} className="projects-meter">
                    <span>{visibleText(meter.name)}</span>
                    {share === null ? (
                      <span />
                    ) : (
                      <meter
                        min={0}
                        max={1}
                        low={0.8}
                        high={0.999}
                        optimum={0}
                        value={Math.min(1, share)}
                        aria-label={visibleText(meter.name)}
                      />
                    )}
                    <span>
                      <span className="data">{visibleText(meterText(meter))}</span>
                      {share === null ? null : (
                        <span className={tone === 'bad' ? 'bad-text' : tone === 'warn' ? 'warn-text' : 'muted'}>
                          {` · ${Math.round(share * 100)} %${share >= 1 ? ', at its limit' : share >= 0.8 ? ', near its limit' : ''}`}
                        </span>
                      )}
                    </span>
                    <Source project={project} source={meter.used.source ?? meter.limit.source} />
                  </li>
                )
              })
            : part === 'errors'
              ? lists.errors.map(({ message, at, time, resolved }, index) => (
                  <li key={index}>
                    <p>
                      <span className={resolved === true ? 'muted' : 'bad-text'}>
                        {resolved === true ? 'resolved' : resolved === false ? 'open' : 'error'}
                      </span>
                      {at === null ? '' : ` at ${visibleText(phaseText(at))}`}
                      {time.value === null ? '' : `, ${agoText(time.value, now)}`}{' '}
                      <Source project={project} source={message.source} />
                    </p>
                    <pre className="projects-text">
                      {message.value === null ? 'unknown' : visibleText(message.value)}
                    </pre>
                  </li>
                ))
              : part === 'artefacts'
                ? lists.artefacts.map(({ kind, path, exists, source }, index) => (
                    <li key={index}>
                      <span className="data">{visibleText(path)}</span>{' '}
                      <span className="muted">{visibleText(kind)}, </span>
                      {exists === null ? (
                        <span className="muted">not checked</span>
                      ) : exists ? (
                        <span className="muted">exists</span>
                      ) : (
                        <span className="bad-text">missing</span>
                      )}{' '}
                      {exists === true ? <Source project={project} source={{ file: path, line: 1 }} /> : null}
                      {source.file === path ? null : (
                        <>
                          <span className="muted">{exists === true ? ' named in ' : 'named in '}</span>
                          <Source project={project} source={source} />
                        </>
                      )}
                    </li>
                  ))
                : part === 'findings'
                  ? lists.findings.map(({ file, line, column, rule, severity, found, expected, repair }, index) => (
                      <li key={index}>
                        <span
                          className={severity === 'error' ? 'bad-text' : severity === 'warning' ? 'warn-text' : 'muted'}
                        >
                          {severity}
                        </span>{' '}
                        <span className="data">{rule}</span>{' '}
                        <button
                          type="button"
                          className="source data"
                          title={`Show in ${file}`}
                          onClick={() => showSource(project, { file, line })}
                        >
                          {visibleText(`${file}:${line}:${column}`)}
                        </button>
                        <p>
                          found {visibleText(found)}; expected {visibleText(expected)}
                        </p>
                        {repair === null || !isNow ? null : (
                          <Button
                            label={`Repair: ${visibleText(repair)}…`}
                            onClick={() =>
                              attempt(() =>
                                openPreview({ project, run }, { kind: 'repair', rule, file, line, column }, null),
                              )
                            }
                          />
                        )}
                      </li>
                    ))
                  : lists.files.map(({ file, writtenAt }) => (
                      <li key={file} className="projects-file-row">
                        <button
                          type="button"
                          className="source data"
                          title={`Show in ${file}`}
                          onClick={() => showSource(project, { file, line: 1 })}
                        >
                          {visibleText(file)}
                        </button>
                        <span className="muted">{writtenText(writtenAt, now)}</span>
                      </li>
                    ))}
      </ul>
      {more === 0 ? null : <p className="muted">And {more.toLocaleString('en')} more in the files.</p>}
    </>
  )
}
