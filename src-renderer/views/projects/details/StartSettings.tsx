import { visibleText } from '../../../widgets/visibleText'
import type { Setup } from '../setup/useLoopSetup'
import { Section, Table } from './parts'

export function StartSettings({ settings }: Pick<Setup, 'settings'>) {
  return settings.length === 0 ? null : (
    <Section title="Settings">
      <Table heads={['Setting', 'Value', 'From']}>
        {settings.map(({ name, value, source }) => (
          <tr key={name}>
            <th scope="row" className="data">
              {name}
            </th>
            <td className={value === '' ? 'muted' : 'data'}>{value === '' ? 'not set' : visibleText(value)}</td>
            <td className={source === 'default' ? 'muted' : ''}>{source}</td>
          </tr>
        ))}
      </Table>
    </Section>
  )
}
