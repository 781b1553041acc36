import { useEffect, useState, type SubmitEvent } from 'react'
import { Trash2 } from 'lucide-react'
import { labelFor } from '@shared/c64/memoryMap'
import type { Checkpoint } from '@shared/contract/machine'
import { toFailure, type Failure } from '@shared/contract/errors'
import { call } from '../../client/call'
import { useFrameSummary } from '../../frames/frames'
import { useFrontMachine, useFrontName, useLimit } from '../../client/machines'
import { attempt } from '../../client/messages'
import { IconButton } from '../../widgets/IconButton'
import { operations, operationsText, parseCheckpoint, rangeText, type CheckpointForm } from './checkpointForm'

const emptyForm: CheckpointForm = { where: '', operations: ['exec'], condition: '', temporary: false }

/** Where the machine is to stop by itself, on machines that can. */
export function Checkpoints({ visible }: { readonly visible: boolean }) {
  const machine = useFrontName()
  const limit = useLimit('checkpoints')
  const conditionLimit = useLimit('checkpointConditions')
  const execution = useFrontMachine()?.execution
  // A machine that stands gives a sample only when it stopped anew.
  const { seq } = useFrameSummary()
  const stop = execution === 'paused' ? seq : null
  const [list, setList] = useState<readonly Checkpoint[]>([])
  const [form, setForm] = useState(emptyForm)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [changes, setChanges] = useState(0)

  // A stop changes the counts, and temporary checkpoints go with it; asking stops the machine for a moment, so not oftener.
  useEffect(() => {
    if (!visible || limit !== null) return undefined
    const controller = new AbortController()
    attempt(async () => {
      const { checkpoints } = await call('machine.checkpoints', { machine }, { signal: controller.signal })
      if (!controller.signal.aborted) setList(checkpoints)
    })
    return () => controller.abort()
  }, [visible, limit, machine, execution, stop, changes])

  if (limit !== null) return <p className="register-note">{limit}</p>

  const thenList = (action: () => Promise<unknown>) =>
    attempt(async () => {
      await action()
      setChanges((count) => count + 1)
    })

  const add = async (event: SubmitEvent) => {
    event.preventDefault()
    try {
      await call('machine.setCheckpoint', {
        machine,
        checkpoint: parseCheckpoint(conditionLimit === null ? form : { ...form, condition: '' }),
      })
      setForm(emptyForm)
      setFailure(null)
      setChanges((count) => count + 1)
    } catch (error) {
      setFailure(toFailure(error))
    }
  }

  return (
    <div className="checkpoints">
      {list.length === 0 ? <p className="register-note">No checkpoints yet.</p> : null}
      <ul>
        {list.map((checkpoint) => (
          <li key={checkpoint.number}>
            <input
              type="checkbox"
              checked={checkpoint.enabled}
              aria-label={`Checkpoint at ${rangeText(checkpoint)} is on`}
              onChange={(event) => {
                const enabled = event.target.checked
                thenList(() => call('machine.enableCheckpoint', { machine, number: checkpoint.number, enabled }))
              }}
            />
            <span className="data">{rangeText(checkpoint)}</span>
            <span>{labelFor(checkpoint.start)?.name}</span>
            <span className="muted">
              {operationsText(checkpoint.operations)}
              {checkpoint.temporary ? ', once' : ''}
              {checkpoint.stop ? '' : ', without stopping'}
            </span>
            {checkpoint.condition === null ? null : <span className="data">if {checkpoint.condition}</span>}
            <span className="muted checkpoint-hits">{checkpoint.hits === 1 ? '1 hit' : `${checkpoint.hits} hits`}</span>
            <IconButton
              label={`Delete the checkpoint at ${rangeText(checkpoint)}`}
              icon={Trash2}
              look="plain"
              onClick={() => thenList(() => call('machine.deleteCheckpoint', { machine, number: checkpoint.number }))}
            />
          </li>
        ))}
      </ul>
      <form onSubmit={(event) => void add(event)}>
        <label>
          Stop when{' '}
          <input
            className="field data"
            size={14}
            value={form.where}
            placeholder="$c000 or a-b"
            spellCheck={false}
            aria-invalid={failure !== null}
            onChange={(event) => {
              setForm({ ...form, where: event.target.value })
              setFailure(null)
            }}
          />
        </label>
        {operations.map(({ operation, label }) => (
          <label key={operation}>
            <input
              type="checkbox"
              checked={form.operations.includes(operation)}
              onChange={(event) =>
                setForm({
                  ...form,
                  operations: event.target.checked
                    ? [...form.operations, operation]
                    : form.operations.filter((other) => other !== operation),
                })
              }
            />{' '}
            {label}
          </label>
        ))}
        {conditionLimit === null ? (
          <label>
            if{' '}
            <input
              className="field data"
              size={14}
              value={form.condition}
              placeholder="A == $05"
              spellCheck={false}
              onChange={(event) => setForm({ ...form, condition: event.target.value })}
            />
          </label>
        ) : null}
        <label>
          <input
            type="checkbox"
            checked={form.temporary}
            onChange={(event) => setForm({ ...form, temporary: event.target.checked })}
          />{' '}
          once
        </label>
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
    </div>
  )
}
