import { Tooltip } from 'radix-ui'
import { useState, type MouseEvent } from 'react'
import { TipLandmark } from '../widgets/Tip'
import { ActivityBar } from './ActivityBar'
import { ContextMenu } from './ContextMenu'
import { Dialogs } from './Dialogs'
import { Docking } from './Docking'
import { DropOverlay } from './DropOverlay'
import { MachineBar } from './MachineBar'
import { isOfMachine, useLayout } from './layout'
import { AgentQuestion } from './AgentQuestion'
import { useRailNames } from './railNames'
import { StatusBar } from './StatusBar'
import { Toasts } from './Toasts'
import './shell.css'

/** A click on a button leaves the keyboard with the C64's screen, so that the next Space goes to the program. */
function leaveKeysWithMachine(event: MouseEvent): void {
  const { target } = event
  if (target instanceof Element && target.closest('button') && document.activeElement?.matches('[data-takes-keys]'))
    event.preventDefault()
}

export function Shell() {
  const hasMachine = useLayout((state) => isOfMachine(state, state.current))
  const [main, setMain] = useState<HTMLElement | null>(null)
  return (
    <Tooltip.Provider delayDuration={400} skipDelayDuration={200}>
      <TipLandmark value={main}>
        <div className="shell" data-names={useRailNames()} onMouseDown={leaveKeysWithMachine}>
          <ActivityBar />
          <div className="workspaces">
            <AgentQuestion />
            <header hidden={!hasMachine}>
              <MachineBar />
            </header>
            <main ref={setMain} className="docking">
              <Docking />
            </main>
          </div>
          <StatusBar />
        </div>
        <Dialogs />
        <ContextMenu />
        <DropOverlay />
        <Toasts />
      </TipLandmark>
    </Tooltip.Provider>
  )
}
