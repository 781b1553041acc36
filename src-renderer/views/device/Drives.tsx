import { RefreshCw } from 'lucide-react'
import { type MachineState } from '@shared/contract/machine'
import { driveModes, type Drive } from '@shared/contract/machineStorage'
import { call } from '../../client/call'
import { limitOf } from '../../client/machines'
import { notify } from '../../client/messages'
import { ChoiceSelect } from '../../client/ChoiceSelect'
import { useChosen } from '../../client/chosen'
import type { ChosenOf } from '../../client/viewChoices'
import { Button } from '../../widgets/Button'
import { IconButton } from '../../widgets/IconButton'
import { Part } from './Part'
import { Problem } from '../../widgets/Problem'
import { useAnswer } from '../../client/useAnswer'
import { useTask } from './useTask'

type MountMode = ChosenOf<'device.mountMode'>

export function Drives({ state, visible }: { readonly state: MachineState; readonly visible: boolean }) {
  const { machine } = state
  const limit = limitOf(state, 'drives')
  const [mode] = useChosen('device.mountMode')
  const { data, failure, isFirst, again } = useAnswer(machine, visible && limit === null, (signal) =>
    call('machine.drives', { machine }, { signal }),
  )
  if (limit !== null) {
    return (
      <Part title="Drives">
        <p className="muted">{limit}</p>
      </Part>
    )
  }
  return (
    <Part
      title="Drives"
      tools={<IconButton label="List the drives again" icon={RefreshCw} look="plain" onClick={again} />}
    >
      <label className="device-choice">
        Insert images as
        <ChoiceSelect choice="device.mountMode" />
      </label>
      <Problem failure={failure} />
      {isFirst ? <p className="muted">Loading drives…</p> : null}
      {data?.drives.length === 0 ? <p className="muted">The machine lists no drives.</p> : null}
      <ul className="device-rows">
        {data?.drives.map((drive) => (
          <DriveRow key={drive.drive} machine={machine} drive={drive} mode={mode} onChange={again} />
        ))}
      </ul>
    </Part>
  )
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

interface DriveRowProps {
  readonly machine: string
  readonly drive: Drive
  readonly mode: MountMode
  readonly onChange: () => void
}

function DriveRow({ machine, drive: { drive, role, enabled, busId, type, image }, mode, onChange }: DriveRowProps) {
  const { isBusy, failure, run } = useTask()
  const why = isBusy ? 'Still working.' : null
  const name = role === 'other' ? drive : `drive ${drive.length === 1 ? drive.toUpperCase() : drive}`
  const device = <span className="muted data">{busId === null ? '' : `device ${busId}`}</span>
  const change = (work: () => Promise<unknown>) =>
    run(async () => {
      try {
        await work()
      } finally {
        onChange()
      }
    })
  const insert = async () => {
    const chosen = await call('drive.choose', { machine, drive, mode })
    if (chosen.name !== null) notify(`${chosen.name} is in ${name}.`)
  }
  if (role === 'other') {
    return (
      <li className="device-row" data-drive={drive}>
        <span className="device-name">{capitalised(name)}</span>
        <span className="muted">{enabled ? 'on' : 'off'}</span>
        {device}
        <span className="device-about muted">Not a drive: it is switched on and off under Configuration.</span>
      </li>
    )
  }
  const setEnabled = (isOn: boolean) => call('machine.setDriveEnabled', { machine, drive, enabled: isOn })
  const setModel = (model: DriveModel) => call('machine.setDriveMode', { machine, drive, mode: model })
  return (
    <li className="device-row" data-drive={drive} aria-busy={isBusy}>
      <label className="device-name">
        <input
          type="checkbox"
          checked={enabled}
          disabled={isBusy}
          aria-label={`${name} is on`}
          onChange={({ target }) => change(() => setEnabled(target.checked))}
        />
        {capitalised(name)}
      </label>
      <span className="device-buttons">
        {role === 'folder' ? (
          <span className="muted">{type}</span>
        ) : (
          <ModelChoice
            label={`What ${name} plays`}
            model={type}
            disabled={isBusy}
            onChange={(model) => change(() => setModel(model))}
          />
        )}
        {role === 'floppy' ? <Button label="Insert image…" why={why} onClick={() => change(insert)} /> : null}
        {role === 'folder' || image === null ? null : (
          <Button
            label="Eject"
            why={why}
            onClick={() => change(() => call('machine.removeImage', { machine, drive }))}
          />
        )}
        <Button label="Reset" why={why} onClick={() => change(() => call('machine.resetDrive', { machine, drive }))} />
      </span>
      {device}
      <span className={image === null ? 'device-about muted' : 'device-about data'}>
        {image ?? (role === 'floppy' ? 'empty' : 'a folder of the machine’s storage as a drive')}
      </span>
      <Problem failure={failure} />
    </li>
  )
}

type DriveModel = (typeof driveModes)[number]

interface ModelChoiceProps {
  readonly label: string
  /** As the machine calls it; null where it does not say. */
  readonly model: string | null
  readonly disabled: boolean
  readonly onChange: (model: DriveModel) => void
}

const ModelChoice = ({ label, model, disabled, onChange }: ModelChoiceProps) => (
  <select
    className="field"
    value={model ?? ''}
    disabled={disabled}
    aria-label={label}
    onChange={({ target }) => {
      const chosen = driveModes.find((each) => each === target.value)
      if (chosen) onChange(chosen)
    }}
  >
    {[...new Set([model ?? '', ...driveModes])].map((each) => (
      <option key={each} value={each}>
        {each === '' ? 'unknown model' : each}
      </option>
    ))}
  </select>
)
