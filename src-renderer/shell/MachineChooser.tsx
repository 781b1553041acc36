import { ChevronDown, X } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useState, type SubmitEvent } from 'react'
import { toFailure, describeFailure, type Failure } from '@shared/contract/errors'
import type { MachineState } from '@shared/contract/machine'
import { Button } from '../widgets/Button'
import { connectMachine, connectNamed, disconnectMachine } from '../client/machineControl'
import { useBridge, useFrontName, useMachines } from '../client/machines'
import { attempt } from '../client/messages'
import { shortcutOf } from '../client/shortcuts'
import { useShellState } from './shellState'
import { describeState, describeTrouble } from '../client/machineLabels'

const setOpen = (chooserIsOpen: boolean) => useShellState.setState({ chooserIsOpen })

/** The machine in front, and behind it every known machine and a field for naming another one. */
export function MachineChooser() {
  const open = useShellState((state) => state.chooserIsOpen)
  const machines = useMachines((state) => state.machines)
  const name = useFrontName()
  const front = machines.find(({ machine }) => machine === name)
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <button type="button" className="button machine-chooser" data-panel-focus>
          <span className="hidden-visually">Machine: </span>
          <strong>{front?.title ?? name}</strong>
          <span className="muted">{front?.version}</span>
          <span className="hidden-visually">. Choose another</span>
          <ChevronDown size={14} aria-hidden />
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="popover chooser"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label="Choose a machine"
        >
          <MachineList />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

function MachineList() {
  const machines = useMachines((state) => state.machines)
  return (
    <>
      <ul className="machine-list">
        {machines.map((state) => (
          <MachineRow key={state.machine} state={state} />
        ))}
      </ul>
      <NameMachine machines={machines} />
      <Button label="Close" look="plain" shortcut={shortcutOf('machine.choose')} onClick={() => setOpen(false)} />
    </>
  )
}

function MachineRow({ state }: { readonly state: MachineState }) {
  const { machine, title, retry } = state
  const { word, tone } = describeState(state, useBridge())
  const isFront = machine === useFrontName()
  const choose = () => {
    setOpen(false)
    attempt(() => connectMachine(machine))
  }
  return (
    <li className="machine-row">
      <button type="button" className="machine-choice" aria-current={isFront} onClick={choose}>
        <span>{title}</span>
        <span className="data muted">{machine}</span>
        <span className={`state-words ${tone}`}>
          <span className="dot" aria-hidden />
          {word}
        </span>
      </button>
      <p className="machine-trouble">{describeTrouble(state)}</p>
      {retry === null ? null : (
        <Button
          label={`Stop trying ${title}`}
          icon={X}
          iconOnly
          look="plain"
          onClick={() => attempt(() => disconnectMachine(machine))}
        />
      )}
    </li>
  )
}

/** A field for a machine that is not in the list. */
function NameMachine({ machines }: { readonly machines: readonly MachineState[] }) {
  const [typed, setTyped] = useState('')
  const { problem, connecting, connect } = useConnect()
  // A machine that is tried again says why in its row: only what to do about it is still to be said.
  const isTold = machines.some((state) => state.reason === problem?.message && describeTrouble(state) !== null)
  const told = problem === null ? null : isTold ? problem.hint : describeFailure(problem)

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    void connect(typed.trim())
  }

  return (
    <form className="machine-form" onSubmit={submit}>
      <label htmlFor="machine-name">Another machine</label>
      <div className="machine-form-row">
        <input
          id="machine-name"
          className="field data"
          value={typed}
          placeholder="ultimate:c64u"
          spellCheck={false}
          autoComplete="off"
          aria-describedby="machine-form-help"
          aria-invalid={problem !== null}
          onChange={(event) => setTyped(event.target.value)}
        />
        <button type="submit" className="button primary" aria-disabled={connecting}>
          {connecting ? 'Connecting…' : 'Connect'}
        </button>
      </div>
      <p id="machine-form-help" className="muted">
        <span className="data">ultimate:c64u</span> by host name or address, <span className="data">vice:6502</span> for
        a VICE that was started with <span className="data">-binarymonitor</span>. The Connections view has all kinds,
        and the steps for each.
      </p>
      {told ? (
        <p className="problem" role="alert">
          {told}
        </p>
      ) : null}
    </form>
  )
}

function useConnect() {
  const [problem, setProblem] = useState<Failure | null>(null)
  const [connecting, setConnecting] = useState(false)
  const connect = async (name: string) => {
    setProblem(null)
    setConnecting(true)
    try {
      await connectNamed(name)
      setOpen(false)
    } catch (error) {
      setProblem(toFailure(error))
    } finally {
      setConnecting(false)
    }
  }
  return { problem, connecting, connect }
}
