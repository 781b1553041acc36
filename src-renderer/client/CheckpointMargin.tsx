import type { LabelledCheckpoint } from '@shared/contract/checkpoints'
import { describeCheckpoint, isSwitchedOn, markOf } from './checkpointText'
import { useShortcuts } from './shortcuts'
import './checkpointMargin.css'

interface CheckpointMarginProps {
  /** Those of the line. */
  readonly checkpoints: readonly LabelledCheckpoint[]
  /** Why none can be set here; null where one can. */
  readonly why: string | null
  readonly onToggle: () => void
}

/** The margin of a line of code. A click sets or removes its checkpoint; the keyboard has a command for that. */
export function CheckpointMargin({ checkpoints, why, onToggle }: CheckpointMarginProps) {
  const shortcut = useShortcuts()('machine.toggleCheckpoint')
  const isEmpty = checkpoints.length === 0
  const title = checkpoints.map(describeCheckpoint).join('\n')
  return (
    <span
      className="checkpoint-margin"
      data-mark={isEmpty ? (why === null ? 'free' : 'none') : markOf(checkpoints)}
      data-on={checkpoints.some(isSwitchedOn)}
      title={isEmpty ? (why ?? `Click to set a checkpoint (${shortcut})`) : title}
      onClick={onToggle}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      {isEmpty ? null : <span className="hidden-visually">Checkpoint: {title}, </span>}
    </span>
  )
}
