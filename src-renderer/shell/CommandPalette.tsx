import { Command } from 'cmdk'
import { Dialog } from 'radix-ui'
import { useState } from 'react'
import { actionIds, actions, type ActionId } from '@shared/actions'
import { canonicalMachineName, readMachineName } from '@shared/contract/machineName'
import { limitOfAction } from '../client/actionLimits'
import { perform } from '../client/actions'
import { connectMachine, connectNamed } from '../client/machineControl'
import { useFrontMachine, useMachines } from '../client/machines'
import { attempt } from '../client/messages'
import { shortcutOf } from '../client/shortcuts'
import { understood } from '../widgets/typedAddress'
import { inMemoryView } from '../views/memory/commands'
import { useShellState } from './shellState'

const setOpen = (paletteIsOpen: boolean) => useShellState.setState({ paletteIsOpen })

/** Everything that can be done, by typing a part of its name; also `goto d020` and machine names. */
export function CommandPalette() {
  const open = useShellState((state) => state.paletteIsOpen)
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content className="dialog palette" aria-describedby={undefined}>
          <Dialog.Title className="hidden-visually">Command palette</Dialog.Title>
          <Palette />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** After the dialog has closed and given the focus back, so that an action can move it. */
function choose(action: () => void): void {
  setOpen(false)
  setTimeout(action)
}

const goto = (text: string): void => attempt(() => inMemoryView(({ goTo }) => goTo(text)))

function Palette() {
  const [typed, setTyped] = useState('')
  const machines = useMachines((state) => state.machines)
  const address = /^(?:goto|go to)\s+(.+)$/i.exec(typed.trim())?.[1] ?? /^\$[0-9a-f]{1,4}$/i.exec(typed.trim())?.[0]
  const machine = typed.includes(':') ? readMachineName(typed.trim()) : undefined
  const named = machine && canonicalMachineName(machine)
  return (
    <Command label="Commands" loop>
      <Command.Input value={typed} onValueChange={setTyped} placeholder="What to do? Also: goto d020, or vice:6502" />
      <Command.List aria-label="Commands that fit">
        {address === undefined && named === undefined ? <Command.Empty>Nothing has that name.</Command.Empty> : null}
        {address === undefined ? null : (
          <Command.Item value={`goto ${typed}`} forceMount onSelect={() => choose(() => goto(address))}>
            Go to {understood(address) || address} in memory
          </Command.Item>
        )}
        {named === undefined ? null : (
          <Command.Item
            value={`connect ${typed}`}
            forceMount
            onSelect={() => choose(() => attempt(() => connectNamed(named)))}
          >
            Connect to {named}
          </Command.Item>
        )}
        {actionIds
          .filter((id) => id !== 'view.palette')
          .map((id) => (
            <ActionItem key={id} id={id} />
          ))}
        {machines.map(({ machine, title }) => (
          <Command.Item
            key={machine}
            value={`machine ${title} ${machine}`}
            onSelect={() => choose(() => attempt(() => connectMachine(machine)))}
          >
            <span>Show {title}</span>
            <span className="data muted">{machine}</span>
          </Command.Item>
        ))}
      </Command.List>
    </Command>
  )
}

function ActionItem({ id }: { readonly id: ActionId }) {
  const limit = limitOfAction(id, useFrontMachine())
  const { title, menu } = actions[id]
  const shortcut = shortcutOf(id)
  return (
    <Command.Item value={`${menu} ${title}`} disabled={limit !== null} onSelect={() => choose(() => perform(id))}>
      <span>
        <span className="muted">{menu}</span> {title.replace('…', '')}
        {limit === null ? null : <span className="muted"> – {limit}</span>}
      </span>
      {shortcut === undefined ? null : <kbd>{shortcut}</kbd>}
    </Command.Item>
  )
}
