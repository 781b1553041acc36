import { Maximize2, Minimize2, X } from 'lucide-react'
import { useEffect, useEffectEvent, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react'
import { standings, type Run } from '@shared/contract/orchestration'
import { ChoiceSegments } from '../../../client/ChoiceSegments'
import { useChosen } from '../../../client/chosen'
import { valuesOf, type ChosenOf } from '../../../client/viewChoices'
import { Button } from '../../../widgets/Button'
import { IconButton } from '../../../widgets/IconButton'
import { BoardView } from './BoardView'
import { GraphView } from './GraphView'
import { ListStage } from './ListStage'
import { holdOf, standingLooks, standingOf, type Plan } from './plan'
import { PlanCard } from './PlanCard'
import type { PlanLayout } from './planLayout'
import { TimelineView } from './TimelineView'
import { useLayout, useRows, type usePlan } from './usePlan'
import './plan.css'

type Mode = ChosenOf<'projects.plan'>
const modes = valuesOf('projects.plan')

const SHUT_FROM_ROWS = 300

interface OfRun {
  readonly project: number
  readonly run: Run
}

interface PlanPanelProps extends OfRun {
  readonly plan: ReturnType<typeof usePlan>
  readonly chosen: string | null
  readonly onChoose: (key: string | null) => void
}

export function PlanPanel({ project, run, plan: { value: plan, problem }, chosen, onChoose }: PlanPanelProps) {
  const [mode, setMode] = useChosen('projects.plan')
  const [isLarge, setLarge] = useState(false)
  const rows = useRows(mode === 'list', project, run)
  const [shutByHand, setShut] = useState<readonly number[] | null>(null)
  const shut = useMemo(() => shutByHand ?? (plan ? shutAtFirst(plan) : []), [shutByHand, plan])
  const panel = useRef<HTMLDivElement>(null)
  usePlanKeys(panel, setMode, isLarge, setLarge)
  const isDrawn = mode === 'graph' || mode === 'board'
  return (
    <div ref={panel} className={isLarge ? 'plan-panel large' : 'plan-panel'} tabIndex={-1}>
      <div className="plan-bar">
        <ChoiceSegments choice="projects.plan" keys="Alt+" />
        {mode === 'graph' && plan && plan.tasks.size > 0 ? (
          <Button
            label={shut.length === plan.tasks.size ? 'Expand all phases' : 'Collapse all phases'}
            onClick={() => setShut(shut.length === plan.tasks.size ? [] : [...plan.tasks.keys()])}
          />
        ) : null}
        <span className="plan-end">
          <IconButton
            label={isLarge ? 'Restore' : 'Maximize'}
            icon={isLarge ? Minimize2 : Maximize2}
            shortcut={isLarge ? 'Esc' : 'Alt+Enter'}
            onClick={() => setLarge(!isLarge)}
          />
        </span>
      </div>
      {problem === null ? null : <p className="problem">{problem}</p>}
      {rows.problem === null ? null : <p className="problem">{rows.problem}</p>}
      {mode === 'list' ? (
        rows.value && (
          <ListStage project={project} run={run} rows={rows.value} plan={plan} chosen={chosen} onChoose={onChoose} />
        )
      ) : mode === 'timeline' ? (
        <TimelineView project={project} run={run} chosen={chosen} onChoose={onChoose} />
      ) : (
        <Stage
          project={project}
          run={run}
          mode={mode}
          hasProblem={problem !== null}
          plan={plan}
          shut={shut}
          onShut={setShut}
          chosen={chosen}
          onChoose={onChoose}
        />
      )}
      {isDrawn && plan && plan.more.nodes + plan.more.edges > 0 ? (
        <p className="muted">
          Not shown: {plan.more.nodes.toLocaleString('en')} more tasks and {plan.more.edges.toLocaleString('en')} more
          dependencies. The list has them all.
        </p>
      ) : null}
    </div>
  )
}

/** Works wherever in the projects the focus is. */
function usePlanKeys(
  panel: RefObject<HTMLElement | null>,
  setMode: (mode: Mode) => void,
  isLarge: boolean,
  setLarge: (isLarge: boolean) => void,
): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const wanted = event.altKey ? modes[Number(event.key) - 1] : undefined
    if (wanted) {
      setMode(wanted)
      // The focused element may be gone with its view; the next key must still be heard.
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) panel.current?.focus()
      })
    } else if (event.altKey && event.key === 'Enter') setLarge(!isLarge)
    else if (event.key === 'Escape' && isLarge && !event.defaultPrevented) setLarge(false)
    else return
    event.preventDefault()
  })
  useEffect(() => {
    const view = panel.current?.closest<HTMLElement>('.projects')
    view?.addEventListener('keydown', onKey)
    return () => view?.removeEventListener('keydown', onKey)
  }, [panel])
}

interface StageProps extends OfRun {
  readonly mode: 'graph' | 'board'
  readonly plan: Plan | null
  readonly hasProblem: boolean
  readonly shut: readonly number[]
  readonly onShut: (phases: readonly number[]) => void
  readonly chosen: string | null
  readonly onChoose: (key: string | null) => void
}

function Stage({ project, run, mode, plan, hasProblem, shut, onShut, chosen, onChoose }: StageProps) {
  const selected = useMemo(() => {
    const at = plan === null || chosen === null ? -1 : plan.keys.indexOf(chosen)
    return at < 0 ? null : at
  }, [plan, chosen])
  const drawn = useLayout(mode === 'graph' ? plan : null, shut)
  const select = (node: number | null) => onChoose(node === null ? null : (plan?.keys[node] ?? null))
  if (plan === null) return hasProblem ? null : <p className="muted">Loading the plan…</p>
  if (plan.keys.length === 0) return <p className="muted">This plan has no phases and no tasks yet.</p>
  const card = <PlanCard project={project} run={run} plan={plan} selected={selected} onSelect={select} />
  if (mode === 'graph')
    return drawn ? (
      <GraphStage {...drawn} selected={selected} onSelect={select} shut={shut} onShut={onShut} card={card} />
    ) : (
      <p className="muted">Laying out the plan…</p>
    )
  return (
    <div className="plan-stage with-side">
      <BoardView plan={plan} selected={selected} onSelect={select} />
      <div className="plan-side" role="region" aria-label="About the chosen task" tabIndex={0}>
        {card}
      </div>
    </div>
  )
}

interface GraphStageProps extends Pick<StageProps, 'shut' | 'onShut'> {
  readonly plan: Plan
  readonly layout: PlanLayout
  readonly selected: number | null
  readonly onSelect: (node: number | null) => void
  readonly card: ReactNode
}

function GraphStage({ plan, layout, selected, onSelect, shut, onShut, card }: GraphStageProps) {
  const chain = useMemo(() => (selected === null ? [] : holdOf(plan, selected).chain), [plan, selected])
  const [isOpen, setOpen] = useState(false)
  const stage = useRef<HTMLDivElement>(null)
  const opened = isOpen ? selected : null
  const toggle = (node: number) => {
    if (plan.tasks.has(node)) onShut(shut.includes(node) ? shut.filter((other) => other !== node) : [...shut, node])
  }
  const close = () => {
    setOpen(false)
    stage.current?.querySelector('canvas')?.focus()
  }
  return (
    <div
      ref={stage}
      className="plan-stage"
      // Before the window's own listener, for which Escape makes a large plan small again.
      onKeyDownCapture={(event) => {
        if (event.key !== 'Escape' || opened === null) return
        event.preventDefault()
        event.stopPropagation()
        close()
      }}
    >
      <GraphView
        plan={plan}
        layout={layout}
        selected={selected}
        chain={chain}
        covered={opened === null ? 0 : SIDE_PX}
        onSelect={(node) => {
          onSelect(node)
          if (node === null) setOpen(false)
        }}
        onOpen={() => setOpen(true)}
        onToggle={toggle}
      />
      {opened === null ? null : (
        <div
          className="plan-over"
          style={{ width: SIDE_PX }}
          role="region"
          aria-label="About the chosen task"
          tabIndex={0}
        >
          <div className="plan-bar">
            {plan.tasks.has(opened) ? (
              <Button
                label={shut.includes(opened) ? 'Expand phase' : 'Collapse phase'}
                shortcut="Space"
                onClick={() => toggle(opened)}
              />
            ) : null}
            <span className="plan-end">
              <IconButton label="Close" icon={X} shortcut="Esc" onClick={close} />
            </span>
          </div>
          {card}
        </div>
      )}
      <Legend plan={plan} />
    </div>
  )
}

const SIDE_PX = 280

const shutAtFirst = (plan: Plan): readonly number[] =>
  plan.keys.length > SHUT_FROM_ROWS && plan.tasks.size > 1 ? [...plan.tasks.keys()] : []

function Legend({ plan }: { readonly plan: Plan }) {
  const counts = useMemo(() => {
    const found = new Map<string, number>()
    plan.keys.forEach((_, node) => {
      const standing = standingOf(plan, node)
      found.set(standing, (found.get(standing) ?? 0) + 1)
    })
    return found
  }, [plan])
  return (
    <div className="plan-foot">
      <ul className="plan-legend" aria-label="Signs">
        {standings.flatMap((standing) => {
          const count = counts.get(standing)
          if (count === undefined) return []
          const { sign, word, colour, meaning } = standingLooks[standing]
          return [
            <li key={standing} title={meaning}>
              <span className={`tone-${colour}`} aria-hidden>
                {sign}
              </span>{' '}
              {count.toLocaleString('en')} {word}
            </li>,
          ]
        })}
        {plan.critical.length === 0 ? null : (
          <li title="Tasks that must run one after the other: the longest by duration, by their number where no durations are known">
            ━ longest chain {plan.critical.length}
          </li>
        )}
      </ul>
      <p id="plan-graph-keys" className="muted">
        Arrows go along dependencies, Enter opens, Space collapses a phase, + − 0 zoom, Shift+arrows or scrolling move.
      </p>
    </div>
  )
}
