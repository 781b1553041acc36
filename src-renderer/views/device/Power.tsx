import { Menu, Power as PowerIcon, RotateCw, type LucideIcon } from 'lucide-react'
import type { ActionId } from '@shared/actions'
import type { Capability, MachineState } from '@shared/contract/machine'
import { limitOf } from '../../client/machines'
import { call } from '../../client/call'
import { Button } from '../../widgets/Button'
import { Limits, Part } from './Part'
import { Problem } from '../../widgets/Problem'
import { useTask } from './useTask'

interface Switch {
  readonly capability: Extract<Capability, 'menuButton' | 'reboot' | 'powerOff'>
  readonly command: 'machine.pressMenuButton' | Extract<ActionId, 'machine.reboot' | 'machine.powerOff'>
  readonly label: string
  readonly icon: LucideIcon
}

/** The last two ask in a dialog of the system before anything happens. */
const switches: readonly Switch[] = [
  { capability: 'menuButton', command: 'machine.pressMenuButton', label: 'Press the menu button', icon: Menu },
  { capability: 'reboot', command: 'machine.reboot', label: 'Reboot…', icon: RotateCw },
  { capability: 'powerOff', command: 'machine.powerOff', label: 'Switch off…', icon: PowerIcon },
]

export function Power({ state }: { readonly state: MachineState }) {
  const { isBusy, failure, run } = useTask()
  const can = switches.filter(({ capability }) => limitOf(state, capability) === null)
  return (
    <Part title="Power">
      {can.length === 0 ? null : (
        <div className="device-buttons">
          {can.map(({ command, label, icon }) => (
            <Button
              key={command}
              label={label}
              icon={icon}
              why={isBusy ? 'Still working.' : null}
              onClick={() => run(() => call(command, { machine: state.machine }))}
            />
          ))}
        </div>
      )}
      <Limits of={switches.map(({ capability }) => limitOf(state, capability))} />
      <Problem failure={failure} />
    </Part>
  )
}
