import { Tooltip } from 'radix-ui'
import type { MouseEvent } from 'react'
import { Banners } from './Banners'
import { Dialogs } from './Dialogs'
import { Docking } from './Docking'
import { DropOverlay } from './DropOverlay'
import { MachineBar } from './MachineBar'
import { StatePanel } from './StatePanel'
import { Toasts } from './Toasts'
import './shell.css'

/** A click on a button leaves the keyboard with the C64 where it is: the next Space is the program's, not the button's. */
function leaveKeysWithMachine(event: MouseEvent): void {
  const { target } = event
  if (target instanceof Element && target.closest('button') && document.activeElement?.matches('[data-takes-keys]'))
    event.preventDefault()
}

/** The whole window: the machine bar, what must be said, and the docked views. */
export function Shell() {
  return (
    <Tooltip.Provider delayDuration={400} skipDelayDuration={200}>
      <div className="shell" onMouseDown={leaveKeysWithMachine}>
        <header>
          <Banners />
          <MachineBar />
          <StatePanel />
        </header>
        <main className="docking">
          <Docking />
        </main>
      </div>
      <Dialogs />
      <DropOverlay />
      <Toasts />
    </Tooltip.Provider>
  )
}
