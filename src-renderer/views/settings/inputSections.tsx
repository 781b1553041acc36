import { useId } from 'react'
import type { RunningAction, RunningKeys } from '@shared/runningKeys'
import { chosenShortcut } from '../../client/shortcuts'
import { JoystickKeys, KeyOverrides } from './KeyTables'
import { Row, Section, SettingSegments, type SectionProps } from './parts'
import { chooseSetting, settingChoices } from './settingChoices'

const { options: mappings, valueOf: mappingOf } = settingChoices.keyMapping
const mappingTexts: Readonly<Partial<Record<string, string>>> = {
  symbolic: 'a key types what is printed on it',
  positional: 'a key presses the C64 key in its place',
}

function runningText(keys: RunningKeys): string {
  const key = (id: RunningAction) => chosenShortcut(id, keys) ?? ''
  const steps = `${key('machine.step')} steps, ${key('machine.stepOver')} steps over a call, ${key('machine.stepBack')} steps back`
  const f5 = keys === 'vsCode' ? ' F5 stays with the C64, F6 with the panels.' : ''
  return `${key('machine.pause')} pauses and resumes, ${steps}, ${key('machine.warp')} is warp.${f5}`
}

export function KeyboardSection({ settings }: SectionProps) {
  const name = useId()
  return (
    <Section title="Keyboard">
      <Row row="keyMapping">
        {Object.entries(mappings).map(([value, title]) => (
          <label key={value} className="check">
            <input
              type="radio"
              name={name}
              checked={mappingOf(settings) === value}
              onChange={() => chooseSetting('keyMapping', value)}
            />
            {title} <span className="muted">({mappingTexts[value]})</span>
          </label>
        ))}
      </Row>
      <Row row="runningKeys" about={runningText(settings.runningKeys)}>
        <SettingSegments label="Keys for running" choice="runningKeys" settings={settings} />
      </Row>
      <Row row="keyOverrides" about="Keys that press a C64 key of your choice, whatever the mapping above.">
        <KeyOverrides overrides={settings.keyOverrides} />
      </Row>
    </Section>
  )
}

export function JoystickSection({ settings }: SectionProps) {
  return (
    <Section title="Joystick">
      <Row row="joystickPort">
        <SettingSegments label="Joystick port" choice="joystickPort" settings={settings} />
      </Row>
      <Row
        row="joystickKeys"
        about="They move the joystick while “Keys move the joystick” is on. A gamepad always does."
      >
        <JoystickKeys keys={settings.joystickKeys} />
      </Row>
    </Section>
  )
}
