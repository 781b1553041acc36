import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, type KeyboardEvent } from 'react'
import { ChoiceSegments } from '../../../client/ChoiceSegments'
import { useChosen } from '../../../client/chosen'
import { ListBox } from '../../../widgets/ListBox'
import { visibleText } from '../../../widgets/visibleText'
import { columnsByPhase, columnsByState } from './board'
import { standingLooks, standingOf, type Plan } from './plan'

interface BoardViewProps {
  readonly plan: Plan
  readonly selected: number | null
  readonly onSelect: (node: number) => void
}

const CARD_WIDTH_PX = 200
const CARD_HEIGHT_PX = 44

export function BoardView({ plan, selected, onSelect }: BoardViewProps) {
  const [by] = useChosen('projects.boardBy')
  const columns = useMemo(() => (by === 'state' ? columnsByState(plan) : columnsByPhase(plan)), [plan, by])
  const scroller = useRef<HTMLDivElement>(null)
  const across = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_WIDTH_PX,
    overscan: 2,
  })

  const moveAcross = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step === undefined || selected === null) return
    const at = columns.findIndex(({ nodes }) => nodes.includes(selected))
    for (let next = at + step; at >= 0 && next >= 0 && next < columns.length; next += step) {
      const nodes = columns[next]?.nodes ?? []
      const node = nodes[Math.min(columns[at]?.nodes.indexOf(selected) ?? 0, nodes.length - 1)]
      if (node === undefined) continue
      event.preventDefault()
      onSelect(node)
      across.scrollToIndex(next)
      const list = scroller.current
      requestAnimationFrame(() => list?.querySelector<HTMLElement>(`[data-column="${next}"] [role=listbox]`)?.focus())
      return
    }
  }

  return (
    <div className="plan-board">
      <ChoiceSegments choice="projects.boardBy" />
      <div ref={scroller} className="plan-columns" onKeyDown={moveAcross}>
        <div style={{ width: across.getTotalSize() }}>
          {across.getVirtualItems().map(({ index, start }) => {
            const column = columns[index]
            if (!column) return null
            return (
              <section
                key={column.key}
                className="plan-column"
                data-column={index}
                aria-label={`${visibleText(column.title)}, ${column.nodes.length}`}
                style={{ transform: `translateX(${start}px)`, width: CARD_WIDTH_PX }}
              >
                <h3 title={visibleText(column.title)}>
                  {visibleText(column.title)} <span className="muted">{column.nodes.length}</span>
                </h3>
                <ListBox
                  label={`${visibleText(column.title)} ${index + 1}`}
                  items={column.nodes}
                  keyOf={String}
                  chosen={selected === null ? null : `${selected}`}
                  onChoose={onSelect}
                  height={CARD_HEIGHT_PX}
                  render={(node) => <Card plan={plan} node={node} />}
                />
              </section>
            )
          })}
        </div>
      </div>
    </div>
  )
}

function Card({ plan, node }: { readonly plan: Plan; readonly node: number }) {
  const { sign, word, colour } = standingLooks[standingOf(plan, node)]
  const title = visibleText(plan.titles[node] ?? '')
  return (
    <div className="plan-tile" title={title}>
      <span>
        <span className={`tone-${colour}`}>{sign}</span>{' '}
        <span className="data">{visibleText(plan.keys[node] ?? '')}</span> <span className="muted">{word}</span>
      </span>
      <span>{title}</span>
    </div>
  )
}
