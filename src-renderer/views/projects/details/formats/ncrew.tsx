import type { DetailsOf } from '@shared/contract/runDetails'
import { visibleText } from '../../../../widgets/visibleText'
import { Source } from '../../Source'
import { FileText, Section, Table, type PanelProps } from '../parts'
import { formatPanel } from '../formatPanel'

function NcrewPanel({
  project,
  details: { experts, questions, phases, nextTask, locked },
  version,
}: PanelProps<DetailsOf<'ncrew'>>) {
  const apart = phases.filter(({ claimed, derived }) => claimed !== null && derived !== null && claimed !== derived)
  return (
    <>
      {locked ? <p className="warn-text">.noodlecrew/.lock exists: a runner is at work, or crashed.</p> : null}
      <p>{nextTask === null ? 'No open tasks.' : `Next: ${visibleText(nextTask)}`}</p>
      {apart.map(({ key, claimed, derived }) => (
        <p key={key} className="warn-text">
          {visibleText(key)}: its heading says {claimed}, its checkboxes say {derived}. The checkboxes count.
        </p>
      ))}
      <Section title="Experts" count={experts.length} none="No experts.">
        <Table heads={['Role', 'Phase', 'Model', 'File']}>
          {experts.map(({ role, phase, llm, source }, at) => (
            <tr key={at}>
              <th scope="row">{visibleText(role)}</th>
              <td>{phase === undefined ? <span className="muted">unknown</span> : visibleText(phase)}</td>
              <td className="data">{llm === undefined ? <span className="muted">unknown</span> : visibleText(llm)}</td>
              <td>
                <Source project={project} source={source} />
              </td>
            </tr>
          ))}
        </Table>
      </Section>
      <Section title="Questions" count={questions.length} none="No questions.">
        {questions.map(({ file, title, from, status, decision, reason }) => (
          <div key={file}>
            <FileText project={project} file={file} version={version} title={title} isMarkdown />
            <p className="muted">
              {from === null ? 'asked by: unknown' : `asked by ${visibleText(from)}`}, status{' '}
              {status === null ? 'unknown' : visibleText(status)}
            </p>
            {decision === null ? null : (
              <p>
                Decided: {visibleText(decision)}
                {reason === null ? '' : `, because ${visibleText(reason)}`}
              </p>
            )}
          </div>
        ))}
      </Section>
    </>
  )
}

export const panel = formatPanel('ncrew', NcrewPanel)
