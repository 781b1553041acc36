import type { DetailsOf } from '@shared/contract/runDetails'
import { InertMarkdown } from '../../../../widgets/InertMarkdown'
import { visibleText } from '../../../../widgets/visibleText'
import { Source } from '../../Source'
import { Entry, Section, Table, type PanelProps } from '../parts'
import { formatPanel } from '../formatPanel'

function MetaShellPanel({
  project,
  details: { context, variables, artefacts, locked },
}: PanelProps<DetailsOf<'metashell'>>) {
  return (
    <>
      {locked ? (
        <p className="warn-text">session.json.lock exists: a host is writing the state, or crashed while writing.</p>
      ) : null}
      <Section title="Variables" count={variables.length} none="The session has none.">
        <Table heads={['Name', 'Value', 'File']}>
          {variables.map(({ name, value, source }) => (
            <tr key={name}>
              <th scope="row" className="data">
                {visibleText(name)}
              </th>
              <td className="data details-value">{visibleText(value)}</td>
              <td>
                <Source project={project} source={source} />
              </td>
            </tr>
          ))}
        </Table>
      </Section>
      <Section title="Artefacts" count={artefacts.length} none="No agent has handed anything in.">
        {artefacts.map(({ kind, file, value }) => (
          <Entry
            key={file}
            project={project}
            source={{ file, line: 1 }}
            summary={
              <>
                {kind} <span className="data">{visibleText(file.slice(file.lastIndexOf('/') + 1))}</span>
              </>
            }
          >
            <pre className="projects-text">{visibleText(value)}</pre>
          </Entry>
        ))}
      </Section>
      <Section title="Context" count={context.length} none="context.md is not there, or has no heading.">
        {context.map(({ heading, text, source }, at) => (
          <Entry key={at} project={project} open={at === 0} source={source} summary={visibleText(heading)}>
            {text === '' ? <p className="muted">Nothing stands below it.</p> : <InertMarkdown text={text} />}
          </Entry>
        ))}
      </Section>
    </>
  )
}

export const panel = formatPanel('metashell', MetaShellPanel)
