import { useId, useState } from 'react'
import { toFailure, type Failure } from '@shared/contract/errors'
import { call } from '../../client/call'
import { useLimit } from '../../client/machines'
import { Check } from '../../widgets/Check'
import { understood } from '../../widgets/typedAddress'
import { Understood } from '../../widgets/Understood'
import { operations, parseCheckpoint, type CheckpointForm } from './checkpointForm'

const emptyForm: CheckpointForm = { where: '', operations: ['exec'], condition: '', temporary: false }

/** One line: where the machine stops, at which accesses, and when. */
export function AddCheckpoint({ machine, onAdded }: { readonly machine: string; readonly onAdded: () => void }) {
  const conditionLimit = useLimit('checkpointConditions')
  const [form, setForm] = useState(emptyForm)
  const [failure, setFailure] = useState<Failure | null>(null)
  const noteId = useId()
  const set = (changes: Partial<CheckpointForm>) => setForm({ ...form, ...changes })

  const add = async () => {
    try {
      const checkpoint = parseCheckpoint(conditionLimit === null ? form : { ...form, condition: '' })
      await call('machine.setCheckpoint', { machine, checkpoint })
      setForm(emptyForm)
      setFailure(null)
      onAdded()
    } catch (error) {
      setFailure(toFailure(error))
    }
  }

  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void add()
        }}
      >
        <span className="with-note">
          <label>
            Stop when{' '}
            <input
              className="field data"
              size={14}
              value={form.where}
              placeholder="c000 or a-b"
              spellCheck={false}
              aria-invalid={failure !== null}
              aria-describedby={noteId}
              onChange={({ target }) => {
                set({ where: target.value })
                setFailure(null)
              }}
            />
          </label>
          <Understood id={noteId} text={understood(form.where)} />
        </span>
        {operations.map(({ operation, label }) => {
          const others = form.operations.filter((other) => other !== operation)
          return (
            <Check
              key={operation}
              label={label}
              checked={form.operations.includes(operation)}
              onChange={(checked) => set({ operations: checked ? [...others, operation] : others })}
            />
          )
        })}
        {conditionLimit === null ? (
          <label>
            if{' '}
            <input
              className="field data"
              size={14}
              value={form.condition}
              placeholder="A == $05"
              spellCheck={false}
              onChange={({ target }) => set({ condition: target.value })}
            />
          </label>
        ) : null}
        <Check label="once" checked={form.temporary} onChange={(temporary) => set({ temporary })} />
        <button type="submit" className="button">
          Add
        </button>
      </form>
      {conditionLimit === null ? null : <p className="checkpoint-limit">{conditionLimit}</p>}
      {failure === null ? null : (
        <p className="register-problem" role="alert">
          {failure.message} {failure.hint}
        </p>
      )}
    </>
  )
}
