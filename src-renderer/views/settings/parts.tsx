import { useId, type ReactNode } from 'react'
import type { PathSetting, Settings } from '@shared/contract/settings'
import { call } from '../../client/call'
import { attempt } from '../../client/messages'
import { receiveSettings } from '../../client/settings'
import { Button } from '../../widgets/Button'
import { Segments } from '../../widgets/Segments'
import { chooseSetting, settingChoice, type ChosenSetting } from './settingChoices'
import { idOfRow, settingRows, type SettingRow } from '../../client/settingRows'

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
  readonly row: SettingRow
  readonly about?: ReactNode
  readonly children: ReactNode
}

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

interface PathRowProps extends SectionProps, Pick<RowProps, 'about'> {
  readonly setting: PathSetting
  readonly unset: string
}

/** Chosen in a dialog of the system: the page itself never names a path. */
export function PathRow({ setting, unset, about, settings }: PathRowProps) {
  const path = settings[setting]
  const ask = (command: 'settings.choosePath' | 'settings.clearPath') =>
    attempt(async () => receiveSettings(await call(command, { setting })))
  return (
    <Row row={setting} about={about}>
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
