import { Snowflake } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import { formatAddress } from '@shared/c64/address'
import { labelAt } from '@shared/c64/banking'
import { valueAt, type ValueSize } from '@shared/c64/search/valueSearch'
import { toFailure, type Failure } from '@shared/contract/errors'
import type { Space } from '@shared/contract/memory'
import type { FrozenValue, Values } from '@shared/contract/values'
import { call } from '../../../client/call'
import { ChoiceSegments } from '../../../client/ChoiceSegments'
import { ChoiceSelect } from '../../../client/ChoiceSelect'
import { useChosen } from '../../../client/chosen'
import { useNames } from '../../../client/labels'
import { useFrontName } from '../../../client/machines'
import { moveCursorTo, useCursor } from '../../../client/memoryCursor'
import { useAnswer } from '../../../client/useAnswer'
import { frames } from '../../../frames/frames'
import { placesNow } from '../../../frames/places'
import { Button } from '../../../widgets/Button'
import { Help } from '../../../widgets/form/Field'
import { ListBox } from '../../../widgets/ListBox'
import { useClock } from '../../../widgets/useClock'
import { Problem } from '../../../widgets/Problem'
import { useValueChanges } from './values'

const INTERVAL_MS = 250
const ROW_PX = 24

const sizes = { byte: 1, word: 2 } as const satisfies Record<string, ValueSize>
const commonConditions = ['unchanged', 'changed', 'up', 'down'] as const

interface ValueSearchProps {
  readonly visible: boolean
  readonly space: Space
  readonly close: ReactNode
  readonly onOpen: () => void
}

export function ValueSearch({ visible, space, close, onOpen }: ValueSearchProps) {
  const machine = useFrontName()
  const changes = useValueChanges((all) => all[machine] ?? 0)
  const [condition, setCondition] = useState('')
  const [chosenSize] = useChosen('memory.valueSize')
  const [failure, setFailure] = useState<Failure | null>(null)
  const { data, replace } = useAnswer(
    machine,
    visible,
    (signal) => call('values.state', { machine }, { signal }),
    changes,
  )
  const search = data?.search ?? null
  const rows = useMemo(() => (data ? rowsOf(data) : []), [data])
  const cursor = useCursor((cursor) => cursor.address)
  const chosen = rows.find(({ address }) => address === cursor) ?? null
  const change = async (work: () => Promise<Values>) => {
    try {
      replace(await work())
      setFailure(null)
    } catch (error) {
      setFailure(toFailure(error))
    }
  }
  const keep = (condition: string) => void change(() => call('values.keep', { machine, condition }))
  const start = () => void change(() => call('values.start', { machine, space, size: sizes[chosenSize] }))
  const toggle = () => {
    if (chosen === null) return
    const { space, address, size, frozen, last } = chosen
    const value = valueNow(chosen) ?? last ?? 0
    void change(() =>
      frozen
        ? call('values.release', { machine, space, address })
        : call('values.freeze', { machine, space, address, size, value }),
    )
  }
  return (
    <section
      className="memory-search-part"
      aria-label="Values"
      onKeyDown={(event) => {
        const isTyping = event.target instanceof HTMLInputElement
        if (isTyping || event.ctrlKey || event.metaKey || event.key.toLowerCase() !== 'f') return
        event.preventDefault()
        toggle()
      }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (search && condition.trim() !== '') keep(condition.trim())
        }}
      >
        <ChoiceSegments choice="memory.searchPart" />
        {search ? (
          <>
            {commonConditions.map((each) => (
              <Button key={each} label={each} onClick={() => keep(each)} />
            ))}
            <input
              className="field data memory-search-range"
              value={condition}
              maxLength={40}
              placeholder="= 3, down 1"
              aria-label="Keep where"
              spellCheck={false}
              onChange={({ target }) => setCondition(target.value)}
            />
            <button type="submit" className="button">
              Keep
            </button>
            <Button
              label="Undo step"
              why={search.steps.length > 1 ? null : 'There is no step to undo.'}
              onClick={() => void change(() => call('values.undo', { machine }))}
            />
            <Button label="End" onClick={() => void change(() => call('values.end', { machine }))} />
          </>
        ) : (
          <>
            <ChoiceSelect choice="memory.valueSize" />
            <Button label="Start" look="primary" onClick={start} />
          </>
        )}
        <Button
          label={chosen?.frozen ? 'Release' : 'Freeze'}
          icon={Snowflake}
          shortcut="F"
          tip="Write the value back whenever the program changes it"
          why={chosen ? null : 'Choose an address of the list first.'}
          onClick={toggle}
        />
        <Help help="Start, play until the value on the screen changes, and keep the addresses that changed alike: again and again until few are left. Conditions: = 3, != 3, < 10, > 10, up, down, up 1, changed, unchanged." />
        <span className="muted" role="status">
          {search ? stepsText(search) : ''}
        </span>
        {close}
      </form>
      <Problem className="memory-search-problem" failure={failure} />
      <ValueList visible={visible} rows={rows} chosen={chosen} onOpen={onOpen} />
    </section>
  )
}

const stepsText = ({ steps }: NonNullable<Values['search']>): string =>
  `${steps.map(({ condition }) => condition ?? 'all').join(', ')}: ${steps.at(-1)?.count ?? 0} left`

interface Row extends Omit<FrozenValue, 'problem' | 'value'> {
  readonly frozen: FrozenValue | null
  readonly last: number | null
}

function rowsOf({ search, frozen }: Values): Row[] {
  const rowOf = ({ space, address, size }: FrozenValue) =>
    frozen.find((each) => each.space === space && each.address === address && each.size === size) ?? null
  const candidates =
    search?.candidates.map(({ address, value }): Row => {
      const { space, size } = search
      return { space, size, address, last: value, frozen: rowOf({ space, size, address, value, problem: null }) }
    }) ?? []
  const others = frozen
    .filter((each) => !candidates.some((row) => row.frozen === each))
    .map((each): Row => ({ space: each.space, size: each.size, address: each.address, last: null, frozen: each }))
  return [...others, ...candidates]
}

interface ValueListProps {
  readonly visible: boolean
  readonly rows: readonly Row[]
  readonly chosen: Row | null
  readonly onOpen: () => void
}

function ValueList({ visible, rows, chosen, onOpen }: ValueListProps) {
  useClock(visible, INTERVAL_MS)
  const names = useNames()
  return (
    <ListBox
      label="Candidates"
      items={rows}
      keyOf={keyOf}
      chosen={chosen && keyOf(chosen)}
      onChoose={({ address }) => moveCursorTo(address)}
      onOpen={onOpen}
      height={ROW_PX}
      render={(row) => (
        <span className="memory-match data">
          <span>{formatAddress(row.address)}</span>
          <span className="muted">{labelAt(placesNow(row.space), row.address, names)?.name ?? ''}</span>
          <span>{[row.last, valueNow(row)].map((value) => value ?? '').join(' → ')}</span>
          <span>
            {row.frozen ? `frozen at ${row.frozen.value}` : ''}
            {row.frozen?.problem ? `: ${row.frozen.problem}` : ''}
          </span>
        </span>
      )}
    />
  )
}

const keyOf = ({ space, address }: Row): string => `${space} ${address}`

/** From the last frame; null while that memory is not shown. */
const valueNow = ({ space, address, size }: Row): number | null =>
  frames.known(space) ? valueAt(frames.image(space), address, size) : null
