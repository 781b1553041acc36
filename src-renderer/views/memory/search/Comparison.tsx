import { useEffect, useRef, type ReactNode, type Ref } from 'react'
import { formatByte, formatRange } from '@shared/c64/address'
import { labelAt } from '@shared/c64/banking'
import { snapshotName, type MemoryDifference, type MemoryDifferences } from '@shared/contract/memorySnapshots'
import { counted } from '@shared/countedText'
import { call } from '../../../client/call'
import { ChoiceSegments } from '../../../client/ChoiceSegments'
import { useNames } from '../../../client/labels'
import { isConnected, titleOfMachine, useFrontName, useMachines, useMachineTitles } from '../../../client/machines'
import { useCursor } from '../../../client/memoryCursor'
import { useAnswer } from '../../../client/useAnswer'
import { placesNow } from '../../../frames/places'
import { usePlayback } from '../../../frames/shownMoment'
import { Button } from '../../../widgets/Button'
import { Help } from '../../../widgets/form/Field'
import { ListBox } from '../../../widgets/ListBox'
import { Problem } from '../../../widgets/Problem'
import { compareNow, inComparison, shownOrigin, useComparison, type Side } from './snapshots'
import { hexText } from './hexText'
import { useSearch } from './search'

const ROW_PX = 20
const SHOWN_BYTES = 8

interface ComparisonProps {
  readonly visible: boolean
  readonly close: ReactNode
  readonly onGo: (address: number) => void
  readonly onOpen: () => void
}

export function Comparison({ visible, close, onGo, onOpen }: ComparisonProps) {
  const { before, after, range, isBusy, failure, found: last, changes } = useComparison()
  const front = useFrontName()
  const found = last?.machine === front ? last : null
  const { data } = useAnswer('snapshots', visible, (signal) => call('snapshots.list', {}, { signal }), changes)
  const saved = data?.snapshots.map(({ name }) => name) ?? []
  const opened = useSearch((search) => search.opened)
  const first = useRef<HTMLSelectElement>(null)
  useEffect(() => {
    if (opened > 0) first.current?.focus()
  }, [opened])
  const chosen = before ?? (saved[0] === undefined ? null : ({ is: 'snapshot', name: saved[0] } as const))
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (chosen) void compareNow(chosen, after, range)
        }}
      >
        <ChoiceSegments choice="memory.searchPart" />
        <SideChoice
          ref={first}
          label="Compare"
          side={chosen}
          saved={saved}
          onChoose={(side) => useComparison.setState({ before: side, found: null, failure: null })}
        />
        with
        <SideChoice
          label="With"
          side={after}
          saved={saved}
          onChoose={(side) => useComparison.setState({ after: side, found: null, failure: null })}
        />
        <label>
          in
          <input
            className="field data memory-search-range"
            value={range}
            placeholder="all, or a-b"
            spellCheck={false}
            onChange={({ target }) => useComparison.setState({ range: target.value, failure: null })}
          />
        </label>
        <button type="submit" className="button">
          Compare
        </button>
        <Help help="RAM where both have it, else what the CPU sees without the chips, then colour RAM and registers. A range is $0400-$07e7, a label, or a region such as SID or zero page." />
        <span className="muted" role="status">
          {isBusy ? 'Reading…' : found ? foundText(found) : ''}
        </span>
        {close}
      </form>
      <SaveForm saved={saved} chosen={chosen} />
      <Problem className="memory-search-problem" failure={failure} />
      {saved.length === 0 && data !== null ? (
        <p className="memory-search-note muted">
          There is no snapshot yet. Save one now, and compare it with the machine later.
        </p>
      ) : null}
      {found ? <Differences found={found} onGo={onGo} onOpen={onOpen} /> : null}
    </>
  )
}

interface SideChoiceProps {
  readonly ref?: Ref<HTMLSelectElement>
  readonly label: string
  readonly side: Side | null
  readonly saved: readonly string[]
  readonly onChoose: (side: Side) => void
}

function SideChoice({ ref, label, side, saved, onChoose }: SideChoiceProps) {
  const front = useFrontName()
  const titles = useMachineTitles()
  const machines = useMachines((state) => state.machines)
  const shown = usePlayback((state) => state.shown)
  const sides: readonly { readonly side: Side; readonly text: string }[] = [
    { side: { is: 'shown' }, text: shown ? 'the recorded moment' : `${titleOfMachine(titles, front)}, now` },
    ...machines
      .filter((state) => isConnected(state) && (state.machine !== front || shown !== null))
      .map(({ machine, title }) => ({ side: { is: 'machine', name: machine } as const, text: `${title}, now` })),
    ...saved.map((name) => ({ side: { is: 'snapshot', name } as const, text: name })),
  ]
  const key = side && keyOf(side)
  return (
    <select
      ref={ref}
      className="field memory-side"
      aria-label={label}
      value={key ?? ''}
      onChange={({ target }) => {
        const found = sides.find((each) => keyOf(each.side) === target.value)
        if (found) onChoose(found.side)
      }}
    >
      {sides.some((each) => keyOf(each.side) === key) ? null : (
        <option value={key ?? ''}>{side === null ? 'choose' : 'no longer there'}</option>
      )}
      {sides.map(({ side, text }) => (
        <option key={keyOf(side)} value={keyOf(side)}>
          {text}
        </option>
      ))}
    </select>
  )
}

const keyOf = (side: Side): string => (side.is === 'shown' ? side.is : `${side.is} ${side.name}`)

function SaveForm({ saved, chosen }: { readonly saved: readonly string[]; readonly chosen: Side | null }) {
  const name = useComparison((state) => state.name)
  const typed = name.trim()
  const isTaken = saved.includes(typed)
  const save = () =>
    void inComparison(async () => {
      const { name } = await call('snapshots.save', { name: typed, of: shownOrigin(), replaces: isTaken })
      return { before: { is: 'snapshot', name }, name: '', found: null }
    })
  const choose = () =>
    void inComparison(async () => {
      const { snapshot } = await call('snapshots.choose', { name: typed === '' ? null : typed, replaces: isTaken })
      return snapshot ? { before: { is: 'snapshot', name: snapshot.name }, name: '', found: null } : {}
    })
  const isNamed = snapshotName.safeParse(typed).success
  const [nameLimit, fileLimit] =
    typed === ''
      ? ['Give it a name first.', null]
      : isNamed
        ? [null, null]
        : Array<string>(2).fill('A name has letters, digits, blanks, dots, dashes and underscores.')
  const deleted = chosen?.is === 'snapshot' ? chosen.name : null
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (nameLimit === null) save()
      }}
    >
      <label>
        Snapshot
        <input
          className="field memory-search-query"
          value={name}
          maxLength={60}
          placeholder="Name"
          aria-label="Name of the snapshot"
          spellCheck={false}
          onChange={({ target }) => useComparison.setState({ name: target.value })}
        />
      </label>
      <Button
        label={isTaken ? 'Replace' : 'Save'}
        tip="Save the memory that is shown under this name"
        shortcut="Enter"
        why={nameLimit ?? null}
        onClick={save}
      />
      <Button
        label="Import…"
        tip="Take the memory in a file as a snapshot: .vsf, PRG, or 65,536 bytes"
        why={fileLimit ?? null}
        onClick={choose}
      />
      <Button
        label="Delete…"
        tip={deleted === null ? 'Delete the snapshot' : `Delete the snapshot ${deleted}`}
        why={deleted === null ? 'Choose a snapshot on the left first.' : null}
        onClick={() => {
          if (deleted === null) return
          void inComparison(async () => {
            const answer = await call('snapshots.askToDelete', { name: deleted })
            return answer.deleted ? { before: null, found: null } : {}
          })
        }}
      />
    </form>
  )
}

function foundText({ bytes, ranges, differences, unread }: MemoryDifferences): string {
  const listed = ranges > differences.length ? `, the first ${differences.length} listed` : ''
  const left = unread === 0 ? '' : `; ${counted(unread, 'byte')} could not be compared`
  return bytes === 0
    ? `Memory is the same${left}.`
    : `${counted(bytes, 'byte')} in ${counted(ranges, 'range')}${listed}${left}`
}

interface DifferencesProps {
  readonly found: MemoryDifferences
  readonly onGo: (address: number) => void
  readonly onOpen: () => void
}

function Differences({ found, onGo, onOpen }: DifferencesProps) {
  const cursor = useCursor(({ address }) => address)
  const names = useNames()
  const { differences, registers } = found
  const chosen = differences.find(({ address, length }) => cursor >= address && cursor < address + length)
  return (
    <>
      {registers.length === 0 ? null : (
        <p className="memory-search-note data">
          {registers
            .map(({ name, before, after }) => `${name} ${formatByte(before)} → ${formatByte(after)}`)
            .join(', ')}
        </p>
      )}
      <ListBox
        label="Differences"
        items={differences}
        keyOf={keyOfDifference}
        chosen={chosen ? keyOfDifference(chosen) : null}
        onChoose={({ address }) => onGo(address)}
        onOpen={onOpen}
        height={ROW_PX}
        render={({ space, address, length, before, after }) => (
          <span className="memory-match memory-difference data">
            <span>{formatRange({ start: address, end: address + length })}</span>
            <span className="muted">{labelAt(placesNow(space), address, names)?.name ?? ''}</span>
            <span>
              {shownBytes(before, length)} → {shownBytes(after, length)}
            </span>
          </span>
        )}
      />
    </>
  )
}

const keyOfDifference = ({ space, address }: MemoryDifference): string => `${space} ${address}`

const shownBytes = (bytes: Uint8Array, length: number): string =>
  hexText(bytes.subarray(0, SHOWN_BYTES)) + (length > SHOWN_BYTES ? ' …' : '')
