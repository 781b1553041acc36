import { Dialog } from 'radix-ui'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { OfferedAction } from '@shared/contract/edits'
import { DiffView } from '../../../client/DiffView'
import { attempt } from '../../../client/messages'
import { Button } from '../../../widgets/Button'
import { ListBox } from '../../../widgets/ListBox'
import { visibleText } from '../../../widgets/visibleText'
import { ActionForm } from './ActionForm'
import { focusBefore, openAction, openPreview, show, useEditing, write, type Editing } from './editing'
import './edit.css'

export function EditDialog() {
  const editing = useEditing((state) => state.editing)
  return (
    <Dialog.Root open={editing !== null} onOpenChange={() => show(null)}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        {editing === null ? null : (
          <Dialog.Content
            className="dialog of-form edit-dialog"
            {...(editing.step === 'form' ? {} : { 'aria-describedby': undefined })}
            onOpenAutoFocus={(event) => event.preventDefault()}
            onCloseAutoFocus={(event) => {
              event.preventDefault()
              focusBefore()
            }}
            onEscapeKeyDown={(event) => {
              if (!goBack(editing)) return
              event.preventDefault()
            }}
          >
            <Step key={editing.step} editing={editing} />
          </Dialog.Content>
        )}
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function goBack(editing: Editing): boolean {
  if ((editing.step !== 'preview' && editing.step !== 'conflict') || !hasForm(editing)) return false
  const { project, run, action, request } = editing
  show({ project, run, step: 'form', action, ...(request.kind === 'action' ? { values: request.values } : {}) })
  return true
}

const hasForm = <Step extends Extract<Editing, { step: 'preview' | 'conflict' }>>(
  editing: Step,
): editing is Step & { readonly action: OfferedAction } =>
  !editing.isInInbox && editing.action !== null && editing.action.fields.length > 0

function Step({ editing }: { readonly editing: Editing }) {
  const step = useRef<HTMLDivElement>(null)
  useEffect(
    () => step.current?.querySelector<HTMLElement>('[data-first], [role=listbox]')?.focus({ preventScroll: true }),
    [],
  )
  return (
    <div ref={step} className="edit-step">
      {editing.step === 'choose' ? (
        <Choose editing={editing} />
      ) : editing.step === 'form' ? (
        <ActionForm editing={editing} />
      ) : editing.step === 'preview' ? (
        <Confirm editing={editing} />
      ) : (
        <ConflictStep editing={editing} />
      )}
    </div>
  )
}

function Choose({ editing }: { readonly editing: Extract<Editing, { step: 'choose' }> }) {
  const [chosen, setChosen] = useState(editing.actions[0])
  const keyOf = ({ name, target }: { name: string; target: string }) => `${name} ${target}`
  return (
    <>
      <Dialog.Title>{visibleText(editing.title)}</Dialog.Title>
      <div
        className="edit-actions"
        style={{ height: `min(${ACTION_ROW_PX * Math.min(8, editing.actions.length)}px, 50vh)` }}
      >
        <ListBox
          label="What to do"
          items={editing.actions}
          keyOf={keyOf}
          chosen={chosen ? keyOf(chosen) : null}
          onChoose={setChosen}
          onOpen={(action) => openAction(editing, action)}
          height={ACTION_ROW_PX}
          render={({ title, effect }) => (
            <div className="edit-action" title={visibleText(`${title}\n${effect}`)}>
              <span>{visibleText(title)}</span>
              <span className="muted">{visibleText(effect)}</span>
            </div>
          )}
        />
      </div>
      {editing.more === 0 ? null : <p className="muted">And {editing.more} more, offered at their tasks.</p>}
      <div className="prompt-buttons">
        <Button label="Cancel" shortcut="Esc" onClick={() => show(null)} />
        <Button label="Choose" shortcut="Enter" look="primary" onClick={() => chosen && openAction(editing, chosen)} />
      </div>
    </>
  )
}

const ACTION_ROW_PX = 40

function useWriting(editing: Extract<Editing, { step: 'preview' | 'conflict' }>, canWrite: boolean) {
  const [isWriting, setWriting] = useState(false)
  const begin = () => {
    if (isWriting || !canWrite) return
    setWriting(true)
    attempt(() => write(editing).finally(() => setWriting(false)))
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    begin()
  }
  return { isWriting, begin, onKey }
}

function Confirm({ editing }: { readonly editing: Extract<Editing, { step: 'preview' }> }) {
  const { preview, action, request } = editing
  const { isWriting, begin, onKey } = useWriting(editing, preview.isPossible)
  return (
    <div className="edit-step" onKeyDown={onKey}>
      <Dialog.Title>
        {request.kind === 'undo' ? 'Undo, including git' : visibleText(action ? action.title : preview.summary)}
      </Dialog.Title>
      <DiffView preview={preview} label="What would be written" />
      <div className="prompt-buttons">
        <Button
          label={hasForm(editing) ? 'Back' : 'Cancel'}
          shortcut="Esc"
          onClick={() => (goBack(editing) ? undefined : show(null))}
        />
        {preview.isPossible ? (
          <button type="button" className="button primary" data-first aria-disabled={isWriting} onClick={begin}>
            {isWriting ? 'Writing…' : 'Write'} <kbd>Ctrl+Enter</kbd>
          </button>
        ) : (
          <button
            type="button"
            className="button"
            data-first
            onClick={() => attempt(() => openPreview(editing, request, action))}
          >
            Look again
          </button>
        )}
      </div>
    </div>
  )
}

function ConflictStep({ editing }: { readonly editing: Extract<Editing, { step: 'conflict' }> }) {
  const { conflict, seen } = editing
  const { isWriting, begin, onKey } = useWriting(editing, conflict.preview?.isPossible ?? false)
  return (
    <div className="edit-step" onKeyDown={onKey}>
      <Dialog.Title>Changed in the meantime: nothing was written</Dialog.Title>
      <p className="problem" role="alert">
        {visibleText(conflict.reason)}
      </p>
      {conflict.changed.length === 0 ? null : (
        <>
          <h3>What others changed</h3>
          <ul className="edit-changed">
            {conflict.changed.map(({ file, field, from, to }, index) => (
              <li key={index}>
                <span className="data">{visibleText(`${file} ${field ?? ''}`)}</span>:{' '}
                <span className="bad-text">{from === null ? 'nothing' : visibleText(from)}</span> →{' '}
                <span className="ok-text">{to === null ? 'nothing' : visibleText(to)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <h3>What you agreed on</h3>
      <DiffView preview={seen} label="What you agreed on" />
      {conflict.preview === null ? null : (
        <>
          <h3>What it would change now</h3>
          <DiffView preview={conflict.preview} label="What it would change now" />
        </>
      )}
      <div className="prompt-buttons">
        <Button
          label={hasForm(editing) ? 'Back to the form' : 'Leave as is'}
          shortcut="Esc"
          onClick={() => (goBack(editing) ? undefined : show(null))}
        />
        {conflict.preview?.isPossible ? (
          <button type="button" className="button primary" data-first aria-disabled={isWriting} onClick={begin}>
            {isWriting ? 'Writing…' : 'Write over it'} <kbd>Ctrl+Enter</kbd>
          </button>
        ) : null}
      </div>
    </div>
  )
}
