import { useEffect, useRef, useState } from 'react'
import { toFailure, type Failure } from '@shared/contract/errors'
import type { LabelledCheckpoint } from '@shared/contract/checkpoints'
import { changeCheckpoint, closeEditedCheckpoint } from '../../client/checkpoints'
import { useNames } from '../../client/labels'
import { useLimit } from '../../client/machines'
import { Button } from '../../widgets/Button'
import { Problem } from '../../widgets/Problem'
import { fieldProblems, fieldsOf, parseChanges, rangeText } from './checkpointForm'
import { CheckpointWhen } from './CheckpointWhen'

interface EditCheckpointProps {
  readonly machine: string
  readonly checkpoint: LabelledCheckpoint
}

export function EditCheckpoint({ machine, checkpoint }: EditCheckpointProps) {
  const { number } = checkpoint
  const names = useNames()
  const why = useLimit('checkpointConditions')
  const logLimit = useLimit('logPoints')
  const [fields, setFields] = useState(() => fieldsOf(checkpoint))
  const [problems, setProblems] = useState<ReturnType<typeof fieldProblems>>({})
  const [failure, setFailure] = useState<Failure | null>(null)

  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.scrollIntoView({ block: 'nearest' }), [problems, failure])

  const save = async () => {
    const found = fieldProblems(fields, names)
    setProblems(found)
    setFailure(null)
    if (Object.keys(found).length > 0) return
    try {
      closeEditedCheckpoint(await changeCheckpoint(machine, number, parseChanges(fields, names)))
    } catch (error) {
      setFailure(toFailure(error))
    }
  }

  return (
    <form
      ref={form}
      className="checkpoint-edit"
      aria-label={`Edit the checkpoint at ${rangeText(checkpoint)}`}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
      onDoubleClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        if (event.key === 'Escape') closeEditedCheckpoint(number)
      }}
    >
      {why !== null && logLimit !== null ? <p className="view-note">{why}</p> : null}
      <CheckpointWhen
        fields={fields}
        problems={problems}
        isFocused
        onChange={(changes) => {
          setFields({ ...fields, ...changes })
          setProblems({})
        }}
      />
      <span className="checkpoint-when">
        <button type="submit" className="button">
          Save
        </button>
        <Button label="Cancel" shortcut="Esc" onClick={() => closeEditedCheckpoint(number)} />
      </span>
      <Problem failure={failure} />
    </form>
  )
}
