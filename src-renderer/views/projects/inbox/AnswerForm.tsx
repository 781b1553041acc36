import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { OfferedAction } from '@shared/contract/edits'
import { describeFailure } from '@shared/contract/errors'
import type { RunNeed } from '@shared/contract/orchestration'
import { call } from '../../../client/call'
import { attempt } from '../../../client/messages'
import { shortcutText } from '../../../client/shortcuts'
import { useAnswer } from '../../../client/useAnswer'
import { Button } from '../../../widgets/Button'
import { optionAt } from '../../../widgets/form/fields'
import { Form, FormFields, FormProblemText, SubmitButton } from '../../../widgets/form/Form'
import { visibleText } from '../../../widgets/visibleText'
import { answersTo, openPreview, writeAnswer } from '../edit/editing'
import { KeptDraft } from '../edit/KeptDraft'
import { useActionForm } from '../edit/useActionForm'
import { focusInbox, pressAnswer, useInboxKeys } from './keys'

interface OfNeed {
  readonly project: number
  readonly run: string
  readonly revision: number
  readonly need: RunNeed
}

const keyOf = ({ name, target }: OfferedAction): string => `${name} ${target}`

export function AnswerForm({ project, run, revision, need }: OfNeed) {
  const { data, failure } = useAnswer(
    `${project} ${run}`,
    true,
    (signal) => call('projects.actions', { project, run, target: null }, { signal }),
    revision,
  )
  const [picked, setPicked] = useState<{ readonly key: string; readonly byNumber: boolean } | null>(null)
  if (data === null) return failure === null ? null : <p className="problem">{describeFailure(failure)}</p>
  const actions = answersTo(need, data.actions)
  const action = actions.find((offered) => keyOf(offered) === picked?.key) ?? actions[0]
  if (action === undefined)
    return (
      <p className="muted">No action answers this now. Change {visibleText(need.source.file)} in an editor instead.</p>
    )
  return (
    <section className="need-answer" aria-label="Answer">
      {actions.length === 1 ? null : (
        <div className="form-suggestions" role="group" aria-label="What to do">
          {actions.map((offered, index) => (
            <button
              key={keyOf(offered)}
              type="button"
              className="button"
              aria-pressed={offered === action}
              onClick={() => setPicked({ key: keyOf(offered), byNumber: false })}
            >
              <span>{visibleText(offered.title)}</span> {index < 9 ? <kbd>{index + 1}</kbd> : null}
            </button>
          ))}
        </div>
      )}
      <ActionAnswer
        key={keyOf(action)}
        of={{ project, run }}
        need={need}
        action={action}
        others={actions}
        takesFocus={picked?.byNumber === true}
        onPick={(other) => setPicked({ key: keyOf(other), byNumber: true })}
      />
    </section>
  )
}

interface ActionAnswerProps {
  readonly of: { readonly project: number; readonly run: string }
  readonly need: RunNeed
  readonly action: OfferedAction
  readonly others: readonly OfferedAction[]
  readonly takesFocus: boolean
  readonly onPick: (action: OfferedAction) => void
}

function ActionAnswer({ of, need, action, others, takesFocus, onPick }: ActionAnswerProps) {
  const isOnly = others.length === 1
  const element = useRef<HTMLDivElement>(null)
  const { form, request, keptAt, keep, discard } = useActionForm({
    place: of,
    action,
    optionShortcut: (digit) => (isOnly ? String(digit) : shortcutText(`Alt+${digit}`)),
    send: (request) => writeAnswer(of, request, action, true),
  })

  const focusIn = (selector: string) => element.current?.querySelector<HTMLElement>(selector)?.focus()
  // Only once the form shows the choice: an Enter right after the number would send the earlier one.
  const [choices, setChoices] = useState(takesFocus ? 1 : 0)
  useEffect(() => {
    if (choices > 0) element.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
  }, [choices])
  const pressed = useInboxKeys((state) => state.pressed)
  const carryOut = useEffectEvent((key: 'answer' | number) => {
    pressAnswer(null)
    if (key === 'answer') {
      if (isOnly && form.fields.length === 0) form.submit()
      else focusIn('[data-field] :is(input, textarea, select), [type=submit]')
      return
    }
    const other = isOnly ? undefined : others[key - 1]
    const option = isOnly ? optionAt(form.fields, form.values, key) : null
    if (other === undefined && option === null) return
    // As with the mouse: an option that was already pressed answers.
    if (option !== null && choices > 0 && form.values[option.name] === option.value) {
      form.submit()
      return
    }
    if (option !== null) form.set(option.name, option.value)
    if (other !== undefined && other !== action) onPick(other)
    else setChoices((count) => count + 1)
  })
  useEffect(() => {
    if (pressed !== null) carryOut(pressed)
  }, [pressed])

  return (
    <div
      ref={element}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        keep()
        focusInbox()
      }}
    >
      <Form form={form} layout="stacked" label={visibleText(action.title)}>
        <p className="muted">{visibleText(action.effect)}</p>
        <KeptDraft at={keptAt} onDiscard={discard} />
        <FormFields form={form} sendsAgain />
        <FormProblemText form={form} />
        <div className="need-buttons">
          <SubmitButton
            form={form}
            label={need.kind === 'question' ? 'Answer' : visibleText(action.title)}
            shortcut="Ctrl+Enter"
          />
          <Button
            label="Preview change"
            onClick={() => {
              keep()
              attempt(() => openPreview(of, request, action, true))
            }}
          />
          <span className="muted">
            {optionAt(form.fields, form.values, 1) === null ? '' : 'Press an option twice to answer. '}
            <kbd>Esc</kbd> back to the list
          </span>
        </div>
      </Form>
    </div>
  )
}
