import { Popover } from 'radix-ui'
import { useId, useState } from 'react'
import { samplingModes, type MachineState, type SamplingMode } from '@shared/contract/machine'
import { Tip } from '../widgets/Tip'
import { call } from '../client/call'
import { attempt } from '../client/messages'

const titles: Readonly<Record<SamplingMode, string>> = { off: 'Off', free: 'Free-running', lockStep: 'Lock-step' }

const explanations: Readonly<Record<SamplingMode, string>> = {
  off: 'Nothing is read until you ask.',
  free: 'The machine runs at its own speed and is read so many times a second.',
  lockStep: 'Bridgedeck runs the machine frame by frame and reads it after each one.',
}

const MIN_RATE = 0.1
const MAX_RATE = 60

export function SamplingControl({ state }: { readonly state: MachineState }) {
  const { mode, measured } = state.sampling
  const text = mode === 'off' ? 'off' : `${measured.toFixed(1)}/s`
  return (
    <Popover.Root>
      <Tip
        text={
          mode === 'off'
            ? 'Nothing is read from the machine.'
            : `Samples of the machine a second, ${titles[mode].toLowerCase()}.`
        }
      >
        <Popover.Trigger asChild>
          <button type="button" className="button plain figure">
            <span className="muted">sampling</span> <span className="data">{text}</span>
          </button>
        </Popover.Trigger>
      </Tip>
      <Popover.Portal>
        <Popover.Content className="popover sampling" sideOffset={4} collisionPadding={8} aria-label="Sampling">
          <SamplingForm state={state} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

function SamplingForm({ state }: { readonly state: MachineState }) {
  const { mode, rate } = state.sampling
  const name = useId()
  const [typed, setTyped] = useState(String(rate || 10))
  const typedRate = Number(typed)
  const isValid = typedRate >= MIN_RATE && typedRate <= MAX_RATE
  // The wanted mode shows at once; the machine's own report follows.
  const [wanted, setWanted] = useState<SamplingMode | null>(null)
  const set = (nextMode: SamplingMode, nextRate: number) => {
    setWanted(nextMode)
    attempt(async () => {
      try {
        await call('machine.setSampling', { machine: state.machine, mode: nextMode, rate: nextRate })
      } catch (error) {
        setWanted(null)
        throw error
      }
    })
  }
  return (
    <fieldset>
      <legend className="hidden-visually">How the machine is read</legend>
      {samplingModes.map((choice) => {
        const why = choice === 'lockStep' ? state.capabilities.lockStep : null
        return (
          <label key={choice} className="choice">
            <input
              type="radio"
              name={name}
              checked={(wanted ?? mode) === choice}
              disabled={why !== null}
              onChange={() => set(choice, isValid ? typedRate : 10)}
            />
            <span>
              {titles[choice]}
              <span className="muted choice-about">{why ?? explanations[choice]}</span>
            </span>
          </label>
        )
      })}
      {state.samplingRisk === null ? null : <p className="warn-text">{state.samplingRisk}</p>}
      <label className="rate">
        Samples a second, {MIN_RATE} to {MAX_RATE}
        <input
          className="field data"
          inputMode="decimal"
          value={typed}
          aria-invalid={!isValid}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={() => {
            if (isValid && typedRate !== rate && mode === 'free') set('free', typedRate)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && isValid) set('free', typedRate)
          }}
        />
      </label>
    </fieldset>
  )
}
