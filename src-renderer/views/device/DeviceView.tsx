import { Plug } from 'lucide-react'
import { useState } from 'react'
import { perform } from '../../client/actions'
import { isConnected, useFrontMachine, useFrontName } from '../../client/machines'
import { shortcutOf } from '../../client/shortcuts'
import { describeTrouble } from '../../client/machineLabels'
import type { ViewProps } from '../../client/view'
import { Button } from '../../widgets/Button'
import { EmptyState } from '../../widgets/EmptyState'
import { IndexedPage } from '../../widgets/IndexedPage'
import { Configuration } from './Configuration'
import { DriveMemory } from './DriveMemory'
import { Drives } from './Drives'
import { Files } from './Files'
import { Power } from './Power'
import { Streams } from './Streams'
import dark from './empty-dark.png'
import light from './empty-light.png'
import './device.css'

export function DeviceView({ visible }: ViewProps) {
  const state = useFrontMachine()
  const name = useFrontName()
  /** Images that were mounted from the list of files, which the list of drives does not see. */
  const [mounts, setMounts] = useState(0)
  if (!state || !isConnected(state))
    return (
      <div className="view-content device" tabIndex={0} data-panel-focus aria-label="Device" role="group">
        <EmptyState
          picture={{ light, dark }}
          title={`${state?.title ?? name} is not connected`}
          action={
            state?.connection === 'connecting' ? null : (
              <Button
                label="Connect"
                icon={Plug}
                look="primary"
                shortcut={shortcutOf('machine.connect')}
                onClick={() => perform('machine.connect')}
              />
            )
          }
        >
          <p className="problem">{state ? describeTrouble(state) : null}</p>
          <p>Its streams, drives, power, files and configuration are here once it is. What you typed is kept.</p>
        </EmptyState>
      </div>
    )
  return (
    <IndexedPage
      key={state.machine}
      className="device"
      tabIndex={0}
      data-panel-focus
      aria-label="Device"
      role="group"
      columns={[
        <>
          <Streams state={state} />
          <Drives key={mounts} state={state} visible={visible} />
          <DriveMemory state={state} />
          <Power state={state} />
        </>,
        <>
          <Files state={state} onMount={() => setMounts((count) => count + 1)} />
          <Configuration state={state} visible={visible} />
        </>,
      ]}
    >
      <p className="device-version">
        {state.title}
        {state.version === null ? null : <span className="muted">{state.version}</span>}
      </p>
    </IndexedPage>
  )
}
