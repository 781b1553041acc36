import { Dialog } from 'radix-ui'
import { useEffect, useId, useRef, useState, type SubmitEvent } from 'react'
import { passwordPattern } from '@shared/contract/connections'
import { toFailure } from '@shared/contract/errors'
import { Button } from '../widgets/Button'
import { call } from '../client/call'
import { describeError } from '../client/messages'
import { useQuestions, type PasswordQuestion } from '../client/passwords'
import './passwordPrompt.css'

export function PasswordPrompt() {
  const question = useQuestions(({ questions }) => questions[0])
  return (
    <Dialog.Root open={question !== undefined} onOpenChange={() => question?.dismissed()}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        {question === undefined ? null : (
          <Dialog.Content className="dialog password-prompt">
            <Question key={question.machine} question={question} />
          </Dialog.Content>
        )}
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** The field is not React's: the password goes from it to main, once, and stays nowhere. */
function Question({ question: { machine, reason, answered, dismissed } }: { readonly question: PasswordQuestion }) {
  const field = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState(reason)
  const [remember, setRemember] = useState(false)
  const [asking, setAsking] = useState<AbortController | null>(null)
  const limit = useSecretStoreLimit()
  const fieldId = useId()
  const limitId = useId()

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const password = field.current?.value ?? ''
    if (asking !== null) return
    if (!passwordPattern.test(password)) {
      setProblem('A password has letters, digits and signs of ASCII, at most 100.')
      return
    }
    if (field.current) field.current.value = ''
    const abort = new AbortController()
    setAsking(abort)
    try {
      answered(await call('connections.authenticate', { machine, password, remember }, { signal: abort.signal }))
    } catch (error) {
      setProblem(describeError(error))
      field.current?.focus()
    } finally {
      setAsking(null)
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <Dialog.Title>
        Password for <span className="data">{machine}</span>
      </Dialog.Title>
      <Dialog.Description className="problem">{problem}</Dialog.Description>
      <label htmlFor={fieldId}>Network Password, as set in the machine’s own menu</label>
      <input ref={field} id={fieldId} className="field data" type="password" autoComplete="off" spellCheck={false} />
      <label className="check">
        <input
          type="checkbox"
          checked={remember && limit === null}
          disabled={limit !== null}
          aria-describedby={limit === null ? undefined : limitId}
          onChange={({ target }) => setRemember(target.checked)}
        />
        Save it in the system’s secret store, for this device alone
      </label>
      {limit === null ? null : (
        <p id={limitId} className="muted">
          It cannot be saved: {limit} It is known until you close Bridgedeck.
        </p>
      )}
      <div className="prompt-buttons">
        <Button
          label="Cancel"
          onClick={() => {
            asking?.abort()
            dismissed()
          }}
        />
        <button type="submit" className="button primary" aria-disabled={asking !== null}>
          {asking === null ? 'Connect' : 'Connecting…'}
        </button>
      </div>
    </form>
  )
}

function useSecretStoreLimit(): string | null {
  const [limit, setLimit] = useState<string | null>('The secret store is being asked.')
  useEffect(() => {
    call('connections.secretStore', {}).then(
      (store) => setLimit(store.limit),
      (error: unknown) => setLimit(toFailure(error).message),
    )
  }, [])
  return limit
}
