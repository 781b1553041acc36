import { Tooltip } from 'radix-ui'
import { Banners } from './Banners'
import { CommandPalette } from './CommandPalette'
import { Docking } from './Docking'
import { DropOverlay } from './DropOverlay'
import { MachineBar } from './MachineBar'
import { StatePanel } from './StatePanel'
import { Toasts } from './Toasts'
import './shell.css'

/** The whole window: the machine bar, what must be said, and the docked views. */
export function Shell() {
  return (
    <Tooltip.Provider delayDuration={400} skipDelayDuration={200}>
      <div className="shell">
        <header>
          <Banners />
          <MachineBar />
          <StatePanel />
        </header>
        <main className="docking">
          <Docking />
        </main>
      </div>
      <CommandPalette />
      <DropOverlay />
      <Toasts />
    </Tooltip.Provider>
  )
}
