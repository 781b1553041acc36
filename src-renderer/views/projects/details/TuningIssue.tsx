import { useState } from 'react'
import type { ValueSource } from '@shared/contract/orchestration'
import type { DetailsOf } from '@shared/contract/runDetails'
import { visibleText } from '../../../widgets/visibleText'
import { LinesAround } from '../LinesAround'
import { Entry, FactLine, Facts, TextList } from './parts'

type Tuning = DetailsOf<'tuning'>
type Issue = Tuning['issues'][number]

const EVIDENCE_LINES_AROUND = 3

const severityTone = (severity: string | null): string =>
  severity === 'critical' || severity === 'high' ? 'bad-text' : severity === 'medium' ? 'warn-text' : 'muted'

/** Relative to the opened project. */
const folderOf = (workDir: string): string => workDir.replace(/(?:^|\/)(?:\.workflow\/\.scratchpad\/)?[^/]+$/, '')

function placeOf({ workDir, skill }: Tuning, { files, lineStart }: Issue): ValueSource | null {
  const [file, ...others] = files.flatMap(({ value }) => value ?? [])
  if (skill.path.value === null || file === undefined || others.length > 0 || /[*?]/.test(file)) return null
  const parts = [folderOf(workDir), skill.path.value, file].filter((part) => part !== '' && part !== '.')
  return { file: parts.join('/'), ...(lineStart.value === null ? {} : { line: lineStart.value }) }
}

export function TuningIssue({
  project,
  details,
  issue,
  version,
}: {
  readonly project: number
  readonly details: Tuning
  readonly issue: Issue
  readonly version: number
}) {
  const {
    id,
    type,
    severity,
    confidence,
    files,
    lineStart,
    phase,
    description,
    evidence,
    rootCause,
    impact,
    suggestedFix,
    related,
  } = issue
  const [isOpen, setOpen] = useState(false)
  const isUnsure = confidence.value === 'low'
  const place = placeOf(details, issue)
  return (
    <Entry
      project={project}
      onToggle={setOpen}
      source={id.source ?? description.source}
      summary={
        <>
          <span className="data">{visibleText(id.value ?? 'no id')}</span>{' '}
          <span className={isUnsure ? 'muted' : severityTone(severity.value)}>
            {visibleText(severity.value ?? 'unknown')}
          </span>{' '}
          {isUnsure ? <span className="muted">(low confidence)</span> : null}{' '}
          {visibleText(description.value ?? type.value ?? '')}{' '}
          <span className="muted data">
            {visibleText(files[0]?.value ?? '')}
            {lineStart.value === null ? '' : `:${lineStart.value}`}
          </span>
        </>
      }
    >
      {isOpen && place ? (
        <LinesAround
          project={project}
          revision={version}
          source={place}
          linesAround={EVIDENCE_LINES_AROUND}
          label={`Evidence of ${id.value ?? 'the issue'}`}
        />
      ) : null}
      {isUnsure ? (
        <p className="muted">This may be no fault. The score and the gate leave it out, and no fix is generated.</p>
      ) : null}
      <Facts>
        <FactLine project={project} title="Type" fact={type} />
        <TextList project={project} title="Where" facts={files} />
        <FactLine project={project} title="Line" fact={lineStart} />
        <FactLine project={project} title="Phase" fact={phase} />
        <TextList project={project} title="Evidence" facts={evidence} />
        <FactLine project={project} title="Cause" fact={rootCause} />
        <FactLine project={project} title="Impact" fact={impact} />
        <FactLine project={project} title="Advice" fact={suggestedFix} />
        <TextList project={project} title="Related" facts={related} />
      </Facts>
    </Entry>
  )
}
