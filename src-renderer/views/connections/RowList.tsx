import type { KeyboardEvent } from 'react'
import { useBridge } from '../../client/machines'
import { describeState, describeTrouble } from '../../client/machineLabels'
import type { Group, Row } from './rows'

interface RowListProps {
  readonly groups: readonly Group[]
  readonly chosen: string | null
  readonly front: string
  readonly onChoose: (row: Row) => void
}

export function RowList({ groups, chosen, front, onChoose }: RowListProps) {
  return (
    <div onKeyDown={moveAmongRows}>
      {groups.map(({ title, rows, empty, problems }) => (
        <section key={title} className="connection-group" aria-label={title}>
          <h2>{title}</h2>
          {problems.map((problem) => (
            <p key={problem} className="problem">
              {problem}
            </p>
          ))}
          {rows.length > 0 ? (
            <ul>
              {rows.map((row) => (
                <li key={row.key}>
                  <button
                    type="button"
                    className="connection-row"
                    aria-current={row.key === chosen}
                    onClick={() => onChoose(row)}
                  >
                    <span className="row-title" title={row.title}>
                      {row.title}
                    </span>
                    <RowState row={row} isFront={row.machine === front} />
                    <span className="row-name data muted" title={row.name}>
                      {row.name === row.title ? '' : row.name}
                    </span>
                    <span className="row-about muted" title={row.about}>
                      {row.about}
                    </span>
                    <span className="row-trouble">{row.state ? describeTrouble(row.state) : null}</span>
                  </button>
                </li>
              ))}
            </ul>
          ) : empty === null ? null : (
            <p className="muted">{empty}</p>
          )}
        </section>
      ))}
    </div>
  )
}

function RowState({ row: { state, machine }, isFront }: { readonly row: Row; readonly isFront: boolean }) {
  const bridge = useBridge()
  if (machine === null) return <span />
  const { word, tone } = describeState(state ?? undefined, bridge)
  return (
    <span className={`state-words ${tone}`}>
      <span className="dot" aria-hidden />
      {isFront ? `${word}, in front` : word}
    </span>
  )
}

function moveAmongRows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('.connection-row')]
  const next = rows[rows.findIndex((row) => row === document.activeElement) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}
