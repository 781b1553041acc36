import type { MouseEvent } from 'react'
import { formatByte } from '@shared/c64/address'
import { lineTitles, type ListedLine } from '@shared/c64/codeListing'
import type { Names } from '@shared/c64/labels/names'
import { nameTarget } from '@shared/c64/labels/nameTarget'
import { fullNameOf } from '@shared/c64/labels/programLabel'
import type { LabelledCheckpoint } from '@shared/contract/checkpoints'
import { CheckpointMargin } from '../../../client/CheckpointMargin'
import { visibleText } from '../../../widgets/visibleText'
import { AssembleField, type AssemblePlace } from './AssembleField'

interface CodeLineProps {
  readonly id: string
  readonly line: ListedLine
  readonly names: Names
  readonly isTold: boolean
  readonly isChosen: boolean
  readonly checkpoints: readonly LabelledCheckpoint[]
  readonly limit: string | null
  readonly onCheckpoint: () => void
  readonly typing: string | null
  readonly place: AssemblePlace
  readonly onChoose: () => void
  readonly onGo: (address: number) => void
  readonly onType: () => void
  /** The address after what was written; null when it was given up. */
  readonly onTyped: (next: number | null) => void
  readonly onMenu: (event: MouseEvent) => void
}

export function CodeLine({
  id,
  line,
  names,
  isTold,
  isChosen,
  checkpoints,
  limit,
  typing,
  place,
  ...on
}: CodeLineProps) {
  const { address, bytes, kind, undocumented, target } = line
  const { text, comment } = nameTarget(line, names)
  const label = names.programLabelsAt(address).map(fullNameOf).join(', ')
  return (
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      className={isTold ? `code-line ${kind}` : 'code-line'}
      title={isTold ? lineTitles[kind] : undefined}
      onPointerDown={on.onChoose}
      onDoubleClick={on.onType}
      onContextMenu={(event) => {
        on.onChoose()
        on.onMenu(event)
      }}
    >
      <CheckpointMargin checkpoints={checkpoints} why={limit} onToggle={on.onCheckpoint} />
      <span className="code-line-address">{address.toString(16).toUpperCase().padStart(4, '0')}</span>
      <span className="code-line-bytes">
        {bytes
          .slice(0, 3)
          .map((byte) => formatByte(byte).slice(1))
          .join(' ')}
        {bytes.length > 3 ? '…' : ''}
      </span>
      {typing === null ? (
        <>
          <span
            className={undocumented ? 'code-line-text undocumented' : 'code-line-text'}
            onDoubleClick={(event) => {
              if (target === null) return
              event.stopPropagation()
              on.onGo(target)
            }}
          >
            {visibleText(text)}
          </span>
          <span className="code-line-comment muted">
            {visibleText([label && `${label}:`, comment].join(' ').trim())}
          </span>
        </>
      ) : (
        <AssembleField first={typing} line={line} names={names} place={place} onDone={on.onTyped} />
      )}
    </div>
  )
}
