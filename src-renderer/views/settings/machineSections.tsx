import { MAX_HISTORY_MEGABYTES, MAX_PAST_SECONDS, MIN_HISTORY_MEGABYTES } from '@shared/contract/machine'
import type { Settings } from '@shared/contract/settings'
import { perform } from '../../client/actions'
import { findMachine, useMachines } from '../../client/machines'
import { changeSettings } from '../../client/settings'
import { Button } from '../../widgets/Button'
import { Check } from '../../widgets/Check'
import { NumberField } from '../../widgets/NumberField'
import { PathRow, Row, Section, SettingSegments, type SectionProps } from './parts'
import { keptText } from './keptText'
import { chooseSetting, settingChoices } from './settingChoices'

export function BuiltInSection({ settings }: SectionProps) {
  const notices = useMachines((state) => findMachine(state, 'builtin')?.notices)
  const romNotices = (notices ?? []).filter((notice) => /\bROM/i.test(notice))
  const unset = settings.useViceRoms ? 'VICE’s if found, else Bridgedeck’s own' : 'Bridgedeck’s own'
  return (
    <Section title="Built-in C64">
      <Row row="standard">
        <SettingSegments label="Video standard at start" choice="standard" settings={settings} />
      </Row>
      <Row
        row="ciaModel"
        about="8521: the C64C, and VICE’s default. 6526: older C64s, whose timers interrupt a cycle later."
      >
        <SettingSegments label="CIA model" choice="ciaModel" settings={settings} />
      </Row>
      <Row
        row="vicModel"
        about="8565: the C64C, and VICE’s default. 6569: older C64s. With NTSC they are the 8562 and the 6567."
      >
        <SettingSegments label="VIC-II model" choice="vicModel" settings={settings} />
      </Row>
      <HistoryRow history={settings.history} />
      <PathRow setting="kernalRom" unset={unset} settings={settings} />
      <PathRow setting="basicRom" unset={unset} settings={settings} />
      <PathRow
        setting="characterRom"
        about="Also used for text of files, and of machines that do not show their character ROM."
        unset={unset}
        settings={settings}
      />
      <Row
        row="useViceRoms"
        about={
          romNotices.length === 0
            ? 'Bridgedeck comes without Commodore ROMs; its own boot ROM has no BASIC.'
            : romNotices.join(' ')
        }
      >
        <Check
          label="Use the ROMs of an installed VICE where no file is chosen"
          checked={settings.useViceRoms}
          onChange={(useViceRoms) => changeSettings({ useViceRoms })}
        />
      </Row>
      <Row
        row="restart"
        about="Standard, models, history and ROMs are read when the built-in C64 starts. A restart ends what runs in it."
      >
        <Button label="Restart the built-in C64" onClick={() => perform('machine.restartBuiltIn')} />
      </Row>
    </Section>
  )
}

function HistoryRow({ history }: Pick<Settings, 'history'>) {
  const kept = useMachines((state) => keptText(findMachine(state, 'builtin')?.past))
  const { minutes, megabytes } = history
  return (
    <Row
      row="history"
      about={`How far the built-in C64 can go back: the oldest moments are dropped at either limit.${kept === null ? '' : ` ${kept}`}`}
    >
      <NumberField
        label="minutes at most"
        value={minutes}
        min={1}
        max={MAX_PAST_SECONDS / 60}
        onChange={(typed) => changeSettings({ history: { megabytes, minutes: typed ?? minutes } })}
      />
      <NumberField
        label="MB of memory at most"
        value={megabytes}
        min={MIN_HISTORY_MEGABYTES}
        max={MAX_HISTORY_MEGABYTES}
        isWhole
        onChange={(typed) => changeSettings({ history: { minutes, megabytes: typed ?? megabytes } })}
      />
    </Row>
  )
}

export function ViceSection({ settings }: SectionProps) {
  const { mode, rate } = settings.viceSampling
  return (
    <Section title="VICE">
      <PathRow setting="viceExecutable" unset="x64sc or x64 as found on the PATH" settings={settings} />
      <Row
        row="viceSampling"
        about="Automatic: lock-step for a VICE that Bridgedeck starts, free-running for one that runs already. In one below 3.9, watching can disturb the program, so there it starts only when you ask."
      >
        <select
          className="field"
          aria-label="Sampling mode"
          value={mode}
          onChange={({ target }) => chooseSetting('viceSampling', target.value)}
        >
          {Object.entries(settingChoices.viceSampling.options).map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
        <NumberField
          label="samples per second"
          value={rate}
          min={0.1}
          max={60}
          onChange={(typed) => changeSettings({ viceSampling: { mode, rate: typed ?? rate } })}
        />
      </Row>
    </Section>
  )
}
