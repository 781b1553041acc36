import { lazy, Suspense, useId, type ReactNode } from 'react'
import { actionIds, actions, menus } from '@shared/actions'
import { describeHostKeys } from '@shared/c64/keyboard'
import { docChapters } from '@shared/docPages'
import { capabilityTitles } from '@shared/capabilityTitles'
import type { Capability } from '@shared/contract/machine'
import { perform } from '../../client/actions'
import { useAppInfo } from '../../client/appInfo'
import { useMachines } from '../../client/machines'
import { useSettings } from '../../client/settings'
import { useShortcuts } from '../../client/shortcuts'
import type { ViewProps } from '../../client/view'
import { Button } from '../../widgets/Button'
import { IndexedPage } from '../../widgets/IndexedPage'
import { TextLink } from '../../widgets/TextLink'
import { openManual, useManual } from './manual'
import './help.css'

const ManualPage = lazy(async () => ({ default: (await import('./ManualPage')).ManualPage }))

export function HelpView(_: ViewProps) {
  const place = useManual((manual) => manual.place)
  if (place !== null)
    return (
      <Suspense>
        <ManualPage place={place} />
      </Suspense>
    )
  return (
    <IndexedPage
      className="help"
      columns={[
        <>
          <Manual />
          <FirstSteps />
          <C64Keys />
          <Trouble />
        </>,
        <>
          <Shortcuts />
          <Limits />
        </>,
      ]}
    />
  )
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

function Manual() {
  return (
    <Section title="Manual">
      <nav aria-label="Pages of the manual" className="help-columns">
        {docChapters.map(({ title, pages }) => (
          <div key={title} className="help-chapter">
            <h3>{title}</h3>
            <ul>
              {pages.map((page) => (
                <li key={page.name}>
                  <TextLink text={page.title} onOpen={() => openManual({ page, heading: null })} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
    </Section>
  )
}

function FirstSteps() {
  return (
    <Section title="First steps">
      <div className="help-buttons">
        <Button label="Take the tour" onClick={() => perform('help.tour')} />
      </div>
      <ul className="help-list">
        <li>Click the screen and type: the keys go to the C64 until you press F6.</li>
        <li>Drop a PRG anywhere on the window to run it. Whenever you build it again, it is loaded and run again.</li>
        <li>
          Right-click a byte or the screen, or press Shift+F10, to stop when it is written, watch, plot or copy it.
        </li>
        <li>
          To watch VICE, connect <span className="data">vice</span> under Machine &gt; Connect…, or start VICE with{' '}
          <span className="data">-binarymonitor</span> and attach with <span className="data">vice:6502</span>. VICE
          takes one client at a time.
        </li>
        <li>
          The bar at the left leads to the workspaces; View &gt; Panels shows their names there. In each, panels can be
          moved by their tabs, filled to the whole workspace and put back with “Reset the layout”.
        </li>
        <li>
          An agent that is connected (bridgedeck mcp) asks at the top of the window before it changes a machine. View
          &gt; Agents at machines shows what it did, and undoes it.
        </li>
        <li>F6 and Shift+F6 go from panel to panel; on a bar or a row of tabs, arrow keys move along it.</li>
      </ul>
    </Section>
  )
}

function Shortcuts() {
  const shortcutOf = useShortcuts()
  return (
    <Section title="Keyboard shortcuts">
      <div className="help-columns">
        {menus.map((menu) => (
          <table key={menu} className="help-table">
            <caption>{menu}</caption>
            <tbody>
              {actionIds
                .filter((id) => actions[id].menu === menu && shortcutOf(id) !== undefined)
                .map((id) => (
                  <tr key={id}>
                    <th scope="row">{actions[id].title.replace('…', '')}</th>
                    <td>
                      <kbd>{shortcutOf(id)}</kbd>
                    </td>
                  </tr>
                ))}
            </tbody>
          </table>
        ))}
      </div>
    </Section>
  )
}

function C64Keys() {
  const { keyMapping } = useSettings()
  return (
    <Section title="Keys of the C64">
      <p>
        While the screen has the keyboard, these keys of yours press these of the C64 (mapping{' '}
        {keyMapping === 'symbolic' ? 'by character' : 'by place'}). F6, F8 to F12 and what you press with Ctrl stay with
        the window; the C64’s F6 is Shift+F5, its F8 is Shift+F7.
      </p>
      <div className="help-columns">
        <table className="help-table">
          <caption className="hidden-visually">Keys of the C64</caption>
          <tbody>
            {describeHostKeys(keyMapping)
              .filter(({ host }) => host !== 'F6' && host !== 'F8')
              .map(({ host, c64 }) => (
                <tr key={host}>
                  <th scope="row">
                    <kbd>{host}</kbd>
                  </th>
                  <td>{c64}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </Section>
  )
}

function Limits() {
  const machines = useMachines((state) => state.machines)
  return (
    <Section title="What each machine cannot do">
      {machines.map(({ machine, title, capabilities }) => {
        const limits = Object.entries(capabilities).filter((entry): entry is [Capability, string] => entry[1] !== null)
        return (
          <div key={machine} className="help-machine">
            <h3>
              {title} <span className="data muted">{machine}</span>
            </h3>
            {limits.length === 0 ? (
              <p>Nothing is missing.</p>
            ) : (
              <ul className="help-list">
                {limits.map(([capability, why]) => (
                  <li key={capability}>
                    It cannot {capabilityTitles[capability]}: {why}
                  </li>
                ))}
              </ul>
            )}
          </div>
        )
      })}
    </Section>
  )
}

function Trouble() {
  const app = useAppInfo((info) => info.app)
  return (
    <Section title="When something is wrong">
      <p>
        “Save diagnostics” puts versions, states and logs into one zip file, without passwords and without your folder
        names.
      </p>
      <div className="help-buttons">
        <Button label="Save diagnostics…" onClick={() => perform('help.diagnostics')} />
        <Button label="Open the log folder" onClick={() => perform('help.logs')} />
        <Button label="Messages" onClick={() => perform('view.messages')} />
      </div>
      {app === null ? null : (
        <p className="muted">
          Bridgedeck {app.version}, Electron {app.electron}, Chromium {app.chromium}, {app.platform}
        </p>
      )}
    </Section>
  )
}
