import { amountText, planEntries, sumByPhase, sumCostText, sumUse, type AgentUse, type TaskUse } from '@shared/agentUse'
import { CHECK_ROLE } from '@shared/hostCheck'
import type { Run } from '@shared/contract/orchestration'
import { call } from '../../../client/call'
import { useAnswer } from '../../../client/useAnswer'
import { visibleText } from '../../../widgets/visibleText'
import { Section, Table } from '../details/parts'
import { useBatchPlaces, useTurns } from './useTurns'

const heads = ['Phase or task', 'Turns', 'In', 'Out', 'From cache', 'Into cache', 'Cost'] as const

export function Costs({ project, run }: { readonly project: number; readonly run: Run }) {
  const all = useTurns(project, run, useBatchPlaces(project, run))
  const turns = all.filter(({ turn }) => turn?.role !== CHECK_ROLE)
  const { data: graph } = useAnswer(
    `${project} ${run.key}`,
    turns.length > 0,
    (signal) => call('projects.graph', { project, run: run.key }, { signal }),
    run.revision,
  )
  if (turns.length === 0) return null
  const phases = sumByPhase(turns, graph ? planEntries(graph) : [], 0)
  return (
    <Section title="Tokens and cost">
      <div className="run-costs">
        <Table heads={heads}>
          {phases.flatMap(({ tasks, ...phase }) => [
            <UseRow key={`phase ${phase.phase ?? ''}`} title={phase.title} use={phase} isWhole />,
            ...tasks.map((task) => (
              <UseRow key={`${phase.phase ?? ''} ${task.task ?? ''}`} title={titleOf(task)} use={task} />
            )),
          ])}
          <UseRow title="All turns" use={sumUse(turns, 0)} isWhole />
        </Table>
      </div>
    </Section>
  )
}

const titleOf = ({ task, title }: TaskUse): string => (task === null || task === title ? title : `${task} ${title}`)

interface UseRowProps {
  readonly title: string
  readonly use: AgentUse
  readonly isWhole?: boolean
}

function UseRow({ title, use, isWhole = false }: UseRowProps) {
  const { kinds, turns } = use
  const cells = [
    String(turns),
    ...[kinds.input, kinds.output, kinds.cacheRead, kinds.cacheWrite].map(amountText),
    sumCostText(use),
  ]
  return (
    <tr className={isWhole ? 'is-whole' : undefined}>
      <th scope="row">{visibleText(title)}</th>
      {cells.map((text, index) => (
        <td key={index} className="data details-number">
          {text}
        </td>
      ))}
    </tr>
  )
}
