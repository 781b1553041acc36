import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent } from 'react'
import { Dialog } from 'radix-ui'
import type { EditValues, OfferedAction, OfferedField } from '@shared/contract/edits'
import type { RunNeed } from '@shared/contract/orchestration'
import { call } from '../../../client/call'
import { reportError, describeError } from '../../../client/messages'
import { useAnswer } from '../../../client/useAnswer'
import { shortcutText } from '../../../client/shortcuts'
import { Button } from '../../../widgets/Button'
import { visibleText } from '../../../widgets/visibleText'
import { NeedText } from '../NeedText'
import { Source } from '../Source'
import { placeOf, useProjects } from '../store'
import { clockText } from '../labels'
import { needOf, openPreview, show, type Editing } from './editing'

type Value = EditValues[string]

/** A draft is kept this long after the last key, ms. */
const SAVE_DRAFT_MS = 300

const initial = (field: OfferedField): Value | undefined =>
  field.kind === 'several' ? [...field.value] : (field.value ?? undefined)
const hasSuggestions = (field: OfferedField): field is OfferedField & { suggestions: string[] } =>
  (field.kind === 'line' || field.kind === 'text') && (field.suggestions?.length ?? 0) > 0
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The form of an action. What is typed is kept as a draft; fields that were not touched follow the files. */
export function ActionForm({ editing }: { readonly editing: Extract<Editing, { step: 'form' }> }) {
  const { project, run } = editing
  const { action, gone } = useOffered(editing)
  const need = useNeed(editing, action)
  const [touched, setTouched] = useState<EditValues>(editing.values ?? {})
  const [draftAt, setDraftAt] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const of = { project, run, name: action.name, target: action.target }
  const loaded = useRef(editing.values !== undefined)
  const kept = useRef<EditValues>({})

  useEffect(() => {
    if (loaded.current) return
    loaded.current = true
    call('projects.draft', of).then(({ draft }) => {
      if (draft === null) return
      kept.current = draft.values
      setTouched((typed) => ({ ...draft.values, ...typed }))
      setDraftAt(draft.at)
    }, reportError)
    // The form is of one action for as long as it is there.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  const keep = useEffectEvent(() => {
    if (same(touched, kept.current)) return
    kept.current = touched
    call('projects.keepDraft', { ...of, values: Object.keys(touched).length === 0 ? null : touched }).catch(reportError)
  })
  useEffect(() => {
    const timer = setTimeout(keep, SAVE_DRAFT_MS)
    return () => clearTimeout(timer)
  }, [touched])
  useEffect(() => () => keep(), [])

  const suggested = action.fields.find(hasSuggestions)
  const valueOf = (field: OfferedField): Value | undefined => touched[field.name] ?? initial(field)
  const set = (name: string, value: Value) => setTouched((typed) => ({ ...typed, [name]: value }))
  const discard = () => {
    setTouched({})
    setDraftAt(null)
  }
  const preview = () => {
    const values: Record<string, Value> = {}
    for (const field of action.fields) {
      const value = valueOf(field)
      if (value !== undefined && !(field.optional === true && value === '')) values[field.name] = value
    }
    setProblem(null)
    openPreview(editing, { kind: 'action', name: action.name, target: action.target, values }, action).catch(
      (error: unknown) => setProblem(describeError(error)),
    )
  }
  const onKey = (event: KeyboardEvent) => {
    const wanted =
      event.altKey && /^Digit[1-9]$/.test(event.code)
        ? suggested?.suggestions[Number(event.code.slice(5)) - 1]
        : undefined
    if (suggested && wanted !== undefined) {
      event.preventDefault()
      set(suggested.name, wanted)
      return
    }
    const isLine = event.target instanceof HTMLInputElement && event.target.type !== 'checkbox'
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey || isLine)) return
    event.preventDefault()
    preview()
  }

  return (
    <form onKeyDown={onKey} onSubmit={(event) => event.preventDefault()}>
      <Dialog.Title>{visibleText(action.title)}</Dialog.Title>
      <Dialog.Description className="muted">
        {visibleText(action.effect)} <Source project={project} source={action.source} />
      </Dialog.Description>
      {need === undefined ? null : (
        <>
          {action.title.includes(need.title) ? null : <h3>{visibleText(need.title)}</h3>}
          <NeedText need={need} />
        </>
      )}
      {gone ? (
        <p className="problem" role="alert">
          This cannot be done any more: the files were changed. What you typed is kept.
        </p>
      ) : null}
      {draftAt === null ? null : (
        <p className="edit-draft" role="status">
          Draft kept from {clockText(draftAt)} <Button label="Discard it" onClick={discard} />
        </p>
      )}
      {action.fields.map((field, index) => (
        <Field
          key={field.name}
          field={field}
          value={valueOf(field)}
          isFirst={index === 0}
          wasTouched={field.name in touched}
          onChange={(value) => set(field.name, value)}
        />
      ))}
      {problem === null ? null : (
        <p className="problem" role="alert">
          {visibleText(problem)}
        </p>
      )}
      <div className="prompt-buttons">
        <Button label="Cancel" shortcut="Esc" onClick={() => show(null)} />
        <Button label="See the change" shortcut="Ctrl+Enter" look="primary" onClick={preview} />
      </div>
    </form>
  )
}

/** The action as it is offered now, also after the run has changed. */
function useOffered({ project, run, action: first }: Extract<Editing, { step: 'form' }>): {
  action: OfferedAction
  gone: boolean
} {
  const revision = useProjects(({ runs }) => runs.get(placeOf(project, run))?.run.revision)
  const [action, setAction] = useState(first)
  const [gone, setGone] = useState(false)
  useEffect(() => {
    let ended = false
    call('projects.actions', { project, run, target: first.target }).then(
      ({ actions }) => {
        if (ended) return
        const now = actions.find(({ name }) => name === first.name)
        if (now) setAction(now)
        setGone(!now)
      },
      () => {
        if (!ended) setGone(true)
      },
    )
    return () => {
      ended = true
    }
  }, [project, run, first, revision])
  return { action, gone }
}

/** What the action answers, in full. */
function useNeed({ project, run }: Editing, action: OfferedAction): RunNeed | undefined {
  const revision = useProjects(({ runs }) => runs.get(placeOf(project, run))?.run.revision)
  const { data } = useAnswer(
    `${project} ${run}`,
    action.answersNeed,
    (signal) => call('projects.run', { project, run }, { signal }),
    revision,
  )
  return data === null ? undefined : needOf(data.needs, action)
}

interface FieldProps {
  readonly field: OfferedField
  readonly value: Value | undefined
  readonly isFirst: boolean
  readonly wasTouched: boolean
  readonly onChange: (value: Value) => void
}

function Field({ field, value, isFirst, wasTouched, onChange }: FieldProps) {
  const id = useId()
  const [began] = useState(() => initial(field))
  const now = initial(field)
  const movedOn = wasTouched && !same(now, began)
  const label = `${visibleText(field.label)}${field.optional === true ? ' (optional)' : ''}`
  const described = { 'aria-describedby': `${id}-help`, 'aria-required': field.optional !== true }
  const notes = (
    <div id={`${id}-help`}>
      {field.help === undefined ? null : <p className="muted edit-help">{visibleText(field.help)}</p>}
      {movedOn ? (
        <p className="warn-text">
          On disk it is now:{' '}
          {now === undefined ? 'nothing' : visibleText(Array.isArray(now) ? now.join(', ') : String(now))}
        </p>
      ) : null}
    </div>
  )
  const ofFirst = isFirst ? { 'data-first': true } : {}
  if (field.kind === 'several' || field.kind === 'choice') {
    const chosen = Array.isArray(value) ? value : value === undefined ? [] : [String(value)]
    const isOne = field.kind === 'choice'
    return (
      <fieldset className="edit-field" aria-describedby={`${id}-help`}>
        <legend>{label}</legend>
        {field.options.map((option, index) => (
          <label key={option.value} className="check">
            <input
              type={isOne ? 'radio' : 'checkbox'}
              name={id}
              {...(index === 0 ? ofFirst : {})}
              checked={chosen.includes(option.value)}
              onChange={({ target }) =>
                onChange(
                  isOne
                    ? option.value
                    : target.checked
                      ? [...chosen, option.value]
                      : chosen.filter((other) => other !== option.value),
                )
              }
            />
            {visibleText(option.label)}
          </label>
        ))}
        {notes}
      </fieldset>
    )
  }
  const text = value === undefined ? '' : String(value)
  return (
    <div className="edit-field">
      <label htmlFor={id}>{label}</label>
      {hasSuggestions(field) ? (
        <div className="edit-suggestions" role="group" aria-label="Suggestions">
          {field.suggestions.map((suggestion, index) => (
            <button
              key={index}
              type="button"
              className="button"
              aria-pressed={suggestion === value}
              onClick={() => onChange(suggestion)}
            >
              <span>{visibleText(suggestion)}</span> {index < 9 ? <kbd>{shortcutText(`Alt+${index + 1}`)}</kbd> : null}
            </button>
          ))}
        </div>
      ) : null}
      {field.kind === 'text' ? (
        <textarea
          id={id}
          {...described}
          {...ofFirst}
          className="field"
          rows={6}
          value={text}
          onChange={({ target }) => onChange(target.value)}
        />
      ) : field.kind === 'number' ? (
        <input
          id={id}
          {...described}
          {...ofFirst}
          className="field data"
          type="number"
          value={text}
          min={field.minimum}
          max={field.maximum}
          step={field.step ?? 'any'}
          onChange={({ target }) => onChange(target.value === '' ? '' : Number(target.value))}
        />
      ) : (
        <input
          id={id}
          {...described}
          {...ofFirst}
          className="field"
          type="text"
          spellCheck={false}
          value={text}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
      {notes}
    </div>
  )
}
