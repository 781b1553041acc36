import { useId, useState, type ReactNode } from 'react'
import { samplingModes, type SamplingMode } from '@shared/contract/machine'
import { defaultSettings, type PathSetting, type Settings } from '@shared/contract/settings'
import { themes, type Theme } from '@shared/contract/window'
import { perform } from '../../client/actions'
import { call } from '../../client/call'
import { connectMachine } from '../../client/machineControl'
import { findMachine, useMachines } from '../../client/machines'
import { attempt } from '../../client/messages'
import { changeSettings, receiveSettings, useSettings, useSettingsState } from '../../client/settings'
import { chooseTheme, useTheme } from '../../client/theme'
import type { ViewProps } from '../../client/view'
import { Button } from '../../widgets/Button'
import { Segments } from '../../widgets/Segments'
import { JoystickKeys, KeyOverrides } from './KeyTables'
import './settings.css'

const samplingTitles: Readonly<Record<SamplingMode, string>> = {
  off: 'Off',
  free: 'Free-running',
  lockStep: 'Lock-step',
}
const themeTitles: Readonly<Record<Theme, string>> = { light: 'Light', dark: 'Dark', system: 'As the system' }

/** Everything that can be set, in one page; each change takes effect at once. */
export function SettingsView(_: ViewProps) {
  const settings = useSettings()
  const known = useSettingsState((state) => state.known)
  return (
    <div className="view-content settings">
      {known ? null : (
        <p className="muted" role="status">
          The settings come as soon as the bridge has started.
        </p>
      )}
      <BuiltInSection settings={settings} />
      <ViceSection settings={settings} />
      <KeyboardSection settings={settings} />
      <JoystickSection settings={settings} />
      <RecordingsSection settings={settings} />
      <WindowSection settings={settings} />
      <Button
        label="Reset all but the files"
        tip="Standard, sampling, keys, joystick and recordings as they were at first. Chosen ROM files and the VICE program stay."
        onClick={resetToDefaults}
      />
    </div>
  )
}

function resetToDefaults(): void {
  const { standard, useViceRoms, viceSampling, keyMapping, keyOverrides, joystickKeys, joystickPort, recordings } =
    defaultSettings
  changeSettings({
    standard,
    useViceRoms,
    viceSampling,
    keyMapping,
    keyOverrides,
    joystickKeys,
    joystickPort,
    recordings,
  })
}

interface SectionProps {
  readonly settings: Settings
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId()
  return (
    <section className="settings-section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <div className="settings-rows">{children}</div>
    </section>
  )
}

/** A name, its control, and what it means. `name` labels a group of controls; a lone control has its own label. */
function Row({
  name,
  about,
  children,
}: {
  readonly name: string
  readonly about?: ReactNode
  readonly children: ReactNode
}) {
  const id = useId()
  return (
    <div className="settings-row" role="group" aria-labelledby={id}>
      <span id={id}>{name}</span>
      <div>
        <div className="settings-controls">{children}</div>
        {about === undefined ? null : <p className="muted">{about}</p>}
      </div>
    </div>
  )
}

/** Files and programs are chosen in a dialog of the system: the window itself never names a path. */
function PathRow({
  setting,
  name,
  unset,
  settings,
}: { readonly setting: PathSetting; readonly name: string; readonly unset: string } & SectionProps) {
  const path = settings[setting]
  const ask = (command: 'settings.choosePath' | 'settings.clearPath') =>
    attempt(async () => receiveSettings(await call(command, { setting })))
  return (
    <Row name={name}>
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

function BuiltInSection({ settings }: SectionProps) {
  const notices = useMachines((state) => findMachine(state, 'builtin')?.notices)
  const romNotices = (notices ?? []).filter((notice) => /\bROM/i.test(notice))
  const unset = settings.useViceRoms ? 'VICE’s when it is found, else Bridgedeck’s own' : 'Bridgedeck’s own'
  return (
    <Section title="Built-in C64">
      <Row name="Standard at start">
        <Segments
          label="Video standard at start"
          value={settings.standard}
          options={[
            { value: 'pal', label: 'PAL' },
            { value: 'ntsc', label: 'NTSC' },
          ]}
          onChange={(standard) => changeSettings({ standard })}
        />
      </Row>
      <PathRow setting="kernalRom" name="KERNAL ROM" unset={unset} settings={settings} />
      <PathRow setting="basicRom" name="BASIC ROM" unset={unset} settings={settings} />
      <PathRow setting="characterRom" name="Character ROM" unset={unset} settings={settings} />
      <Row
        name="ROMs of VICE"
        about={
          romNotices.length === 0
            ? 'No Commodore ROM comes with Bridgedeck; its own boot ROM has no BASIC.'
            : romNotices.join(' ')
        }
      >
        <label className="check">
          <input
            type="checkbox"
            checked={settings.useViceRoms}
            onChange={({ target }) => changeSettings({ useViceRoms: target.checked })}
          />
          Use the ROMs of an installed VICE where no file is chosen
        </label>
      </Row>
      <Row
        name="Taking effect"
        about="ROMs and standard are read when the built-in C64 starts. What runs in it is lost then."
      >
        <Button label="Start the built-in C64 anew" onClick={() => attempt(restartBuiltIn)} />
      </Row>
    </Section>
  )
}

async function restartBuiltIn(): Promise<void> {
  const machine = 'builtin'
  await call('machine.disconnect', { machine })
  await connectMachine(machine)
  await call('machine.reset', { machine, kind: 'power' })
}

function ViceSection({ settings }: SectionProps) {
  const { mode, rate } = settings.viceSampling
  const [typed, setTyped] = useState<string | null>(null)
  const typedRate = Number(typed ?? rate)
  const isValid = typedRate >= 0.1 && typedRate <= 60
  const commit = () => {
    if (!isValid) return
    changeSettings({ viceSampling: { mode, rate: typedRate } })
    setTyped(null)
  }
  return (
    <Section title="VICE">
      <PathRow setting="viceExecutable" name="Program" unset="x64sc or x64 as found on the PATH" settings={settings} />
      <Row
        name="Sampling at first"
        about="Below VICE 3.9 free-running sampling can disturb the program, so it then starts only when you ask."
      >
        <select
          className="field"
          aria-label="Mode of sampling"
          value={mode}
          onChange={({ target }) =>
            changeSettings({
              viceSampling: { mode: samplingModes.find((candidate) => candidate === target.value) ?? 'free', rate },
            })
          }
        >
          {samplingModes.map((candidate) => (
            <option key={candidate} value={candidate}>
              {samplingTitles[candidate]}
            </option>
          ))}
        </select>
        <label className="check">
          <input
            className="field data settings-number"
            inputMode="decimal"
            aria-invalid={!isValid}
            value={typed ?? String(rate)}
            onChange={({ target }) => setTyped(target.value)}
            onBlur={commit}
            onKeyDown={({ key }) => {
              if (key === 'Enter') commit()
            }}
          />
          samples a second{isValid ? '' : ': 0.1 to 60'}
        </label>
      </Row>
    </Section>
  )
}

function KeyboardSection({ settings }: SectionProps) {
  const name = useId()
  const mappings = [
    { value: 'symbolic', title: 'By character', about: 'a key types what is printed on it' },
    { value: 'positional', title: 'By place', about: 'a key presses the C64 key in its place' },
  ] as const
  return (
    <Section title="Keyboard">
      <Row name="Keys press">
        {mappings.map(({ value, title, about }) => (
          <label key={value} className="check">
            <input
              type="radio"
              name={name}
              checked={settings.keyMapping === value}
              onChange={() => changeSettings({ keyMapping: value })}
            />
            {title} <span className="muted">({about})</span>
          </label>
        ))}
      </Row>
      <Row name="Exceptions" about="Keys that press a C64 key of your choice, whatever the rule above says.">
        <KeyOverrides overrides={settings.keyOverrides} />
      </Row>
    </Section>
  )
}

function JoystickSection({ settings }: SectionProps) {
  return (
    <Section title="Joystick">
      <Row name="Port">
        <Segments
          label="Joystick port"
          value={settings.joystickPort === 1 ? '1' : '2'}
          options={[
            { value: '1', label: 'Port 1' },
            { value: '2', label: 'Port 2' },
          ]}
          onChange={(port) => changeSettings({ joystickPort: port === '1' ? 1 : 2 })}
        />
      </Row>
      <Row name="Keys" about="They move the joystick while “Keys move the joystick” is on. A gamepad always does.">
        <JoystickKeys keys={settings.joystickKeys} />
      </Row>
    </Section>
  )
}

const GIB = 1024 ** 3

function RecordingsSection({ settings: { recordings } }: SectionProps) {
  const { maxBytes, maxDays } = recordings
  return (
    <Section title="Recordings">
      <Row
        name="Keep"
        about="When a recording begins, the oldest ones that are not pinned are deleted until the rest fits; their tasks stay, and their logs say so. An empty field sets no limit."
      >
        <LimitField
          label="GiB of recordings at most"
          value={maxBytes === null ? null : Math.round((maxBytes / GIB) * 100) / 100}
          min={0.01}
          max={100_000}
          onChange={(size) =>
            changeSettings({ recordings: { maxDays, maxBytes: size === null ? null : Math.round(size * GIB) } })
          }
        />
        <LimitField
          label="days at most"
          value={maxDays}
          min={1}
          max={36_500}
          onChange={(days) => changeSettings({ recordings: { maxBytes, maxDays: days } })}
        />
      </Row>
    </Section>
  )
}

interface LimitFieldProps {
  readonly label: string
  /** Null for no limit. */
  readonly value: number | null
  readonly min: number
  readonly max: number
  readonly onChange: (value: number | null) => void
}

/** A number that may be left empty. It is taken over when the field is left or Enter is pressed. */
function LimitField({ label, value, min, max, onChange }: LimitFieldProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? (value === null ? '' : String(value))
  const wanted = text.trim() === '' ? null : Number(text)
  const isValid = wanted === null || (wanted >= min && wanted <= max)
  const commit = () => {
    if (!isValid || typed === null) return
    onChange(wanted)
    setTyped(null)
  }
  return (
    <label className="check">
      <input
        className="field data settings-number"
        inputMode="decimal"
        aria-invalid={!isValid}
        value={text}
        placeholder="–"
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

function WindowSection({ settings }: SectionProps) {
  const theme = useTheme((state) => state.theme)
  return (
    <Section title="Window">
      <Row name="Theme">
        <Segments
          label="Theme"
          value={theme}
          options={themes.map((value) => ({ value, label: themeTitles[value] }))}
          onChange={chooseTheme}
        />
      </Row>
      <Row
        name="Notifications"
        about="Once for each question, gate, approval and failure that comes up in an open project, and when a task fails or finds its text."
      >
        <label className="check">
          <input
            type="checkbox"
            checked={settings.notifications}
            onChange={({ target }) => changeSettings({ notifications: target.checked })}
          />
          Tell on the desktop
        </label>
      </Row>
      <Row name="Layout">
        <Button label="Reset the layout" onClick={() => perform('view.resetLayout')} />
      </Row>
    </Section>
  )
}
