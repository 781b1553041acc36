import { Redo2, Undo2 } from 'lucide-react'
import { shortcutOf } from '../../client/shortcuts'
import { perform } from '../../client/actions'
import { ChoiceSelect } from '../../client/ChoiceSelect'
import { Button } from '../../widgets/Button'
import { Check } from '../../widgets/Check'
import { IconButton } from '../../widgets/IconButton'
import { MorePopover } from '../../widgets/MorePopover'
import { Tip } from '../../widgets/Tip'
import type { TextColumnChoice } from './useTextColumn'

export const FollowChoice = () => (
  <label>
    Follow
    <ChoiceSelect choice="memory.follow" />
  </label>
)

interface MoreToolsProps {
  readonly column: TextColumnChoice
  readonly limitOfHeat: (kind: string) => string | null
  readonly isHeld: boolean
  readonly onHold: (holds: boolean) => void
}

export const MoreTools = ({ column, limitOfHeat, isHeld, onHold }: MoreToolsProps) => (
  <MorePopover tip="More: text column, heat, hex views" className="memory-more">
    <TextChoice column={column} />
    <HeatChoice limitOf={limitOfHeat} />
    <Check label="Only since now; nothing fades" checked={isHeld} onChange={onHold} />
    <Button
      label="Open another hex view"
      shortcut={shortcutOf('memory.openPane')}
      onClick={() => perform('memory.openPane')}
    />
    <Button
      label="Zero page by name"
      shortcut={shortcutOf('memory.zeroPage')}
      onClick={() => perform('memory.zeroPage')}
    />
  </MorePopover>
)

const HeatChoice = ({ limitOf }: { readonly limitOf: (kind: string) => string | null }) => (
  <Tip text="What makes a byte hot, in the map and among the bytes">
    <label>
      Heat
      <ChoiceSelect choice="memory.heat" why={limitOf} />
    </label>
  </Tip>
)

const TextChoice = ({ column }: { readonly column: TextColumnChoice }) => (
  <>
    <Tip text="How the text column reads bytes; auto: screen codes in screen memory, PETSCII elsewhere">
      <label>
        Text
        <ChoiceSelect choice="memory.text" />
      </label>
    </Tip>
    <Check label="Small and capital letters" checked={column.text.set === 'lower'} onChange={column.switchCase} />
  </>
)

interface History {
  readonly undoLimit: string | null
  readonly redoLimit: string | null
  readonly undoText: string | null
  readonly redoText: string | null
  readonly undo: () => void
  readonly redo: () => void
}

export const HistoryButtons = ({ history }: { readonly history: History }) => (
  <>
    <IconButton
      label="Undo the memory edit"
      tip={history.undoText ?? 'Undo the memory edit'}
      icon={Undo2}
      look="plain"
      shortcut={shortcutOf('memory.undo')}
      why={history.undoLimit}
      onClick={history.undo}
    />
    <IconButton
      label="Redo the memory edit"
      tip={history.redoText ?? 'Redo the memory edit'}
      icon={Redo2}
      look="plain"
      why={history.redoLimit}
      onClick={history.redo}
    />
  </>
)
