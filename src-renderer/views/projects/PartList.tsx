import type { ReactNode } from 'react'
import type { Output } from '@shared/contract/contract'
import { attempt } from '../../client/messages'
import { Button } from '../../widgets/Button'
import { visibleText } from '../../widgets/visibleText'
import { answerNeed, openPreview } from './edit/editing'
import { agoText, meterText, meterTone, phaseText, shareOf, writtenText } from './labels'
import { Section } from './details/parts'
import { LinkedText } from './links/LinkedText'
import { NeedText } from './NeedText'
import { ProjectFile } from './ProjectFile'
import { FileLink, Source } from './Source'
import { useProjects } from './store'

export type Lists = Output<'projects.run'>
type ListedPart = Exclude<keyof Lists & keyof Lists['more'], 'loop'>
type Item<Part extends ListedPart> = Lists[Part][number]

interface OfRun {
  readonly project: number
  readonly run: string
  readonly now: number
  readonly isNow: boolean
}

interface PartListProps extends Omit<OfRun, 'isNow'> {
  readonly part: ListedPart
  readonly title?: string
  readonly lists: Lists
}

const titles: Readonly<Record<ListedPart, string>> = {
  needs: 'Needs you',
  meters: 'Meters',
  errors: 'Errors',
  artefacts: 'Artefacts',
  findings: 'Findings',
  files: 'Files',
}

const none: Readonly<Record<ListedPart, string>> = {
  needs: 'Nothing in this run needs you.',
  meters: 'No meters.',
  errors: 'No errors.',
  artefacts: 'No artefacts.',
  findings: 'No findings: the files follow the format.',
  files: 'No files.',
}

export function PartList({ part, title = titles[part], project, run, lists, now }: PartListProps) {
  const isNow = useProjects(({ at }) => at === null)
  const more = lists.more[part]
  return (
    <Section title={title} count={lists[part].length + more} none={none[part]}>
      <ul className={`projects-items ${part}`}>{itemsOf(part, lists, { project, run, now, isNow })}</ul>
      {more === 0 ? null : <p className="muted">And {more.toLocaleString('en')} more in the files.</p>}
    </Section>
  )
}

function itemsOf(part: ListedPart, lists: Lists, of: OfRun): ReactNode {
  switch (part) {
    case 'needs':
      return lists.needs.map((need, index) => <NeedItem key={index} need={need} of={of} />)
    case 'meters':
      return lists.meters.map((meter, index) => <MeterItem key={index} meter={meter} of={of} />)
    case 'errors':
      return lists.errors.map((error, index) => <ErrorItem key={index} error={error} of={of} />)
    case 'artefacts':
      return lists.artefacts.map((artefact, index) => <ArtefactItem key={index} artefact={artefact} of={of} />)
    case 'findings':
      return lists.findings.map((finding, index) => <FindingItem key={index} finding={finding} of={of} />)
    case 'files':
      return lists.files.map((file) => <FileItem key={file.file} file={file} of={of} />)
  }
}

function NeedItem({ need, of: { project, run, now, isNow } }: { readonly need: Item<'needs'>; readonly of: OfRun }) {
  const { kind, title, options, source, since, unblocks } = need
  return (
    <li>
      <h3>
        {visibleText(title)}{' '}
        {isNow ? <Button label="Answer…" onClick={() => answerNeed({ project, run }, need)} /> : null}
      </h3>
      <p className="muted">
        {kind}, {since.value === null ? 'age unknown' : agoText(since.value, now)};{' '}
        {unblocks.length === 0 ? 'blocks the whole run' : `unblocks ${unblocks.map(visibleText).join(', ')}`}{' '}
        <Source project={project} source={source} />
      </p>
      <NeedText need={need} of={{ project, run }} />
      {options.length === 0 ? null : (
        <ol>
          {options.map((option, at) => (
            <li key={at}>{visibleText(option)}</li>
          ))}
        </ol>
      )}
    </li>
  )
}

const meterClasses = { bad: 'bad-text', warn: 'warn-text' } as const

function MeterItem({ meter, of: { project } }: { readonly meter: Item<'meters'>; readonly of: OfRun }) {
  const share = shareOf(meter)
  const tone = meterTone(share)
  const name = visibleText(meter.name)
  return (
    <li className="projects-meter">
      <span>{name}</span>
      {share === null ? (
        <span />
      ) : (
        <meter min={0} max={1} low={0.8} high={0.999} optimum={0} value={Math.min(1, share)} aria-label={name} />
      )}
      <span>
        <span className="data">{visibleText(meterText(meter))}</span>
        {share === null ? null : (
          <span className={tone === 'bad' || tone === 'warn' ? meterClasses[tone] : 'muted'}>
            {` · ${Math.round(share * 100)} %${share >= 1 ? ', at its limit' : share >= 0.8 ? ', near its limit' : ''}`}
          </span>
        )}
      </span>
      <Source project={project} source={meter.used.source ?? meter.limit.source} />
    </li>
  )
}

function ErrorItem({ error, of: { project, run, now } }: { readonly error: Item<'errors'>; readonly of: OfRun }) {
  const { message, at, time, resolved } = error
  return (
    <li>
      <p>
        <span className={resolved === true ? 'muted' : 'bad-text'}>
          {resolved === true ? 'resolved' : resolved === false ? 'open' : 'error'}
        </span>
        {at === null ? '' : ` at ${visibleText(phaseText(at))}`}
        {time.value === null ? '' : `, ${agoText(time.value, now)}`}{' '}
        <Source project={project} source={message.source} />
      </p>
      <pre className="projects-text">
        {message.value === null ? 'unknown' : <LinkedText {...{ project, run }} text={message.value} />}
      </pre>
    </li>
  )
}

function ArtefactItem({ artefact, of: { project } }: { readonly artefact: Item<'artefacts'>; readonly of: OfRun }) {
  const { kind, path, exists, source } = artefact
  return (
    <li>
      {exists === true ? (
        <ProjectFile project={project} file={path}>
          <FileLink project={project} source={{ file: path, line: 1 }} text={path} />
        </ProjectFile>
      ) : (
        <span className="data">{visibleText(path)}</span>
      )}{' '}
      <span className="muted">{visibleText(kind)}, </span>
      {exists === false ? (
        <span className="bad-text">missing</span>
      ) : (
        <span className="muted">{exists === null ? 'not checked' : 'exists'}</span>
      )}{' '}
      {source.file === path ? null : (
        <>
          <span className="muted">named in </span>
          <Source project={project} source={source} />
        </>
      )}
    </li>
  )
}

const severityClasses: Readonly<Record<Item<'findings'>['severity'], string>> = {
  error: 'bad-text',
  warning: 'warn-text',
  info: 'muted',
}

function FindingItem({ finding, of }: { readonly finding: Item<'findings'>; readonly of: OfRun }) {
  const { file, line, column, rule, severity, found, expected, repair } = finding
  const { project, run, isNow } = of
  return (
    <li>
      <span className={severityClasses[severity]}>{severity}</span> <span className="data">{rule}</span>{' '}
      <FileLink project={project} source={{ file, line }} text={`${file}:${line}:${column}`} />
      <p>
        found <LinkedText {...{ project, run }} text={found} />; expected{' '}
        <LinkedText {...{ project, run }} text={expected} />
      </p>
      {repair === null || !isNow ? null : (
        <Button
          label={`Repair: ${visibleText(repair)}…`}
          onClick={() =>
            attempt(() => openPreview({ project, run }, { kind: 'repair', rule, file, line, column }, null))
          }
        />
      )}
    </li>
  )
}

function FileItem({
  file: { file, writtenAt },
  of: { project, now },
}: {
  readonly file: Item<'files'>
  readonly of: OfRun
}) {
  return (
    <li className="projects-file-row">
      <ProjectFile project={project} file={file}>
        <FileLink project={project} source={{ file, line: 1 }} text={file} />
      </ProjectFile>
      <span className="muted">{writtenText(writtenAt, now)}</span>
    </li>
  )
}
