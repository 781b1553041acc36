import type { DetailsOf } from '@shared/contract/runDetails'
import { visibleText } from '../../../../widgets/visibleText'
import { Source } from '../../Source'
import { StateLabel } from '../../StateLabel'
import { verificationText } from '../../verificationText'
import type { Tone } from '../../labels'
import {
  Entry,
  FactLine,
  Facts,
  FileText,
  lengthText,
  numberText,
  Section,
  Table,
  TextList,
  timeText,
  type PanelProps,
} from '../parts'
import { DiffText, madeDiff } from '../DiffText'
import { formatPanel } from '../formatPanel'
import { TuningIssue } from '../TuningIssue'

type Tuning = DetailsOf<'tuning'>
type Diagnosis = Tuning['diagnoses'][number]
type Issue = Tuning['issues'][number]
type Fix = Tuning['fixes'][number]

const severities = ['critical', 'high', 'medium', 'low'] as const

const diagnosisTones: Readonly<Record<Diagnosis['state'], Tone>> = {
  open: 'warn',
  done: 'ok',
  skipped: 'muted',
  failed: 'bad',
  unknown: 'warn',
}

const riskTone = (risk: string): string => (risk === 'high' ? 'bad-text' : risk === 'medium' ? 'warn-text' : 'muted')

function TuningPanel({ project, details, version }: PanelProps<Tuning>) {
  const { workDir, reports, diagnoses, issues, fixes, left, score } = details
  return (
    <>
      <Summary project={project} details={details} />
      <Score project={project} score={score} issues={details.issuesBySeverity} />
      <Rounds rounds={details.rounds} />
      {reports.length === 0 ? null : (
        <Section title="Reports" count={reports.length}>
          {reports.map((file) => (
            <FileText
              key={file}
              project={project}
              file={file}
              version={version}
              title={file.slice(workDir.length + 1)}
              isMarkdown
            />
          ))}
        </Section>
      )}
      <Section title="Diagnoses" count={diagnoses.length} none="No diagnoses planned.">
        {diagnoses.map((diagnosis) => (
          <DiagnosisEntry key={diagnosis.area} project={project} diagnosis={diagnosis} />
        ))}
      </Section>
      <Section title="Issues" count={issues.length} none="No issues found.">
        {issueGroups(issues).map((group) => (
          <div key={group.title} className="details-group">
            <h4>
              {group.title} <span className="muted">{group.issues.length}</span>
            </h4>
            {group.issues.map((issue) => (
              <TuningIssue key={issue.key} project={project} details={details} issue={issue} version={version} />
            ))}
          </div>
        ))}
      </Section>
      <Section title="Fixes" count={fixes.length} none="No fixes proposed.">
        {fixes.map((fix) => (
          <FixEntry key={fix.key} project={project} fix={fix} />
        ))}
      </Section>
      {left.length === 0 ? null : (
        <Section title="Issues without a fix" count={left.length}>
          {left.map(({ issue, because }, at) => (
            <p key={at}>
              <span className="data">{visibleText(issue)}</span>{' '}
              <span className="muted">left to a person or an agent because {visibleText(because)}</span>
            </p>
          ))}
        </Section>
      )}
      <Actions project={project} details={details} />
    </>
  )
}

interface OfRunProps {
  readonly project: number
  readonly details: Tuning
}

function Summary({ project, details }: OfRunProps) {
  const { skill, problem, focus, currentAction, backupDir, analysis, requirements } = details
  return (
    <Facts>
      <FactLine project={project} title="Skill" fact={skill.name} />
      <FactLine project={project} title="Folder" fact={skill.path} />
      <FactLine project={project} title="Problem" fact={problem} />
      <TextList project={project} title="Focus" facts={focus} />
      <FactLine project={project} title="Now" fact={currentAction} />
      <FactLine project={project} title="Backup" fact={backupDir} />
      <FactLine project={project} title="Analysis" fact={analysis.type} />
      <FactLine project={project} title="" fact={analysis.status} />
      <FactLine project={project} title="Error" fact={analysis.error} />
      <FactLine project={project} title="Demands" fact={requirements.status} />
      <TextList project={project} title="Unclear" facts={requirements.unclear} />
    </Facts>
  )
}

function issueGroups(issues: readonly Issue[]): { readonly title: string; readonly issues: readonly Issue[] }[] {
  const known = severities.map((severity) => ({
    title: severity,
    issues: byFile(issues.filter((issue) => issue.severity.value === severity)),
  }))
  const others = issues.filter(({ severity }) => !severities.some((name) => name === severity.value))
  return [...known, { title: 'of another severity', issues: others }].filter((group) => group.issues.length > 0)
}

const byFile = (issues: readonly Issue[]): Issue[] =>
  issues.toSorted((one, other) => (one.files[0]?.value ?? '').localeCompare(other.files[0]?.value ?? ''))

function Actions({ project, details: { history, completedActions } }: OfRunProps) {
  return (
    <>
      <Section
        title="Actions"
        count={history.length}
        none={completedActions.length === 0 ? 'No actions taken.' : 'Only their names are known.'}
      >
        <Table heads={['Action', 'Started', 'Took', 'Result', 'File']}>
          {history.map(({ action, startedAt, completedAt, result, outputs }, at) => (
            <tr key={at}>
              <th scope="row" className="data">
                {visibleText(action.value ?? 'unknown')}
              </th>
              <td className="data">{startedAt.value === null ? 'unknown' : timeText(startedAt.value)}</td>
              <td className="data">
                {startedAt.value === null || completedAt.value === null
                  ? 'unknown'
                  : lengthText(completedAt.value - startedAt.value)}
              </td>
              <td title={outputs.map(({ value }) => value ?? '').join('\n')}>
                {visibleText(result.value ?? 'unknown')}
              </td>
              <td>
                <Source project={project} source={action.source} />
              </td>
            </tr>
          ))}
        </Table>
      </Section>
      {history.length === 0 ? <TextList project={project} title="Completed" facts={completedActions} /> : null}
    </>
  )
}

function Score({
  project,
  score: { recorded, gate, health, composite },
  issues,
}: {
  readonly project: number
  readonly score: Tuning['score']
  readonly issues: Tuning['issuesBySeverity']
}) {
  const { parts } = composite
  return (
    <Section title="Score">
      <Table heads={['By', 'Score', 'Gate', 'Made of']}>
        <tr>
          <th scope="row">the file</th>
          <td className="data details-number">{numberText(recorded)}</td>
          <td>{visibleText(gate.value ?? 'unknown')}</td>
          <td>
            <Source project={project} source={recorded.source ?? gate.source} />
          </td>
        </tr>
        <tr>
          <th scope="row">the actions’ formula</th>
          <td className="data details-number">{health.score}</td>
          <td>{health.gate}</td>
          <td className="muted">
            100, less 25, 15, 5 and 1 for each issue by severity; not for those of low confidence
          </td>
        </tr>
        <tr>
          <th scope="row">the quality gates’ formula</th>
          <td className="data details-number">{composite.score}</td>
          <td>{composite.gate}</td>
          <td className="muted">
            40 % of {parts.severity} for severity, 30 % of {parts.fixes} for fixes, {parts.coverage} for coverage,{' '}
            {parts.efficiency} for efficiency
          </td>
        </tr>
      </Table>
      <p className="muted">
        Issues, in the list and as the file counts them:{' '}
        {severities
          .map(
            (severity) =>
              `${severity} ${issues.counted[severity]}${issues.recorded[severity].value === null || issues.recorded[severity].value === issues.counted[severity] ? '' : ` (the file says ${numberText(issues.recorded[severity])})`}`,
          )
          .join(', ')}
      </p>
    </Section>
  )
}

function Rounds({ rounds }: { readonly rounds: Tuning['rounds'] }) {
  if (rounds.length === 0) return null
  return (
    <Section title="Rounds" count={rounds.length}>
      <Table heads={['Round', 'Found', '', 'After fixes', '']}>
        {rounds.map(({ found, left }, index) => (
          <tr key={index}>
            <th scope="row" className="data">
              {index + 1}
            </th>
            <ScoreCells name={`Round ${index + 1}, found`} scored={found} />
            {left === null ? (
              <td colSpan={2} className="muted">
                nothing verified
              </td>
            ) : (
              <ScoreCells name={`Round ${index + 1}, after fixes`} scored={left} />
            )}
          </tr>
        ))}
      </Table>
    </Section>
  )
}

function ScoreCells({
  name,
  scored: { score, gate },
}: {
  readonly name: string
  readonly scored: Tuning['rounds'][number]['found']
}) {
  return (
    <>
      <td>
        <meter min={0} max={100} low={40} high={60} optimum={100} value={score} aria-label={name} />
      </td>
      <td className="data">
        {score} {gate}
      </td>
    </>
  )
}

function DiagnosisEntry({
  project,
  diagnosis: {
    area,
    state,
    status,
    severity,
    issuesFound,
    milliseconds,
    patternsChecked,
    patternsMatched,
    evidence,
    recommendations,
  },
}: {
  readonly project: number
  readonly diagnosis: Diagnosis
}) {
  return (
    <Entry
      project={project}
      source={status.source}
      summary={
        <>
          {visibleText(area)} <StateLabel word={state} tone={diagnosisTones[state]} />{' '}
          <span className="muted">
            {issuesFound.value === null ? '' : `${numberText(issuesFound)} issue${issuesFound.value === 1 ? '' : 's'}`}
            {severity.value === null || severity.value === 'none' ? '' : `, the worst ${visibleText(severity.value)}`}
            {milliseconds.value === null ? '' : `, ${lengthText(milliseconds.value)}`}
          </span>
        </>
      }
    >
      <Facts>
        <TextList project={project} title="Looked for" facts={patternsChecked} />
        <TextList project={project} title="Found" facts={patternsMatched} />
        {evidence.length === 0 ? null : (
          <div>
            <dt>Evidence</dt>
            <dd>
              <ul className="details-texts">
                {evidence.map(({ file, line, pattern, context }, at) => (
                  <li key={at}>
                    <span className="data">
                      {visibleText(file.value ?? 'unknown')}
                      {line.value === null ? '' : `:${line.value}`}
                    </span>{' '}
                    {visibleText(pattern.value ?? '')} {visibleText(context.value ?? '')}{' '}
                    <Source project={project} source={file.source} />
                  </li>
                ))}
              </ul>
            </dd>
          </div>
        )}
        <TextList project={project} title="Advice" facts={recommendations} />
      </Facts>
    </Entry>
  )
}

function FixEntry({
  project,
  fix: { id, issues, strategy, description, rationale, risk, impact, verification, changes, pending, applied },
}: {
  readonly project: number
  readonly fix: Fix
}) {
  const last = applied.at(-1)
  const said = last
    ? `applied, ${verificationText(last.verification.value)}`
    : pending
      ? 'chosen, not applied'
      : 'proposed'
  return (
    <Entry
      project={project}
      open={!last}
      source={id.source ?? description.source}
      summary={
        <>
          <span className="data">{visibleText(id.value ?? 'no id')}</span>{' '}
          {visibleText(description.value ?? strategy.value ?? '')}{' '}
          {risk.value === null ? null : <span className={riskTone(risk.value)}>{visibleText(risk.value)} risk</span>}{' '}
          <span className="muted">{visibleText(said)}</span>
        </>
      }
    >
      <Facts>
        <TextList project={project} title="Issues" facts={issues} />
        <FactLine project={project} title="Strategy" fact={strategy} />
        <FactLine project={project} title="Because" fact={rationale} />
        <FactLine project={project} title="Risk" fact={risk} />
        <FactLine project={project} title="Impact" fact={impact} />
        <TextList project={project} title="Verified by" facts={verification} />
      </Facts>
      {changes.map(({ file, matches, action, diff, before, after }, at) => (
        <div key={at}>
          <p>
            {visibleText(action.value ?? 'change')} <span className="data">{visibleText(file.value ?? 'unknown')}</span>{' '}
            <Source project={project} source={diff.source ?? after.source ?? file.source} />
          </p>
          {matches === null ? null : <MatchedFiles matches={matches} />}
          <DiffText text={diff.value ?? madeDiff(file.value, before.value, after.value)} />
        </div>
      ))}
      {applied.map(({ at, success, backup, verification: result, changed }, index) => (
        <p key={index} className="muted">
          Applied {at.value === null ? 'at an unknown time' : timeText(at.value)},{' '}
          {success.value === null ? 'success unknown' : success.value ? 'with success' : 'without success'};
          {visibleText(verificationText(result.value))}; {changed.length === 0 ? changes.length : changed.length} files
          changed; backup {visibleText(backup.value ?? changed[0]?.backup.value ?? 'unknown')}{' '}
          <Source project={project} source={at.source ?? result.source} />
        </p>
      ))}
    </Entry>
  )
}

const MAX_SHOWN_MATCHES = 20

function MatchedFiles({ matches }: { readonly matches: readonly string[] }) {
  const more = matches.length - MAX_SHOWN_MATCHES
  return (
    <p className="muted">
      {matches.length === 0 ? 'No Markdown file of the skill matches.' : 'Matches '}
      <span className="data">{visibleText(matches.slice(0, MAX_SHOWN_MATCHES).join(', '))}</span>
      {more > 0 ? ` and ${more} more` : ''}
    </p>
  )
}

export const panel = formatPanel('tuning', TuningPanel)
