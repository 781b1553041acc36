import { useState } from 'react'
import { labelIn, parseLocation } from '@shared/c64/banking'
import type { Names } from '@shared/c64/labels/names'
import { flameGraph } from '@shared/c64/profile/flameGraph'
import { reportProfile, type ProfileRow } from '@shared/c64/profile/profileReport'
import { MAX_FOLLOWED_FRAMES, type Profile as Found } from '@shared/contract/running'
import { counted } from '@shared/countedText'
import { call } from '../../client/call'
import { useNames } from '../../client/labels'
import { useFrontName, useLack, useLimit } from '../../client/machines'
import { showInMemory } from '../../client/memoryCursor'
import { attempt } from '../../client/messages'
import { notifySaved } from '../../client/savedFile'
import { Button } from '../../widgets/Button'
import { NumberField } from '../../widgets/NumberField'
import { Problem } from '../../widgets/Problem'
import { useFollowing } from './useFollowing'

const FRAMES = 50
/** So many rows are drawn; the command line shows the others. */
const SHOWN_ROWS = 200

export function Profile() {
  const machine = useFrontName()
  const lack = useLack('profile')
  const limit = useLimit('profile')
  const [wanted, setWanted] = useState(FRAMES)
  const { data, failure, isBusy, start, cancel } = useFollowing(machine, (signal) =>
    call('running.profile', { machine, frames: wanted }, { signal }),
  )
  if (lack !== null) return <p className="view-note">{lack}</p>
  return (
    <>
      <div className="register-buttons">
        <NumberField
          label="Frames"
          value={wanted}
          min={1}
          max={MAX_FOLLOWED_FRAMES}
          isWhole
          onChange={(frames) => setWanted(frames ?? FRAMES)}
        />
        {isBusy ? <Button label="Cancel" onClick={cancel} /> : <Button label="Run" why={limit} onClick={start} />}
      </div>
      <Problem className="register-problem" failure={failure} />
      {data ? <Report machine={machine} profile={data} /> : null}
    </>
  )
}

const columns = [
  { key: 'name', title: 'Name' },
  { key: 'calls', title: 'Calls' },
  { key: 'self', title: 'Self' },
  { key: 'total', title: 'Total' },
] as const
type Column = (typeof columns)[number]['key']

function Report({ machine, profile }: { readonly machine: string; readonly profile: Found }) {
  const names = useNames()
  const [sorted, setSorted] = useState<Column>('self')
  const { cycles, cyclesPerFrame, nodes, isCut } = profile
  const { rows, root } = reportProfile(nodes, (location) => {
    const { space, address } = parseLocation(location)
    return labelIn(space, address, names)?.name ?? null
  })
  const title = `${machine}: ${counted(cycles, 'cycle')} in ${counted(Math.round((cycles / cyclesPerFrame) * 100) / 100, 'frame')}`
  const save = () =>
    attempt(async () => {
      const text = flameGraph(root, title)
      notifySaved((await call('window.saveText', { text, name: 'profile.html', format: 'html' })).saved)
    })
  const shown = rows.toSorted((a, b) => (sorted === 'name' ? (a.name < b.name ? -1 : 1) : b[sorted] - a[sorted]))
  return (
    <>
      <div className="register-buttons">
        <span className="muted">{title}.</span>
        <Button label="Save flame graph…" onClick={save} />
      </div>
      {isCut ? <p className="view-note">There were too many routines: some count for their callers.</p> : null}
      <div className="profile-rows scroll-pane" tabIndex={0} role="group" aria-label="Profile">
        <table className="data interrupt-list" aria-label="Routines and labels">
          <thead>
            <tr>
              {columns.map(({ key, title }) => (
                <th
                  key={key}
                  scope="col"
                  aria-sort={sorted !== key ? undefined : key === 'name' ? 'ascending' : 'descending'}
                >
                  <button type="button" className="link" title="Sort" onClick={() => setSorted(key)}>
                    {title}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.slice(0, SHOWN_ROWS).map((row) => (
              <Row key={`${row.interrupt} ${row.name}`} row={row} cycles={cycles} names={names} />
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > SHOWN_ROWS ? <p className="view-note">{rows.length - SHOWN_ROWS} more are not shown.</p> : null}
    </>
  )
}

function Row({ row, cycles, names }: { readonly row: ProfileRow; readonly cycles: number; readonly names: Names }) {
  const { name, interrupt, calls, self, total } = row
  const share = (part: number): string => `${part} (${((part / Math.max(1, cycles)) * 100).toFixed(2)} %)`
  const address = addressOf(name, names)
  const where = interrupt === null ? '' : ` in ${interrupt.toUpperCase()}`
  return (
    <tr>
      <td>
        {address === null ? (
          name
        ) : (
          <button type="button" className="link" title="Show in memory" onClick={() => showInMemory(address)}>
            {name}
          </button>
        )}
        {where}
      </td>
      <td>{calls === 0 ? '' : calls}</td>
      <td>{share(self)}</td>
      <td>{share(total)}</td>
    </tr>
  )
}

function addressOf(name: string, names: Names): number | null {
  const found = names.find(name)[0]?.address
  if (found !== undefined) return found
  return /^\$[0-9a-f]{4}\b/i.test(name) ? Number.parseInt(name.slice(1, 5), 16) : null
}
