import { useId, useState, type SubmitEvent } from 'react'
import { formatAddress, parseHexBytes, parseTypedAddress } from '@shared/c64/address'
import type { MachineState } from '@shared/contract/machine'
import { driveSpaces, type DriveSpace } from '@shared/contract/memory'
import { call } from '../../client/call'
import { limitOf } from '../../client/machines'
import { notify } from '../../client/messages'
import { oneOf, useViewState } from '../../client/viewState'
import { useDraft } from './drafts'
import { hexLines } from './hexLines'
import { Part } from './Part'
import { Problem } from '../../widgets/Problem'
import { useTask } from './useTask'

const SHOWN_BYTES = 0x100
const readDrive = oneOf<DriveSpace>(...driveSpaces)

export function DriveMemory({ state }: { readonly state: MachineState }) {
  const { machine } = state
  const limit = limitOf(state, 'driveMemory')
  const id = useId()
  const [drive, setDrive] = useViewState('device.memoryOfDrive', readDrive)
  const [address = '$0000', setAddress] = useDraft(`${machine} drive address`)
  const [typed = '', setTyped] = useDraft(`${machine} drive bytes`)
  const [shown, setShown] = useState<{ drive: DriveSpace; address: number; bytes: Uint8Array }>()
  const { isBusy, failure, run } = useTask()
  if (limit !== null) return null

  const show = async () => {
    const at = parseTypedAddress(address)
    const length = Math.min(SHOWN_BYTES, 0x10000 - at)
    const { bytes } = await call('memory.read', { machine, space: drive, address: at, length })
    setShown({ drive, address: at, bytes })
  }
  const read = (event: SubmitEvent) => {
    event.preventDefault()
    run(show)
  }
  const write = (event: SubmitEvent) => {
    event.preventDefault()
    run(async () => {
      const at = parseTypedAddress(address)
      const { written } = await call('memory.write', {
        machine,
        space: drive,
        address: at,
        bytes: parseHexBytes(typed),
      })
      notify(`${written} bytes written at ${formatAddress(at)} of ${titleOf(drive)}.`)
      setTyped(undefined)
      await show()
    })
  }
  return (
    <Part title="Drive memory">
      <form className="device-form" onSubmit={read}>
        <label htmlFor={`${id}drive`}>Drive</label>
        <select
          id={`${id}drive`}
          className="field"
          value={drive}
          onChange={({ target }) => setDrive(readDrive(target.value))}
        >
          {driveSpaces.map((each) => (
            <option key={each} value={each}>
              {titleOf(each)}
            </option>
          ))}
        </select>
        <label htmlFor={`${id}address`}>Address</label>
        <input
          id={`${id}address`}
          className="field data device-address"
          value={address}
          maxLength={20}
          spellCheck={false}
          onChange={({ target }) => setAddress(target.value)}
        />
        <button type="submit" className="button" aria-disabled={isBusy}>
          Read
        </button>
      </form>
      <form className="device-form" onSubmit={write}>
        <label htmlFor={`${id}bytes`}>Bytes (hex)</label>
        <input
          id={`${id}bytes`}
          className="field data"
          value={typed}
          maxLength={1_000}
          placeholder="a9 00"
          spellCheck={false}
          onChange={({ target }) => setTyped(target.value)}
        />
        <button type="submit" className="button" aria-disabled={isBusy || typed.trim() === ''}>
          Write
        </button>
      </form>
      <Problem failure={failure} />
      {shown?.drive !== drive ? null : (
        <pre className="data device-bytes" tabIndex={0} aria-label={`Memory of ${titleOf(drive)}`}>
          {hexLines(shown.address, shown.bytes).join('\n')}
        </pre>
      )}
    </Part>
  )
}

const titleOf = (drive: DriveSpace): string => `drive ${drive.slice('drive'.length)}`
