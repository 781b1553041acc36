import { useId, useState } from 'react'
import { stopOperations } from '@shared/checkpointStop'
import { toFailure, type Failure } from '@shared/contract/errors'
import { call } from '../../client/call'
import { useNames } from '../../client/labels'
import { useLimit } from '../../client/machines'
import { Check } from '../../widgets/Check'
import { Help } from '../../widgets/form/Field'
import { understood } from '../../widgets/typedAddress'
import { Understood } from '../../widgets/Understood'
import { Problem } from '../../widgets/Problem'
import { CheckpointWhen } from './CheckpointWhen'
import { parseCheckpoint, type CheckpointForm } from './checkpointForm'

const emptyForm: CheckpointForm = {
  where: '',
  operations: ['exec'],
  condition: '',
  hits: '',
  log: '',
  temporary: false,
}

export function AddCheckpoint({ machine }: { readonly machine: string }) {
  const conditionLimit = useLimit('checkpointConditions')
  const logLimit = useLimit('logPoints')
  const names = useNames()
  const [form, setForm] = useState(emptyForm)
  const [failure, setFailure] = useState<Failure | null>(null)
  const id = useId()
  const set = (changes: Partial<CheckpointForm>) => setForm({ ...form, ...changes })

  const add = async () => {
    try {
      const checkpoint = parseCheckpoint(
        {
          ...form,
          ...(conditionLimit === null ? {} : { condition: '' }),
          ...(logLimit === null ? {} : { hits: '', log: '' }),
        },
        names,
      )
      await call('machine.setCheckpoint', { machine, checkpoint })
      setForm(emptyForm)
      setFailure(null)
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
        <label htmlFor={`${id}-where`}>Stop when</label>
        <span className="with-note">
          <input
            id={`${id}-where`}
            className="field data"
            value={form.where}
            placeholder="c000, draw, a-b"
            spellCheck={false}
            aria-invalid={failure !== null}
            aria-describedby={`${id}-note`}
            onChange={({ target }) => {
              set({ where: target.value })
              setFailure(null)
            }}
          />
          <Understood id={`${id}-note`} text={understood([form.where], names)} />
        </span>
        <button type="submit" className="button">
          Add
        </button>
        <span className="checkpoint-when">
          {stopOperations.map(({ operation, label }) => {
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
          <Check label="once" checked={form.temporary} onChange={(temporary) => set({ temporary })} />
          <Help help={[conditionLimit, logLimit].filter(Boolean).join(' ')} />
        </span>
        <CheckpointWhen fields={form} onChange={set} />
      </form>
      <Problem className="register-problem" failure={failure} />
    </>
  )
}
