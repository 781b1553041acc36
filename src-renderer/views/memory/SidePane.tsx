import { X } from 'lucide-react'
import { useEffect, useId, useImperativeHandle, useMemo, useRef, useState, type Ref } from 'react'
import { formatRange, parseAddressRange, parseTypedAddress } from '@shared/c64/address'
import { toFailure, type Failure } from '@shared/contract/errors'
import type { Space } from '@shared/contract/memory'
import { useNames } from '../../client/labels'
import { viewChoices } from '../../client/viewChoices'
import type { Heat } from '../../widgets/heat'
import { IconButton } from '../../widgets/IconButton'
import { Problem } from '../../widgets/Problem'
import { Tip } from '../../widgets/Tip'
import { Bytes, type BytesHandle } from './Bytes'
import { Code, type CodeHandle } from './code/Code'
import { Names, type NamesHandle } from './names/Names'
import { rowLengths, type TextColumn } from './hexGrid/rows'
import { selectedRange, selectedText, type Selection } from './hexGrid/selection'
import { paneContents, paneRange, paneSpaces, paneTexts, type SidePane as Pane } from './sidePanes'
import { spaceRange } from './spaceRange'
import type { EditHistory } from './useHistory'

export interface SidePaneHandle {
  focus(): void
}

interface SidePaneProps {
  readonly ref: Ref<SidePaneHandle>
  readonly visible: boolean
  readonly machine: string
  readonly isPanelFocus: boolean
  readonly pane: Pane
  readonly ramLimit: string | null
  readonly heat: (space: Space) => Heat
  readonly text: TextColumn
  readonly selection: Selection | null
  readonly history: EditHistory
  readonly onChange: (change: Partial<Pane>) => void
  readonly onSelect: (selection: Selection | null) => void
  readonly onClose: () => void
}

const spaceTitles: Readonly<Record<Pane['space'], string>> = {
  ...viewChoices['memory.space'].options,
  colorRam: 'Colours',
}
const contentTitles: Readonly<Record<Pane['shows'], string>> = {
  bytes: 'Bytes',
  names: 'Names',
  code: 'Code and data',
  instructions: 'Instructions',
}
const textTitles = viewChoices['memory.text'].options

export function SidePane({ ref, visible, machine, pane, ramLimit, heat, text, history, ...shown }: SidePaneProps) {
  const { space, cursor, columns } = pane
  const grid = useRef<BytesHandle>(null)
  const range = useMemo(() => paneRange(pane), [pane])
  const within = Math.min(range.end - 1, Math.max(range.start, cursor))
  const column = useMemo(() => ({ ...text, kind: pane.text }), [text, pane.text])
  const heatOfSpace = useMemo(() => () => heat(space), [heat, space])
  const code = useRef<CodeHandle>(null)
  const named = useRef<NamesHandle>(null)
  const [filter, setFilter] = useState('')
  const focus = () => (code.current ?? named.current ?? grid.current)?.focus()
  useImperativeHandle(ref, () => ({ focus }))
  const selected = selectedRange(shown.selection, within)
  const first = useRef(within)
  useEffect(() => grid.current?.reveal(first.current), [])
  const part = {
    visible,
    machine,
    space,
    history,
    isPanelFocus: shown.isPanelFocus,
    cursor: within,
    onCursor: (to: number) => shown.onChange({ cursor: to }),
  }

  return (
    <section className="side-pane" aria-label={`Memory ${pane.id + 1}`}>
      <div className="side-pane-bar">
        <PlaceField
          pane={pane}
          onGo={(change, to) => {
            shown.onChange(change)
            focus()
            requestAnimationFrame(() => grid.current?.reveal(to))
          }}
        />
        <select
          className="field"
          aria-label="Shows"
          value={pane.shows}
          onChange={({ target }) =>
            shown.onChange({ shows: paneContents.find((each) => each === target.value) ?? pane.shows })
          }
        >
          {paneContents.map((each) => (
            <option key={each} value={each}>
              {contentTitles[each]}
            </option>
          ))}
        </select>
        <select
          className="field"
          aria-label="Bank"
          value={space}
          onChange={({ target }) =>
            shown.onChange({ space: paneSpaces.find((each) => each === target.value) ?? space, range: null })
          }
        >
          {paneSpaces.map((each) => (
            <option
              key={each}
              value={each}
              disabled={each === 'ram' && ramLimit !== null}
              title={each === 'ram' ? (ramLimit ?? undefined) : undefined}
            >
              {spaceTitles[each]}
            </option>
          ))}
        </select>
        {pane.shows === 'bytes' ? (
          <>
            <select
              className="field"
              aria-label="Text"
              value={pane.text}
              onChange={({ target }) =>
                shown.onChange({ text: paneTexts.find((each) => each === target.value) ?? pane.text })
              }
            >
              {paneTexts.map((each) => (
                <option key={each} value={each}>
                  {textTitles[each]}
                </option>
              ))}
            </select>
            <select
              className="field"
              aria-label="Columns"
              value={columns ?? 0}
              onChange={({ target }) =>
                shown.onChange({ columns: rowLengths.find((length) => String(length) === target.value) ?? null })
              }
            >
              <option value={0}>fit</option>
              {rowLengths.map((length) => (
                <option key={length} value={length}>
                  {length}
                </option>
              ))}
            </select>
          </>
        ) : null}
        {pane.shows === 'names' ? (
          <input
            className="field"
            aria-label="Filter names"
            placeholder="Filter names"
            spellCheck={false}
            value={filter}
            onChange={({ target }) => setFilter(target.value)}
            onKeyDown={({ key }) => {
              if (key === 'Enter') focus()
              if (key === 'Escape') setFilter('')
            }}
          />
        ) : null}
        {selected === null ? null : <output className="data">{selectedText(selected)}</output>}
        <IconButton label="Close this hex view" icon={X} look="plain" onClick={shown.onClose} />
      </div>
      {pane.shows === 'names' ? (
        <Names
          ref={named}
          {...part}
          label={`Names ${pane.id + 1}, ${spaceTitles[space]}. Type hex digits to change a value.`}
          range={range}
          filter={filter}
          heat={heatOfSpace}
        />
      ) : pane.shows !== 'bytes' ? (
        <Code
          ref={code}
          {...part}
          label={`Code ${pane.id + 1}, ${spaceTitles[space]}. Type an instruction to replace the chosen one.`}
          tellsData={pane.shows === 'code'}
        />
      ) : (
        <Bytes
          ref={grid}
          {...part}
          label={`Memory ${pane.id + 1}, ${spaceTitles[space]}. Type two hex digits to change a byte.`}
          range={range}
          heat={heatOfSpace}
          text={column}
          columns={columns}
          selection={shown.selection}
          onSelect={shown.onSelect}
        />
      )}
    </section>
  )
}

interface PlaceFieldProps {
  readonly pane: Pane
  readonly onGo: (change: Partial<Pane>, to: number) => void
}

function PlaceField({ pane: { space, range }, onGo }: PlaceFieldProps) {
  const names = useNames()
  const kept = range === null ? '' : formatRange({ start: range.first, end: range.last + 1 })
  const [typed, setTyped] = useState<string | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const noteId = useId()
  const all = spaceRange(space)

  const go = () => {
    const text = (typed ?? kept).trim()
    try {
      if (text === '') onGo({ range: null }, all.start)
      else {
        const { start, end } = parseAddressRange(text, parseTypedAddress, names)
        const isRange = end > start + 1
        onGo({ cursor: start, range: isRange ? { first: start, last: end - 1 } : null }, start)
      }
      setTyped(null)
      setFailure(null)
    } catch (error) {
      setFailure(toFailure(error))
    }
  }
  return (
    <div className="goto with-note">
      <Tip text="An address to go to, or a range such as $0400-$07e7 of which no more is shown">
        <input
          className="field data goto-field"
          aria-label="Address or range"
          value={typed ?? kept}
          placeholder="$0400-$07e7"
          spellCheck={false}
          aria-invalid={failure !== null}
          aria-describedby={noteId}
          onChange={({ target }) => {
            setTyped(target.value)
            setFailure(null)
          }}
          onKeyDown={({ key }) => {
            if (key === 'Enter') go()
            if (key === 'Escape') {
              setTyped(null)
              setFailure(null)
            }
          }}
        />
      </Tip>
      {failure === null ? null : <Problem id={noteId} className="goto-problem" failure={failure} />}
    </div>
  )
}
