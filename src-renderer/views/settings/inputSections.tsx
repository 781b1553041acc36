import { useId } from 'react'
import { changeSettings } from '../../client/settings'
import { Segments } from '../../widgets/Segments'
import { JoystickKeys, KeyOverrides } from './KeyTables'
import { Row, Section, type SectionProps } from './parts'

const mappings = [
  { value: 'symbolic', title: 'By character', about: 'a key types what is printed on it' },
  { value: 'positional', title: 'By place', about: 'a key presses the C64 key in its place' },
] as const

export function KeyboardSection({ settings }: SectionProps) {
  const name = useId()
  return (
    <Section title="Keyboard">
      <Row row="keyMapping">
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
      <Row
        row="joystickKeys"
        about="They move the joystick while “Keys move the joystick” is on. A gamepad always does."
      >
        <JoystickKeys keys={settings.joystickKeys} />
      </Row>
    </Section>
  )
}
