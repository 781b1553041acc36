import { Layout, type TabNode } from 'flexlayout-react'
import { useEffect, useRef, useState, type ComponentType } from 'react'
import { HelpView } from '../views/help/HelpView'
import { MemoryView } from '../views/memory/MemoryView'
import { RegistersView } from '../views/registers/RegistersView'
import { ScreenView } from '../views/screen/ScreenView'
import { SettingsView } from '../views/settings/SettingsView'
import { SpritesView } from '../views/sprites/SpritesView'
import { rememberLayout, useLayout } from './layout'
import { viewNamed, viewTitles, type ViewName, type ViewProps } from './views'

const components: Readonly<Record<ViewName, ComponentType<ViewProps>>> = {
  screen: ScreenView,
  memory: MemoryView,
  sprites: SpritesView,
  registers: RegistersView,
  settings: SettingsView,
  help: HelpView,
}

/** The views side by side, in tabs that can be moved, split and filled to the whole window. */
export function Docking() {
  const model = useLayout((state) => state.model)
  return (
    <Layout
      model={model}
      factory={renderTab}
      onModelChange={rememberLayout}
      realtimeResize
      invalidateTabContentOnParentRender={false}
    />
  )
}

function renderTab(node: TabNode) {
  const view = viewNamed(node.getComponent())
  return view === undefined ? null : <Panel view={view} />
}

/** One view with whether it can be seen: behind another tab or a filled panel it draws nothing. */
function Panel({ view }: { readonly view: ViewName }) {
  const panel = useRef<HTMLElement>(null)
  const [visible, setVisible] = useState(false)
  useEffect(() => {
    const element = panel.current
    if (!element) return undefined
    const observer = new IntersectionObserver((entries) => setVisible(entries.at(-1)?.isIntersecting === true))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const View = components[view]
  return (
    <section ref={panel} className="view" data-panel={view} aria-label={viewTitles[view]} tabIndex={-1}>
      <View visible={visible} />
    </section>
  )
}
