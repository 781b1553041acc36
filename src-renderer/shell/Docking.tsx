import { I18nLabel, Layout, type TabNode } from 'flexlayout-react'
import { lazy, memo, Suspense, useDeferredValue, useEffect, useRef, useState } from 'react'
import { isViewName, viewNames, viewTitles, type ViewName } from '@shared/views'
import { workspaceNames, type WorkspaceName } from '@shared/workspaces'
import { InDebugArrangement } from '../client/debugArrangement'
import { hasSteps, isOfMachine, markMounted, rememberLayout, useDebug, useLayout, type Arrangement } from './layout'
import { loadView } from './registry'

const components = new Map(viewNames.map((name) => [name, lazy(async () => ({ default: await loadView(name) }))]))

export function Docking() {
  const state = useLayout()
  const { current, opened } = state
  return workspaceNames
    .filter((name) => opened.has(name))
    .map((name) => (
      <div
        key={name}
        className={['workspace', ...placeBelow(state, name)].join(' ')}
        data-workspace={name}
        data-current={name === current}
      >
        <WorkspaceLayout name={name} />
      </div>
    ))
}

const placeBelow = (state: Arrangement, name: WorkspaceName): readonly string[] =>
  !isOfMachine(state, name) ? [] : hasSteps(state, name) ? ['below-steps'] : ['below-bar']

const WorkspaceLayout = memo(function WorkspaceLayout({ name }: { readonly name: WorkspaceName }) {
  const model = useLayout((state) => state.models[name])
  const isDebug = useDebug()
  return (
    <InDebugArrangement value={isDebug && name === 'machine'}>
      <Layout
        model={model}
        factory={renderTab}
        onModelChange={() => rememberLayout(name)}
        i18nTranslator={inOurWords}
        realtimeResize
        invalidateTabContentOnParentRender={false}
      />
    </InDebugArrangement>
  )
})

const words: Readonly<Record<string, string>> = {
  [I18nLabel.Maximize]: 'Fill the workspace with this panel',
  [I18nLabel.Restore]: 'Back beside the other panels',
  [I18nLabel.Active_Tabset]: 'The panel in use',
  [I18nLabel.Move_Tabset]: 'Move this panel',
  [I18nLabel.Move_Tabs]: 'Move ? views',
  [I18nLabel.Overflow_Menu_Tooltip]: 'More views',
  [I18nLabel.Splitter]: 'Move the border between two panels',
  [I18nLabel.Error_rendering_component]: 'This view stopped with an error.',
  [I18nLabel.Error_rendering_component_retry]: 'Show it again',
}

const inOurWords = (label: string): string => words[label] ?? label

function renderTab(node: TabNode) {
  const view = node.getComponent() ?? ''
  const isFirst = view === 'screen' || node.getModel().getMaximizedTabset() !== undefined
  return isViewName(view) ? <Panel view={view} selected={node.isSelected()} first={isFirst} /> : null
}

/** Behind another tab, a filled panel or another workspace, a view draws nothing. */
function Panel({
  view,
  selected,
  first,
}: {
  readonly view: ViewName
  readonly selected: boolean
  readonly first: boolean
}) {
  const panel = useRef<HTMLElement>(null)
  const [visible, setVisible] = useState(selected)
  useEffect(() => {
    const element = panel.current
    if (!element) return undefined
    const observer = new IntersectionObserver((entries) => setVisible(entries.at(-1)?.isIntersecting === true))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const View = components.get(view)
  const mounted = useDeferredValue(true, first)
  return (
    <section ref={panel} className="view" data-panel={view} aria-label={viewTitles[view]} tabIndex={-1}>
      <Suspense>
        {mounted && View ? (
          <>
            <View visible={visible} />
            <MountMark view={view} />
          </>
        ) : null}
      </Suspense>
    </section>
  )
}

function MountMark({ view }: { readonly view: ViewName }) {
  useEffect(() => markMounted(view), [view])
  return null
}
