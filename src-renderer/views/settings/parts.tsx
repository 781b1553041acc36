import { useId, useState, type ReactNode } from 'react'
import type { PathSetting, Settings } from '@shared/contract/settings'
import { call } from '../../client/call'
import { attempt } from '../../client/messages'
import { receiveSettings } from '../../client/settings'
import { Button } from '../../widgets/Button'
import { Segments } from '../../widgets/Segments'
import { chooseSetting, settingChoice, type ChosenSetting } from './settingChoices'
import { idOfRow, settingRows, type SettingRow } from './settingRows'

export interface SectionProps {
  readonly settings: Settings
}

export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId()
  return (
    <section className="settings-section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <div className="settings-rows">{children}</div>
    </section>
  )
}

interface RowProps {
  /** Its title labels the group of controls; a lone control has its own label. */
  readonly row: SettingRow
  readonly about?: ReactNode
  readonly children: ReactNode
}

/** A title, its controls, and what they mean. */
export function Row({ row, about, children }: RowProps) {
  const id = useId()
  return (
    <div id={idOfRow(row)} className="settings-row" role="group" aria-labelledby={id}>
      <span id={id}>{settingRows[row].title}</span>
      <div>
        <div className="settings-controls">{children}</div>
        {about === undefined ? null : <p className="muted">{about}</p>}
      </div>
    </div>
  )
}

interface SettingSegmentsProps extends SectionProps {
  readonly label: string
  readonly choice: ChosenSetting
}

/** A setting whose values stand side by side. */
export function SettingSegments({ label, choice, settings }: SettingSegmentsProps) {
  const { options, valueOf } = settingChoice(choice)
  return (
    <Segments
      label={label}
      value={valueOf(settings)}
      options={Object.entries(options).map(([value, title]) => ({ value, label: title }))}
      onChange={(value) => chooseSetting(choice, value)}
    />
  )
}

interface PathRowProps extends SectionProps {
  readonly setting: PathSetting
  readonly unset: string
}

/** Files and programs are chosen in a dialog of the system: the page itself never names a path. */
export function PathRow({ setting, unset, settings }: PathRowProps) {
  const path = settings[setting]
  const ask = (command: 'settings.choosePath' | 'settings.clearPath') =>
    attempt(async () => receiveSettings(await call(command, { setting })))
  return (
    <Row row={setting}>
      <span className={path === null ? 'settings-path muted' : 'settings-path data'} title={path ?? undefined}>
        {path ?? unset}
      </span>
      <Button label="Choose…" onClick={() => ask('settings.choosePath')} />
      <Button
        label="Clear"
        why={path === null ? 'Nothing is chosen.' : null}
        onClick={() => ask('settings.clearPath')}
      />
    </Row>
  )
}

interface NumberFieldProps {
  readonly label: string
  /** Null is an empty field. */
  readonly value: number | null
  readonly min: number
  readonly max: number
  readonly mayBeEmpty?: boolean
  readonly onChange: (value: number | null) => void
}

/** A number that takes effect when the field is left or Enter is pressed. */
export function NumberField({ label, value, min, max, mayBeEmpty = false, onChange }: NumberFieldProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? (value === null ? '' : String(value))
  const number = text.trim() === '' ? null : Number(text)
  const isValid = number === null ? mayBeEmpty : number >= min && number <= max
  const commit = () => {
    if (!isValid || typed === null) return
    onChange(number)
    setTyped(null)
  }
  return (
    <label className="check">
      <input
        className="field data settings-number"
        inputMode="decimal"
        aria-invalid={!isValid}
        value={text}
        placeholder={mayBeEmpty ? '–' : undefined}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={commit}
        onKeyDown={({ key }) => {
          if (key === 'Enter') commit()
        }}
      />
      {label}
      {isValid ? '' : `: ${min} to ${max}`}
    </label>
  )
}
