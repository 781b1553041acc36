import type { ReactNode } from 'react'
import { executionModes, type ChangedOptions } from '@shared/contract/loopOptions'
import type { LoopName } from '@shared/contract/loops'
import { call } from '../../../client/call'
import { attempt } from '../../../client/messages'
import { Check } from '../../../widgets/Check'
import { Help } from '../../../widgets/form/Field'
import { LineField } from '../../../widgets/LineField'
import { NumberField } from '../../../widgets/NumberField'
import { visibleText } from '../../../widgets/visibleText'
import { noteSetup } from './prepareFolder'
import { flagOptions, numberOptions, offeredOptions, optionsText, textOptions, type TextOption } from './runOptions'
import type { Setup } from './useLoopSetup'

interface RunOptionsProps {
  readonly name: LoopName
  readonly setup: Pick<Setup, 'options' | 'agents' | 'settings'>
  readonly children?: ReactNode
}

export function RunOptions({ name, setup: { options, agents, settings }, children }: RunOptionsProps) {
  const { numbers, texts, flags, hasMode, hasAgent, hasCleanup } = offeredOptions(name)
  const text = optionsText(options)
  const choose = (changed: ChangedOptions) =>
    attempt(async () => {
      await call('loops.chooseOptions', { ...name, changed })
      noteSetup()
    })
  const settingOf = (name: string) => settings.find((setting) => setting.name === name)?.value || undefined
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
              placeholder={settingOf(number)}
              onChange={(typed) => choose({ [number]: typed === null ? null : typed * unit })}
            />
          )
        })}
        {texts.map((text) => (
          <LineField
            key={text}
            label={textOptions[text].label}
            value={options[text] ?? ''}
            placeholder={settingOf(text)}
            problemOf={(typed) => problemOf(text, typed)}
            onChange={(typed) => choose({ [text]: typed === '' ? null : typed })}
          />
        ))}
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
        <Choice
          label="at its usage limit, use"
          value={options.secondAgent}
          empty="nobody: wait"
          values={agents}
          onChoose={(agent) => choose({ secondAgent: agent })}
        />
        {hasCleanup ? (
          <Choice
            label="prompts of a batch without a failure"
            value={options.MAESTRO_CLEANUP_DISPATCH}
            empty={settingOf('MAESTRO_CLEANUP_DISPATCH') === 'true' ? 'removed, as set' : 'kept, as set'}
            values={['true', 'false']}
            words={{ true: 'removed', false: 'kept' }}
            onChoose={(value) =>
              choose({ MAESTRO_CLEANUP_DISPATCH: value === 'true' || value === 'false' ? value : null })
            }
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
      {children}
    </details>
  )
}

function problemOf(option: TextOption, typed: string): string | null {
  const { error } = textOptions[option].schema.safeParse(typed === '' ? undefined : typed)
  return error ? (error.issues[0]?.message ?? 'not a value of this option') : null
}

interface ChoiceProps {
  readonly label: string
  readonly value: string | undefined
  readonly empty: string
  readonly values: readonly string[]
  readonly words?: Readonly<Record<string, string>>
  readonly onChoose: (value: string | null) => void
}

const Choice = ({ label, value, empty, values, words = {}, onChoose }: ChoiceProps) => (
  <label>
    <span className="muted">{label}</span>
    <select value={value ?? ''} onChange={({ target }) => onChoose(target.value || null)}>
      <option value="">{empty}</option>
      {values.map((known) => (
        <option key={known} value={known}>
          {words[known] ?? known}
        </option>
      ))}
    </select>
  </label>
)
