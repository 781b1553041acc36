import { ciaModels } from '@shared/contract/machine'
import { viceSamplingModes } from '@shared/contract/settings'
import { perform } from '../../client/actions'
import { findMachine, useMachines } from '../../client/machines'
import { changeSettings } from '../../client/settings'
import { Button } from '../../widgets/Button'
import { Check } from '../../widgets/Check'
import { Segments } from '../../widgets/Segments'
import { NumberField, PathRow, Row, Section, type SectionProps } from './parts'

export function BuiltInSection({ settings }: SectionProps) {
  const notices = useMachines((state) => findMachine(state, 'builtin')?.notices)
  const romNotices = (notices ?? []).filter((notice) => /\bROM/i.test(notice))
  const unset = settings.useViceRoms ? 'VICE’s if found, else Bridgedeck’s own' : 'Bridgedeck’s own'
  return (
    <Section title="Built-in C64">
      <Row row="standard">
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
      <Row
        row="ciaModel"
        about="8521: the C64C, and VICE’s default. 6526: older C64s, whose timers interrupt a cycle later."
      >
        <Segments
          label="CIA model"
          value={settings.ciaModel}
          options={ciaModels.map((value) => ({ value, label: value }))}
          onChange={(ciaModel) => changeSettings({ ciaModel })}
        />
      </Row>
      <PathRow setting="kernalRom" unset={unset} settings={settings} />
      <PathRow setting="basicRom" unset={unset} settings={settings} />
      <PathRow setting="characterRom" unset={unset} settings={settings} />
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
        about="Standard, CIA model and ROMs are read when the built-in C64 starts. A restart ends what runs in it."
      >
        <Button label="Restart the built-in C64" onClick={() => perform('machine.restartBuiltIn')} />
      </Row>
    </Section>
  )
}

type ViceSamplingMode = (typeof viceSamplingModes)[number]

const samplingTitles: Readonly<Record<ViceSamplingMode, string>> = {
  auto: 'Automatic',
  off: 'Off',
  free: 'Free-running',
  lockStep: 'Lock-step',
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
          onChange={({ target }) =>
            changeSettings({
              viceSampling: { mode: viceSamplingModes.find((candidate) => candidate === target.value) ?? 'auto', rate },
            })
          }
        >
          {viceSamplingModes.map((candidate) => (
            <option key={candidate} value={candidate}>
              {samplingTitles[candidate]}
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
