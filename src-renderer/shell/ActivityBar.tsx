import {
  Bot,
  Cable,
  ChartGantt,
  CircleQuestionMark,
  FolderKanban,
  ListChecks,
  Monitor,
  Paintbrush,
  Settings,
  type LucideIcon,
} from 'lucide-react'
import { showActionOf } from '@shared/actions'
import { workspaceNamed, workspaceNames, workspaces, type WorkspaceName } from '@shared/workspaces'
import { perform } from '../client/actions'
import { shortcutOf } from '../client/shortcuts'
import { moveAlong } from '../widgets/moveAlong'
import { Tip } from '../widgets/Tip'
import { useFailedTaskCount, useNeedCount, useTroubleCount } from './figures'
import { useLayout } from './layout'
import { useRailNames } from './railNames'

const icons: Readonly<Record<WorkspaceName, LucideIcon>> = {
  machine: Monitor,
  timeline: ChartGantt,
  tasks: ListChecks,
  devices: Cable,
  projects: FolderKanban,
  agents: Bot,
  graphics: Paintbrush,
  settings: Settings,
  help: CircleQuestionMark,
}

const atTop = workspaceNames.filter((name) => !workspaceNamed(name).atFoot)
const atFoot = workspaceNames.filter((name) => workspaceNamed(name).atFoot)

export function ActivityBar() {
  const badges = useBadges()
  return (
    <nav
      className="activity-bar"
      data-panel="activity-bar"
      aria-label="Workspaces"
      tabIndex={-1}
      onKeyDown={(event) => moveAlong(event, 'button', 'column')}
    >
      {atTop.map((name) => (
        <WorkspaceButton key={name} name={name} badge={badges[name]} />
      ))}
      <span className="activity-space" />
      {atFoot.map((name) => (
        <WorkspaceButton key={name} name={name} badge={undefined} />
      ))}
    </nav>
  )
}

interface Badge {
  readonly count: number
  readonly text: string
}

function useBadges(): Readonly<Partial<Record<WorkspaceName, Badge>>> {
  const failed = useFailedTaskCount()
  const inTrouble = useTroubleCount()
  const needs = useNeedCount()
  return {
    tasks: { count: failed, text: failed === 1 ? '1 failed or damaged' : `${failed} failed or damaged` },
    devices: {
      count: inTrouble,
      text: inTrouble === 1 ? '1 machine is not live' : `${inTrouble} machines are not live`,
    },
    projects: { count: needs, text: needs === 1 ? '1 needs you' : `${needs} need you` },
  }
}

function WorkspaceButton({ name, badge }: { readonly name: WorkspaceName; readonly badge: Badge | undefined }) {
  const isCurrent = useLayout(({ current }) => current === name)
  const { title } = workspaces[name]
  const hasNames = useRailNames()
  const Icon = icons[name]
  const told = badge && badge.count > 0 ? badge : undefined
  return (
    <Tip side="right" text={told ? `${title}: ${told.text}` : title} shortcut={shortcutOf(showActionOf(name))}>
      <button
        type="button"
        className="activity"
        aria-label={told ? `${title}, ${told.text}` : title}
        aria-current={isCurrent ? 'page' : undefined}
        tabIndex={isCurrent ? 0 : -1}
        {...(isCurrent ? { 'data-panel-focus': true } : {})}
        onClick={() => perform(showActionOf(name))}
      >
        <Icon size={18} strokeWidth={1.75} aria-hidden />
        {hasNames ? <span aria-hidden>{title}</span> : null}
        {told ? (
          <span className="badge data" aria-hidden>
            {told.count > 99 ? '99+' : told.count}
          </span>
        ) : null}
      </button>
    </Tip>
  )
}
