import type { LabelledCheckpoint } from '@shared/contract/checkpoints'
import { describeCheckpoint, isSwitchedOn, markOf } from './checkpointText'
import { useShortcuts } from './shortcuts'
import './checkpointMargin.css'

interface CheckpointMarginProps {
  readonly checkpoints: readonly LabelledCheckpoint[]
  readonly why: string | null
  readonly onToggle: () => void
}

/** For the mouse; the keyboard has a command for it. */
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
