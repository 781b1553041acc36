import { Plug, RotateCcw } from 'lucide-react'
import type { MachineState } from '@shared/contract/machine'
import { Button } from '../widgets/Button'
import { perform } from './actions'
import { call } from './client'
import { useBridge, useFrontMachine, useFrontName } from './machines'
import { attempt } from './messages'
import { shortcutOf } from './shortcuts'
import { useShellState } from './shellState'

const chooseAnother = () => useShellState.setState({ chooserIsOpen: true })

/** When the machine in front does not run live: what happened, what to do, and the buttons to do it. */
export function StatePanel() {
  const state = useFrontMachine()
  const name = useFrontName()
  const bridge = useBridge()
  // The bridge's own banner says all there is to say then.
  if (bridge.state !== 'ready') return null
  if (!state || state.connection === 'idle') return <Disconnected title={state?.title ?? name} state={state} />
  switch (state.connection) {
    case 'connecting':
      return (
        <div className="state-panel" role="status">
          <p>
            <strong>Connecting to {state.title}…</strong> {state.reason}
          </p>
          <Button label="Stop trying" onClick={() => perform('machine.disconnect')} />
        </div>
      )
    case 'lost':
      return (
        <div className="state-panel bad" role="alert">
          <p>
            <strong>{state.title} is not connected.</strong> {state.reason} {state.hint}
          </p>
          <Button label="Connect again" icon={Plug} look="primary" shortcut={shortcutOf('machine.connect')} onClick={() => perform('machine.connect')} />
          <Button label="Another machine…" onClick={chooseAnother} />
        </div>
      )
    case 'stale':
      return (
        <div className="state-panel warn" role="status">
          <p>
            <strong>{state.title} does not answer in time.</strong> {state.reason ?? 'What you see is the last that came.'} {state.hint}
          </p>
          <Button label="Disconnect" onClick={() => perform('machine.disconnect')} />
        </div>
      )
    case 'live':
      return <LiveButNotRunning state={state} />
  }
}

function Disconnected({ title, state }: { readonly title: string; readonly state: MachineState | undefined }) {
  return (
    <div className="state-panel" role="status">
      <p>
        <strong>{title} is not connected.</strong> {state?.reason} {state?.hint}
      </p>
      <Button label="Connect" icon={Plug} look="primary" shortcut={shortcutOf('machine.connect')} onClick={() => perform('machine.connect')} />
      <Button label="Another machine…" onClick={chooseAnother} />
    </div>
  )
}

function LiveButNotRunning({ state }: { readonly state: MachineState }) {
  if (state.execution === 'jammed') {
    return (
      <div className="state-panel bad" role="alert">
        <p>
          <strong>The CPU has stopped for good.</strong> {state.reason} {state.hint}
        </p>
        <Button label="Reset" icon={RotateCcw} look="primary" shortcut={shortcutOf('machine.reset')} onClick={() => perform('machine.reset')} />
      </div>
    )
  }
  if (state.sampling.mode === 'off') {
    const sampling = () => attempt(() => call('machine.setSampling', { machine: state.machine, mode: 'free', rate: state.sampling.rate || 10 }))
    return (
      <div className="state-panel warn" role="status">
        <p>
          <strong>Nothing is sampled from {state.title}.</strong> {state.notices.join(' ')}
        </p>
        <Button label="Start sampling" look="primary" onClick={sampling} />
      </div>
    )
  }
  return null
}
