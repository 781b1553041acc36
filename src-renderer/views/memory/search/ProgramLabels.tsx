import { X } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { formatAddress } from '@shared/c64/address'
import { fullNameOf, type ProgramLabel } from '@shared/c64/labels/programLabel'
import { MAX_LABELS_FOUND, type LabelFileState } from '@shared/contract/labels'
import { counted } from '@shared/countedText'
import { perform } from '../../../client/actions'
import { call } from '../../../client/call'
import { ChoiceSegments } from '../../../client/ChoiceSegments'
import { useLabels } from '../../../client/labels'
import { useFrontName } from '../../../client/machines'
import { useCursor } from '../../../client/memoryCursor'
import { attempt } from '../../../client/messages'
import { Button } from '../../../widgets/Button'
import { Help } from '../../../widgets/form/Field'
import { IconButton } from '../../../widgets/IconButton'
import { ListBox } from '../../../widgets/ListBox'
import { visibleText } from '../../../widgets/visibleText'
import { useSearch } from './search'

const ROW_PX = 20

interface ProgramLabelsProps {
  readonly close: ReactNode
  readonly onGo: (address: number) => void
  readonly onOpen: () => void
}

export function ProgramLabels({ close, onGo, onOpen }: ProgramLabelsProps) {
  const machine = useFrontName()
  const { files, table } = useLabels()
  const { label: text, opened } = useSearch()
  const cursor = useCursor(({ address }) => address)
  const [chosen, setChosen] = useState<ProgramLabel | null>(null)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (opened > 0) field.current?.select()
  }, [opened])
  const found = table.search(text, MAX_LABELS_FOUND)
  const choose = (label: ProgramLabel) => {
    setChosen(label)
    onGo(label.address)
  }
  const clear = (file: string | null) => attempt(() => call('labels.clear', { machine, file }))
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const [first] = found
          if (!first) return
          choose(first)
          onOpen()
        }}
      >
        <ChoiceSegments choice="memory.searchPart" />
        <input
          ref={field}
          className="field data memory-search-query"
          value={text}
          maxLength={600}
          placeholder="Part of a name"
          aria-label="Find a label"
          spellCheck={false}
          onChange={({ target }) => useSearch.setState({ label: target.value })}
        />
        <span className="muted label-count" role="status">
          {countText(table.all.length, found.length)}
        </span>
        <Button label="Load…" onClick={() => perform('labels.load')} />
        <Button
          label="Clear all"
          why={files.length === 0 ? 'No labels are loaded.' : null}
          onClick={() => clear(null)}
        />
        <Help help="From VICE, 64tass, ACME, KickAssembler, cc65, Oscar64 and llvm-mos. A file beside the program (game.lbl beside game.prg) is loaded when the program is run. Files are read again when they are rebuilt." />
        {close}
      </form>
      <ul className="label-files" aria-label="Files of labels">
        {files.map((file) => (
          <FileRow key={file.path} file={file} onClear={() => clear(file.path)} />
        ))}
      </ul>
      {files.length === 0 ? (
        <p className="memory-search-note muted">
          No labels are loaded. Load a file that your assembler or compiler wrote, or drop one on the window.
        </p>
      ) : (
        <ListBox
          label="Labels"
          items={found}
          keyOf={keyOf}
          chosen={chosen?.address === cursor ? keyOf(chosen) : null}
          onChoose={choose}
          onOpen={onOpen}
          height={ROW_PX}
          render={(label) => (
            <span className="memory-match label-match data">
              <span>{formatAddress(label.address)}</span>
              <span>{visibleText(fullNameOf(label))}</span>
              <span className="muted">{label.kind === 'label' ? '' : label.kind}</span>
              <span className="muted">{label.size === null ? '' : counted(label.size, 'byte')}</span>
            </span>
          )}
        />
      )}
    </>
  )
}

const keyOf = (label: ProgramLabel): string => `${label.address} ${fullNameOf(label)}`

function countText(all: number, found: number): string {
  if (all === 0) return ''
  return found === all
    ? counted(all, 'label')
    : `${found === MAX_LABELS_FOUND ? `first ${found}` : found} of ${counted(all, 'label')}`
}

function FileRow({ file, onClear }: { readonly file: LabelFileState; readonly onClear: () => void }) {
  const { name, path, format, labels, lines, origin, problem } = file
  const facts = [
    format ?? 'not read',
    counted(labels, 'label'),
    ...(lines === 0 ? [] : [counted(lines, 'source line')]),
    ...(origin === 'program' ? ['beside the program'] : []),
  ]
  return (
    <li>
      <span title={visibleText(path)}>{visibleText(name)}</span>
      <span className="muted">{facts.join(', ')}</span>
      <IconButton label={`Clear the labels of ${visibleText(name)}`} icon={X} look="plain" onClick={onClear} />
      {problem === null ? null : <span className="label-problem">{visibleText(problem)}</span>}
    </li>
  )
}
