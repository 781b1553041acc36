import { X } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { formatAddress } from '@shared/c64/address'
import { labelAt } from '@shared/c64/banking'
import type { SearchKind } from '@shared/c64/search/searchMemory'
import type { Space } from '@shared/contract/memory'
import { ChoiceSegments } from '../../../client/ChoiceSegments'
import { ChoiceSelect } from '../../../client/ChoiceSelect'
import { useChosen } from '../../../client/chosen'
import { useNames } from '../../../client/labels'
import { useFrontName } from '../../../client/machines'
import { moveCursorTo, useCursor } from '../../../client/memoryCursor'
import { placesNow } from '../../../frames/places'
import { Help } from '../../../widgets/form/Field'
import { IconButton } from '../../../widgets/IconButton'
import { ListBox } from '../../../widgets/ListBox'
import { Comparison } from './Comparison'
import { hexText } from './hexText'
import { Layout } from './Layout'
import { NotesPart } from './NotesPart'
import { searchNow, useSearch, type Found } from './search'
import { ProgramLabels } from './ProgramLabels'
import { Problem } from '../../../widgets/Problem'
import { ValueSearch } from './ValueSearch'
import './search.css'

const ROW_PX = 20

interface SearchPanelProps {
  readonly visible: boolean
  readonly space: Space
  readonly onGo: (address: number) => void
  readonly onOpen: () => void
  readonly onClose: () => void
}

const examples: Readonly<Record<SearchKind, string>> = {
  bytes: 'a9 ?? 8d 20 d0',
  text: 'ready',
  petscii: 'ready',
  screen: 'ready',
  ascii: 'ready',
  word: '$c000',
  pointer: '$ea31 or CHROUT',
  instruction: 'sta $d0??',
}

const letters = 'Letters in both cases, ? for any character.'

const helps: Readonly<Record<SearchKind, string>> = {
  bytes: 'Two hex digits each, ? for any digit.',
  text: `As PETSCII, screen codes or ASCII. ${letters}`,
  petscii: letters,
  screen: `${letters} Reversed characters as well.`,
  ascii: letters,
  word: 'An address or a number, low byte first.',
  pointer: 'An address: words that hold it, operands, and branches to it.',
  instruction: 'As the disassembler shows them, ? for one character, * for any number, colons between instructions.',
}

export function SearchPanel({ visible, space, onGo, onOpen, onClose }: SearchPanelProps) {
  const [part] = useChosen('memory.searchPart')
  const close = <IconButton label="Close the search" icon={X} look="plain" shortcut="Esc" onClick={onClose} />
  return (
    <section
      className="memory-search"
      aria-label="Search memory"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      {part === 'find' ? (
        <Find space={space} close={close} onOpen={onOpen} />
      ) : part === 'labels' ? (
        <ProgramLabels close={close} onGo={onGo} onOpen={onOpen} />
      ) : part === 'notes' ? (
        <NotesPart visible={visible} close={close} onGo={onGo} onOpen={onOpen} />
      ) : part === 'compare' ? (
        <Comparison visible={visible} close={close} onGo={onGo} onOpen={onOpen} />
      ) : part === 'layout' ? (
        <Layout visible={visible} close={close} onGo={onGo} onOpen={onOpen} />
      ) : (
        <ValueSearch visible={visible} space={space} close={close} onOpen={onOpen} />
      )}
    </section>
  )
}

interface FindProps {
  readonly space: Space
  readonly close: ReactNode
  readonly onOpen: () => void
}

function Find({ space, close, onOpen }: FindProps) {
  const machine = useFrontName()
  const [kind] = useChosen('memory.searchFor')
  const { query, range, isSearching, failure, found } = useSearch()
  const opened = useSearch((search) => search.opened)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (opened > 0) field.current?.select()
  }, [opened])
  const shown = found?.machine === machine ? found : null
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void searchNow({ machine, space, kind })
        }}
      >
        <ChoiceSegments choice="memory.searchPart" />
        <input
          ref={field}
          className="field data memory-search-query"
          value={query}
          placeholder={examples[kind]}
          aria-label="Search for"
          spellCheck={false}
          aria-invalid={failure !== null}
          onChange={({ target }) => useSearch.setState({ query: target.value, failure: null })}
        />
        <ChoiceSelect choice="memory.searchFor" />
        <Help help={helps[kind]} />
        <label>
          in
          <input
            className="field data memory-search-range"
            value={range}
            placeholder="all, or a-b"
            spellCheck={false}
            onChange={({ target }) => useSearch.setState({ range: target.value, failure: null })}
          />
        </label>
        <button type="submit" className="button">
          Search
        </button>
        <span className="muted" role="status">
          {isSearching ? 'Searching…' : shown ? countText(shown) : ''}
        </span>
        {close}
      </form>
      {failure ? (
        <Problem className="memory-search-problem" failure={failure} />
      ) : shown && shown.matches.length > 0 ? (
        <Matches found={shown} onOpen={onOpen} />
      ) : null}
    </>
  )
}

function countText({ total, matches }: Found): string {
  if (total === 0) return 'Nothing found.'
  if (total > matches.length) return `${total} found, the first ${matches.length} listed`
  return `${total} found`
}

function Matches({ found, onOpen }: { readonly found: Found; readonly onOpen: () => void }) {
  const cursor = useCursor((cursor) => cursor.address)
  const places = placesNow(found.space)
  const names = useNames()
  return (
    <ListBox
      label="Places found"
      items={found.matches}
      keyOf={({ address }) => String(address)}
      chosen={String(cursor)}
      onChoose={({ address }) => moveCursorTo(address)}
      onOpen={onOpen}
      height={ROW_PX}
      render={({ address, bytes, what }) => (
        <span className="memory-match data">
          <span>{formatAddress(address)}</span>
          <span className="muted">{labelAt(places, address, names)?.name ?? ''}</span>
          <span>{hexText(bytes)}</span>
          <span>{what ?? ''}</span>
        </span>
      )}
    />
  )
}
