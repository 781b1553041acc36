import { counted } from '@shared/countedText'
import type { Output } from '@shared/contract/contract'
import type { Settings } from '@shared/contract/settings'
import { themes, type Theme } from '@shared/contract/window'
import { perform } from '../../client/actions'
import { call } from '../../client/call'
import { FilePath } from '../../client/FilePath'
import { useAnswer } from '../../client/useAnswer'
import { changeSettings, useSettings, useSettingsState } from '../../client/settings'
import { chooseTheme, useTheme } from '../../client/theme'
import type { ViewProps } from '../../client/view'
import { Button } from '../../widgets/Button'
import { Check } from '../../widgets/Check'
import { IndexedPage } from '../../widgets/IndexedPage'
import { Segments } from '../../widgets/Segments'
import { DataSection } from './DataSection'
import { JoystickSection, KeyboardSection } from './inputSections'
import { BuiltInSection, ViceSection } from './machineSections'
import { NumberField } from '../../widgets/NumberField'
import { Row, Section, type SectionProps } from './parts'
import type { SettingRow } from '../../client/settingRows'
import './settings.css'

export function SettingsView(_: ViewProps) {
  const settings = useSettings()
  const known = useSettingsState((state) => state.known)
  return (
    <IndexedPage
      className="settings"
      columns={[
        <>
          <BuiltInSection settings={settings} />
          <ViceSection settings={settings} />
          <RecordingsSection settings={settings} />
          <WindowSection settings={settings} />
          <DataSection />
        </>,
        <>
          <KeyboardSection settings={settings} />
          <JoystickSection settings={settings} />
          <RunsSection settings={settings} />
          <Button
            label="Reset all but the files"
            tip="Restores the defaults for standard, CIA model, history, sampling, keys, joystick and recordings. Chosen ROM files and the VICE program stay."
            onClick={() => perform('settings.reset')}
          />
        </>,
      ]}
    >
      {known ? null : (
        <p className="muted" role="status">
          Waiting for the bridge to start…
        </p>
      )}
    </IndexedPage>
  )
}

const GIB = 1024 ** 3

function RecordingsSection({ settings: { recordings } }: SectionProps) {
  const { maxBytes, maxDays } = recordings
  return (
    <Section title="Recordings">
      <Row
        row="recordings"
        about="A new recording deletes the oldest ones that are not pinned until the rest fits; their tasks stay, and their logs say so. An empty field sets no limit."
      >
        <NumberField
          label="GiB of recordings at most"
          value={maxBytes === null ? null : Math.round((maxBytes / GIB) * 100) / 100}
          min={0.01}
          max={100_000}
          mayBeEmpty
          onChange={(size) =>
            changeSettings({ recordings: { maxDays, maxBytes: size === null ? null : Math.round(size * GIB) } })
          }
        />
        <NumberField
          label="days at most"
          value={maxDays}
          min={1}
          max={36_500}
          mayBeEmpty
          onChange={(days) => changeSettings({ recordings: { maxBytes, maxDays: days } })}
        />
      </Row>
    </Section>
  )
}

const themeTitles: Readonly<Record<Theme, string>> = { light: 'Light', dark: 'Dark', system: 'As the system' }

interface LimitRow {
  readonly row: SettingRow
  readonly cost: keyof Settings['agentLimits']
  readonly hours: keyof Settings['agentLimits']
  readonly about: string
}

const limitRows: readonly LimitRow[] = [
  {
    row: 'runLimits',
    cost: 'runCost',
    hours: 'runHours',
    about:
      'What agents may cost, and how long they may work, in one run over all its starts. Then the run waits for you in the inbox, where you raise its limit. An empty field sets no limit.',
  },
  {
    row: 'dayLimits',
    cost: 'dayCost',
    hours: 'dayHours',
    about: 'The same for all runs together, from midnight on.',
  },
  {
    row: 'nightLimits',
    cost: 'nightCost',
    hours: 'nightHours',
    about: 'The same for all runs together, from noon to noon: midnight does not renew it.',
  },
  { row: 'totalLimits', cost: 'totalCost', hours: 'totalHours', about: 'The same for all runs together, ever.' },
]

function RunsSection({ settings }: SectionProps) {
  return (
    <Section title="Runs">
      <Row
        row="uncommittedChanges"
        about="When a turn ends and files that it changed are not committed, the run waits for you: commit, stash or leave them. A run can have a rule of its own, among its actions."
      >
        <Check
          label="Wait for me"
          checked={settings.uncommittedChanges === 'ask'}
          onChange={(asks) => changeSettings({ uncommittedChanges: asks ? 'ask' : 'report' })}
        />
      </Row>
      <Row
        row="agentsLeave"
        about="What an agent set at a machine and did not take back: pause, warp, slow motion, checkpoints, frozen values, and keys and joysticks that it holds. Otherwise it stays, and is named in Agents and to the next agent."
      >
        <Check
          label="Take back when it disconnects"
          checked={settings.agentsLeave === 'takeBack'}
          onChange={(takesBack) => changeSettings({ agentsLeave: takesBack ? 'takeBack' : 'name' })}
        />
      </Row>
      {limitRows.map(({ row, cost, hours, about }) => (
        <Row key={row} row={row} about={about}>
          <NumberField
            label="USD at most"
            value={settings.agentLimits[cost]}
            min={0.01}
            max={1_000_000}
            mayBeEmpty
            onChange={(value) => changeSettings({ agentLimits: { ...settings.agentLimits, [cost]: value } })}
          />
          <NumberField
            label="hours at most"
            value={settings.agentLimits[hours]}
            min={0.1}
            max={1_000_000}
            mayBeEmpty
            onChange={(value) => changeSettings({ agentLimits: { ...settings.agentLimits, [hours]: value } })}
          />
        </Row>
      ))}
      <PricesRow />
    </Section>
  )
}

/** The file is the person's: it is shown, never written by the page. */
function PricesRow() {
  const { data, again } = useAnswer('prices', true, (signal) => call('agents.prices', {}, { signal }))
  const show = async () => {
    await call('window.showPrices', {})
    again()
  }
  return (
    <Row
      row="prices"
      about="Your own file: USD for a million tokens of each model, with date and source. Turns whose agent does not tell its cost are priced by it, and marked ≈."
    >
      {data ? <FilePath path={data.path} onShow={show} /> : null}
      <span className={data?.problem ? 'problem' : 'muted'}>{data ? pricesText(data) : ''}</span>
    </Row>
  )
}

const pricesText = ({ isThere, prices, problem }: Output<'agents.prices'>): string =>
  problem ?? (isThere ? `${counted(prices.length, 'price')}.` : 'Not there yet: showing it makes it.')

const quietHourFields = [
  { name: 'from', label: 'o’clock, to' },
  { name: 'to', label: 'o’clock' },
] as const

function WindowSection({ settings }: SectionProps) {
  const theme = useTheme((state) => state.theme)
  return (
    <Section title="Window">
      <Row row="theme">
        <Segments
          label="Theme"
          value={theme}
          options={themes.map((value) => ({ value, label: themeTitles[value] }))}
          onChange={chooseTheme}
        />
      </Row>
      <Row
        row="notifications"
        about="Once for each question, gate, approval and failure in an open project, when a run ends that you are not looking at, and when a task fails or finds its text. What ends while you are away is one notification."
      >
        <Check
          label="Notify on the desktop"
          checked={settings.notifications}
          onChange={(notifications) => changeSettings({ notifications })}
        />
      </Row>
      <Row
        row="quietHours"
        about="No notifications from the one hour of the day to the other, such as from 22 to 7. What happens is in the inbox and the report."
      >
        {quietHourFields.map(({ name, label }) => (
          <NumberField
            key={name}
            label={label}
            value={settings.quietHours[name]}
            min={0}
            max={23}
            isWhole
            mayBeEmpty
            onChange={(hour) => changeSettings({ quietHours: { ...settings.quietHours, [name]: hour } })}
          />
        ))}
      </Row>
      <Row row="layout">
        <Button label="Reset the layout" onClick={() => perform('view.resetLayout')} />
      </Row>
    </Section>
  )
}
