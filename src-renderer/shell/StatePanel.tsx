import { Plug, RotateCcw } from 'lucide-react'
import type { MachineState } from '@shared/contract/machine'
import { Button } from '../widgets/Button'
import { perform } from '../client/actions'
import { useBridge, useFrontMachine, useFrontName } from '../client/machines'
import { useReplays } from '../client/replays'
import { shortcutOf } from '../client/shortcuts'
import { Strip } from './Strip'
import { describeRetry, notReachedText, whyNotSampled } from '../client/machineLabels'

export function StatePanel() {
  const state = useFrontMachine()
  const name = useFrontName()
  const bridge = useBridge()
  if (bridge.state !== 'ready') return null
  return (
    <>
      {!state || state.connection === 'idle' ? (
        <Disconnected title={state?.title ?? name} state={state} />
      ) : (
        <Connection key={state.connection} state={state} />
      )}
      {state ? <ProgramProblem state={state} /> : null}
    </>
  )
}

function Connection({ state }: { readonly state: MachineState }) {
  switch (state.connection) {
    case 'idle':
      return null
    case 'connecting':
      if (state.retry !== null) return <NotReached state={state} />
      return (
        <Strip
          kind="state-panel"
          role="status"
          buttons={<Button label="Stop trying" onClick={() => perform('machine.disconnect')} />}
        >
          <strong>Connecting to {state.title}…</strong> {state.reason}
        </Strip>
      )
    case 'lost':
      return <NotReached state={state} />
    case 'stale':
      return (
        <Strip
          kind="state-panel"
          tone="warn"
          role="status"
          buttons={<Button label="Disconnect" onClick={() => perform('machine.disconnect')} />}
        >
          <strong>{state.title} does not answer in time.</strong>{' '}
          {state.reason ?? 'What you see is the last that came.'} {state.hint}
        </Strip>
      )
    case 'live':
      return <LiveButNotRunning state={state} />
  }
}

function NotReached({ state }: { readonly state: MachineState }) {
  const retry = describeRetry(state)
  const buttons = (
    <>
      {state.connection === 'lost' ? (
        <Button
          label={retry === null ? 'Connect again' : 'Try now'}
          icon={Plug}
          look="primary"
          shortcut={shortcutOf('machine.connect')}
          onClick={() => perform('machine.connect')}
        />
      ) : null}
      {retry === null ? null : <Button label="Stop trying" onClick={() => perform('machine.disconnect')} />}
      <Button label="Another machine…" onClick={() => perform('machine.choose')} />
    </>
  )
  return (
    <Strip kind="state-panel" tone="bad" buttons={buttons}>
      <span role="alert">
        <strong>{notReachedText(state)}</strong> {state.reason}
      </span>{' '}
      {retry} {state.hint}
    </Strip>
  )
}

function ProgramProblem({ state: { program } }: { readonly state: MachineState }) {
  if (!program || program.problem === null) return null
  const stop = program.watched ? (
    <Button label="Stop rerunning it" onClick={() => perform('program.stopWatching')} />
  ) : null
  return (
    <Strip key={program.problem} kind="state-panel" tone="warn" buttons={stop}>
      <span role="alert">{program.problem}</span>
    </Strip>
  )
}

function Disconnected({ title, state }: { readonly title: string; readonly state: MachineState | undefined }) {
  const buttons = (
    <>
      <Button
        label="Connect"
        icon={Plug}
        look="primary"
        shortcut={shortcutOf('machine.connect')}
        onClick={() => perform('machine.connect')}
      />
      <Button label="Another machine…" onClick={() => perform('machine.choose')} />
    </>
  )
  return (
    <Strip kind="state-panel" role="status" buttons={buttons}>
      <strong>{title} is not connected.</strong> {state?.reason} {state?.hint}
    </Strip>
  )
}

function Replaying({ machine, share }: { readonly machine: string; readonly share: number }) {
  const isOwn = useReplays((replays) => machine in replays)
  const cancel = isOwn ? (
    <Button label="Cancel" shortcut={shortcutOf('state.cancelLoad')} onClick={() => perform('state.cancelLoad')} />
  ) : null
  return (
    <Strip key="replaying" kind="state-panel" role="status" buttons={cancel}>
      <strong>
        Replaying<span aria-hidden>: {Math.floor(share * 100)} %</span>.
      </strong>{' '}
      The machine is what it was until the saved past is lived through.
    </Strip>
  )
}

function LiveButNotRunning({ state }: { readonly state: MachineState }) {
  if (state.replaying !== null) return <Replaying machine={state.machine} share={state.replaying} />
  if (state.execution === 'jammed') {
    const reset = (
      <Button
        label="Reset"
        icon={RotateCcw}
        look="primary"
        shortcut={shortcutOf('machine.reset')}
        onClick={() => perform('machine.reset')}
      />
    )
    return (
      <Strip key="jammed" kind="state-panel" tone="bad" role="alert" buttons={reset}>
        <strong>{state.reason ?? 'The CPU stopped at a JAM opcode, which halts a 6510.'}</strong>{' '}
        {state.hint ?? 'Reset the machine.'}
      </Strip>
    )
  }
  if (state.sampling.mode === 'off') {
    return (
      <Strip
        key="not sampled"
        kind="state-panel"
        tone="warn"
        role="status"
        buttons={<Button label="Start sampling" look="primary" onClick={() => perform('machine.sampling')} />}
      >
        <strong>Nothing is sampled from {state.title}.</strong> {whyNotSampled(state)} {state.notices.join(' ')}
      </Strip>
    )
  }
  return null
}
