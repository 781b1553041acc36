import { Pencil, Trash2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { describeInstruction } from '@shared/checkpointStop'
import type { CheckpointStop, LabelledCheckpoint } from '@shared/contract/checkpoints'
import { counted } from '@shared/countedText'
import { openByteMenu } from '../../client/byteMenu'
import {
  checkpointItems,
  closeEditedCheckpoint,
  editCheckpoint,
  enableCheckpoint,
  removeCheckpoint,
  useEditedCheckpoint,
} from '../../client/checkpoints'
import { isSwitchedOn } from '../../client/checkpointText'
import { useCheckpoints } from '../../frames/checkpoints'
import { namesShown } from '../../frames/places'
import { useNames } from '../../client/labels'
import { useFrontMachine, useFrontName, useLimit } from '../../client/machines'
import { showInMemory } from '../../client/memoryCursor'
import { visibleText } from '../../widgets/visibleText'
import { IconButton } from '../../widgets/IconButton'
import { AddCheckpoint } from './AddCheckpoint'
import { CheckpointLog } from './CheckpointLog'
import { EditCheckpoint } from './EditCheckpoint'
import { operationsText, rangeText } from './checkpointForm'

export function Checkpoints({ visible }: { readonly visible: boolean }) {
  const machine = useFrontName()
  const stop = useFrontMachine()?.stop ?? null
  const limit = useLimit('checkpoints')
  const list = useCheckpoints(machine, visible && limit === null)
  const edited = useEditedCheckpoint(({ number }) => number)
  if (limit !== null) return <p className="view-note">{limit}</p>
  return (
    <div className="checkpoints">
      {list.length === 0 ? <p className="view-note">No checkpoints yet.</p> : null}
      <ul>
        {list.map((checkpoint) => (
          <CheckpointRow
            key={checkpoint.number}
            machine={machine}
            checkpoint={checkpoint}
            stop={stop?.checkpoint === checkpoint.number ? stop : null}
            isEdited={edited === checkpoint.number}
          />
        ))}
      </ul>
      <AddCheckpoint machine={machine} />
      <CheckpointLog machine={machine} visible={visible} />
    </div>
  )
}

interface CheckpointRowProps {
  readonly machine: string
  readonly checkpoint: LabelledCheckpoint
  readonly stop: CheckpointStop | null
  readonly isEdited: boolean
}

function CheckpointRow({ machine, checkpoint, stop: stopped, isEdited }: CheckpointRowProps) {
  const names = useNames()
  const { number, start, label, line, unbound, enabledAgain, operations, temporary, stop } = checkpoint
  const { condition, fromHit, log, hits } = checkpoint
  const range = rangeText(checkpoint)
  const enabled = isSwitchedOn(checkpoint)
  const edit = useRef<HTMLButtonElement>(null)
  const wasEdited = useEditedCheckpoint(({ closed }) => closed === number)
  useEffect(() => {
    if (wasEdited) edit.current?.focus()
  }, [wasEdited])
  return (
    <li
      aria-current={stopped === null ? undefined : true}
      onContextMenu={(event) =>
        openByteMenu(event, { address: start, space: 'cpu' }, { extra: checkpointItems(checkpoint) })
      }
      onDoubleClick={() => void editCheckpoint(number)}
    >
      <input
        type="checkbox"
        checked={enabled}
        aria-label={`Checkpoint at ${range} is on`}
        onChange={({ target }) => enableCheckpoint(number, target.checked)}
        onDoubleClick={(event) => event.stopPropagation()}
      />
      <span className="data">{range}</span>
      <span>{label ?? namesShown(names, 'cpu').at(start)?.name}</span>
      <span className="muted">
        {operationsText(operations)}
        {temporary ? ', once' : ''}
        {stop || log !== null ? '' : ', without stopping'}
      </span>
      {line === null ? null : <span className="data">{visibleText(`${line.file}:${line.line}`)}</span>}
      {unbound === null ? null : (
        <span className="warn-text">
          Unbound: {unbound}; {enabledAgain ? 'on' : 'off'} when the line is back
        </span>
      )}
      {condition === null ? null : <span className="data">if {condition}</span>}
      {fromHit === 1 ? null : <span className="muted">from hit {fromHit}</span>}
      {log === null ? null : <span className="data">logs {log}</span>}
      <span className="muted checkpoint-hits">
        {counted(hits, 'hit')}
        {stopped?.by ? <LastBy by={stopped.by} /> : null}
      </span>
      <IconButton
        ref={edit}
        label={`Edit the checkpoint at ${range}`}
        icon={Pencil}
        look="plain"
        pressed={isEdited}
        onClick={() => (isEdited ? closeEditedCheckpoint(number) : void editCheckpoint(number))}
      />
      <IconButton
        label={`Remove the checkpoint at ${range}`}
        icon={Trash2}
        look="plain"
        onClick={() => removeCheckpoint(number)}
      />
      {isEdited ? <EditCheckpoint machine={machine} checkpoint={checkpoint} /> : null}
    </li>
  )
}

function LastBy({ by }: { readonly by: NonNullable<CheckpointStop['by']> }) {
  return (
    <>
      , last by{' '}
      <button type="button" className="link data" title="Show in memory" onClick={() => showInMemory(by.address)}>
        {describeInstruction(by)}
      </button>
    </>
  )
}
