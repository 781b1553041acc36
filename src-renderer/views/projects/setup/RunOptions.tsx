import { executionModes, type ChangedOptions } from '@shared/contract/loopOptions'
import type { LoopName } from '@shared/contract/loops'
import { call } from '../../../client/call'
import { attempt } from '../../../client/messages'
import { Check } from '../../../widgets/Check'
import { Help } from '../../../widgets/form/Field'
import { NumberField } from '../../../widgets/NumberField'
import { visibleText } from '../../../widgets/visibleText'
import { flagOptions, numberOptions, offeredOptions, optionsText } from './runOptions'
import type { Setup } from './useLoopSetup'

interface RunOptionsProps {
  readonly name: LoopName
  readonly setup: Pick<Setup, 'options' | 'agents'>
  readonly onChosen: () => void
}

/** What the command line's options are to a start there: kept for the run, for all starts from here. */
export function RunOptions({ name, setup: { options, agents }, onChosen }: RunOptionsProps) {
  const { numbers, flags, hasMode, hasAgent } = offeredOptions(name)
  const text = optionsText(options)
  const choose = (changed: ChangedOptions) =>
    attempt(async () => {
      await call('loops.chooseOptions', { ...name, changed })
      onChosen()
    })
  return (
    <details className="run-options">
      <summary>Options{text === '' ? null : <span className="muted">: {visibleText(text)}</span>}</summary>
      <div className="run-roles" role="group" aria-label="Options of each start">
        {numbers.map((number) => {
          const { label, unit, ...bounds } = numberOptions[number]
          const value = options[number]
          return (
            <NumberField
              key={number}
              label={label}
              value={value === undefined ? null : value / unit}
              {...bounds}
              mayBeEmpty
              onChange={(typed) => choose({ [number]: typed === null ? null : typed * unit })}
            />
          )
        })}
        {hasMode ? (
          <Choice
            label="phases run"
            value={options.mode}
            empty="as the session says"
            values={executionModes}
            onChoose={(value) => choose({ mode: executionModes.find((mode) => mode === value) ?? null })}
          />
        ) : null}
        {hasAgent ? (
          <Choice
            label="agent"
            value={options.agent}
            empty="named as its prompt"
            values={agents}
            onChoose={(agent) => choose({ agent })}
          />
        ) : null}
        {flags.map((flag) => (
          <span key={flag} className="run-flag">
            <Check
              label={flagOptions[flag].label}
              checked={options[flag] === true}
              onChange={(isOn) => choose({ [flag]: isOn ? true : null })}
            />
            <Help help={flagOptions[flag].about} />
          </span>
        ))}
      </div>
    </details>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: string | undefined
  /** Where nothing is chosen. */
  readonly empty: string
  readonly values: readonly string[]
  readonly onChoose: (value: string | null) => void
}

const Choice = ({ label, value, empty, values, onChoose }: ChoiceProps) => (
  <label>
    <span className="muted">{label}</span>
    <select value={value ?? ''} onChange={({ target }) => onChoose(target.value || null)}>
      <option value="">{empty}</option>
      {values.map((known) => (
        <option key={known}>{known}</option>
      ))}
    </select>
  </label>
)
