import type { ReactNode } from 'react'
import { formatAddress } from '@shared/c64/address'
import { MAX_NOTE_LENGTH, MAX_PLACE_LENGTH, NOTES_FILE, type Note, type Notebook } from '@shared/contract/notes'
import { counted } from '@shared/countedText'
import { call } from '../../../client/call'
import { ChoiceSegments } from '../../../client/ChoiceSegments'
import { useNames } from '../../../client/labels'
import { useCursor } from '../../../client/memoryCursor'
import { useAnswer } from '../../../client/useAnswer'
import { Button } from '../../../widgets/Button'
import { Help } from '../../../widgets/form/Field'
import { ListBox } from '../../../widgets/ListBox'
import { Problem } from '../../../widgets/Problem'
import { visibleText } from '../../../widgets/visibleText'
import { addressOf, chooseNote, chooseNotebook, removeNote, saveNote, typeNote, useNotes } from './notes'

const ROW_PX = 20

interface NotesPartProps {
  readonly visible: boolean
  readonly close: ReactNode
  readonly onGo: (address: number) => void
  readonly onOpen: () => void
}

export function NotesPart({ visible, close, onGo, onOpen }: NotesPartProps) {
  const { notebook, chosen, changes } = useNotes()
  const names = useNames()
  const { data, failure } = useAnswer('notes', visible, (signal) => call('notes.list', {}, { signal }), changes)
  const notebooks = data?.notebooks ?? []
  const shown =
    notebooks.find((each) => each.notebook === notebook) ??
    notebooks.find(({ notes }) => notes.length > 0) ??
    notebooks[0]
  return (
    <>
      <form onSubmit={(event) => event.preventDefault()}>
        <ChoiceSegments choice="memory.searchPart" />
        {notebooks.length < 2 ? null : (
          <select
            className="field note-folder"
            aria-label="Notes of"
            value={shown?.notebook ?? ''}
            onChange={({ target }) => chooseNotebook(Number(target.value))}
          >
            {notebooks.map(({ notebook, folder }) => (
              <option key={notebook} value={notebook} title={visibleText(folder)}>
                {visibleText(folder.split(/[\\/]/).at(-1) ?? folder)}
              </option>
            ))}
          </select>
        )}
        <span className="muted" role="status" title={shown && visibleText(shown.folder)}>
          {shown ? `${counted(shown.notes.length, 'note')} in ${NOTES_FILE}` : ''}
        </span>
        <Help help="Agents read these notes first, and add what they find, with the call of the journal that it rests on. The file lies in the project’s folder: edit it here or with an editor." />
        {close}
      </form>
      <Problem className="memory-search-problem" failure={failure} />
      {shown?.problems.map((problem) => (
        <p key={problem} className="memory-search-problem label-problem">
          {visibleText(problem)}
        </p>
      ))}
      {shown ? (
        <>
          <NoteForm key={shown.notebook} notebook={shown} />
          <ListBox
            label="Notes"
            items={shown.notes}
            keyOf={keyOf}
            chosen={chosen}
            onChoose={(note) => {
              chooseNote(note)
              const address = addressOf(note, names)
              if (address !== undefined) onGo(address)
            }}
            onOpen={onOpen}
            height={ROW_PX}
            render={(note) => <NoteRow note={note} />}
          />
        </>
      ) : data === null ? null : (
        <p className="memory-search-note muted">
          Open a project’s folder to keep notes in it. Those of a folder in which an agent works are shown, too.
        </p>
      )}
    </>
  )
}

const keyOf = ({ id }: Note): string => id

function NoteRow({ note: { place, text, by, date, evidence } }: { readonly note: Note }) {
  const who = by === null ? '' : [by, date, evidence].filter((part) => part !== null).join(', ')
  return (
    <span className="memory-match note-match" title={visibleText([text, who].filter(Boolean).join('\n— '))}>
      <span className="data">{visibleText(place ?? '')}</span>
      <span>{visibleText(text.replaceAll(/\s+/g, ' '))}</span>
      <span className="muted">{visibleText(who)}</span>
    </span>
  )
}

function NoteForm({ notebook }: { readonly notebook: Notebook }) {
  const { chosen, drafts, failure } = useNotes()
  const cursor = useCursor(({ address }) => address)
  const note = notebook.notes.find(({ id }) => id === chosen)
  const draft = drafts[chosen] ?? { place: note?.place ?? '', text: note?.text ?? '' }
  const isGone = note === undefined && chosen !== '' && drafts[chosen] !== undefined
  const why = draft.text.trim() === '' ? 'Write the note first.' : null
  const save = () => void saveNote(notebook, note, draft)
  return (
    <>
      <form
        className="note-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (why === null) save()
        }}
      >
        <input
          className="field data note-place"
          aria-label="Address, range or label"
          placeholder={formatAddress(cursor)}
          maxLength={MAX_PLACE_LENGTH}
          spellCheck={false}
          value={draft.place}
          onChange={({ target }) => typeNote({ ...draft, place: target.value })}
        />
        <textarea
          className="field note-text"
          aria-label="Note"
          placeholder="What you found out"
          rows={2}
          maxLength={MAX_NOTE_LENGTH}
          value={draft.text}
          onChange={({ target }) => typeNote({ ...draft, text: target.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || why !== null) return
            event.preventDefault()
            save()
          }}
        />
        <Button label={note ? 'Change' : 'Add'} shortcut="Ctrl+Enter" why={why} onClick={save} />
        <Button label="New" why={chosen === '' ? 'This is a new note.' : null} onClick={() => chooseNote(null)} />
        <Button
          label="Remove"
          why={note ? null : 'Choose a note first.'}
          onClick={() => {
            if (note) void removeNote(notebook, note)
          }}
        />
      </form>
      {isGone ? (
        <p className="memory-search-problem label-problem" role="status">
          Somebody changed or removed this note meanwhile. Add keeps yours beside it.
        </p>
      ) : null}
      <Problem className="memory-search-problem" failure={failure} />
    </>
  )
}
