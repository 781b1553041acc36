import { Trash2 } from 'lucide-react'
import { describeInstruction } from '@shared/checkpointStop'
import type { CheckpointStop, LabelledCheckpoint } from '@shared/contract/checkpoints'
import { counted } from '@shared/countedText'
import { openByteMenu } from '../../client/byteMenu'
import { call } from '../../client/call'
import { useCheckpoints } from '../../frames/checkpoints'
import { namesShown } from '../../frames/places'
import { useNames } from '../../client/labels'
import { useFrontMachine, useFrontName, useLimit } from '../../client/machines'
import { showInMemory } from '../../client/memoryCursor'
import { attempt } from '../../client/messages'
import { visibleText } from '../../widgets/visibleText'
import { IconButton } from '../../widgets/IconButton'
import { AddCheckpoint } from './AddCheckpoint'
import { CheckpointLog } from './CheckpointLog'
import { operationsText, rangeText } from './checkpointForm'

/** Where the machine stops by itself, on machines that can. */
export function Checkpoints({ visible }: { readonly visible: boolean }) {
  const machine = useFrontName()
  const stop = useFrontMachine()?.stop ?? null
  const limit = useLimit('checkpoints')
  const [list, readAgain] = useCheckpoints(machine, visible && limit === null)
  if (limit !== null) return <p className="register-note">{limit}</p>
  const change = (action: () => Promise<unknown>) =>
    attempt(async () => {
      await action()
      readAgain()
    })
  return (
    <div className="checkpoints">
      {list.length === 0 ? <p className="register-note">No checkpoints yet.</p> : null}
      <ul>
        {list.map((checkpoint) => (
          <CheckpointRow
            key={checkpoint.number}
            checkpoint={checkpoint}
            stop={stop?.checkpoint === checkpoint.number ? stop : null}
            onEnable={(enabled) =>
              change(() => call('machine.enableCheckpoint', { machine, number: checkpoint.number, enabled }))
            }
            onDelete={() => change(() => call('machine.deleteCheckpoint', { machine, number: checkpoint.number }))}
          />
        ))}
      </ul>
      <AddCheckpoint machine={machine} onAdded={readAgain} />
      <CheckpointLog machine={machine} visible={visible} />
    </div>
  )
}

interface CheckpointRowProps {
  readonly checkpoint: LabelledCheckpoint
  /** Where the machine stands at it now. */
  readonly stop: CheckpointStop | null
  readonly onEnable: (enabled: boolean) => void
  readonly onDelete: () => void
}

function CheckpointRow({ checkpoint, stop: stopped, onEnable, onDelete }: CheckpointRowProps) {
  const names = useNames()
  const { start, label, line, unbound, enabledAgain, operations, temporary, stop, condition, fromHit, log, hits } =
    checkpoint
  const range = rangeText(checkpoint)
  const enabled = enabledAgain ?? checkpoint.enabled
  const own = [
    { label: enabled ? 'Switch off' : 'Switch on', run: () => onEnable(!enabled) },
    { label: 'Delete', run: onDelete },
  ]
  return (
    <li
      aria-current={stopped === null ? undefined : true}
      onContextMenu={(event) => openByteMenu(event, { address: start, space: 'cpu' }, { extra: own })}
    >
      <input
        type="checkbox"
        checked={enabled}
        aria-label={`Checkpoint at ${range} is on`}
        onChange={({ target }) => onEnable(target.checked)}
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
      <IconButton label={`Delete the checkpoint at ${range}`} icon={Trash2} look="plain" onClick={onDelete} />
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
