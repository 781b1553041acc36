import { Redo2, SlidersHorizontal, Undo2 } from 'lucide-react'
import { Popover } from 'radix-ui'
import { shortcutOf } from '../../client/shortcuts'
import { oneOf } from '../../client/viewState'
import { Check } from '../../widgets/Check'
import { IconButton } from '../../widgets/IconButton'
import { Tip } from '../../widgets/Tip'
import type { Follow } from './follow'
import { readHeatKind, type HeatKind } from './heatKind'
import type { TextColumnChoice } from './useTextColumn'

export const readFollow = oneOf<Follow>('nothing', 'pc', 'change')

interface ChoiceOf<Value> {
  readonly onChange: (value: Value) => void
}

export const FollowChoice = ({ follow, onChange }: ChoiceOf<Follow> & { readonly follow: Follow }) => (
  <label>
    Follow
    <select className="field" value={follow} onChange={({ target }) => onChange(readFollow(target.value))}>
      <option value="nothing">nothing</option>
      <option value="pc">the PC</option>
      <option value="change">changes</option>
    </select>
  </label>
)

interface MoreToolsProps {
  readonly column: TextColumnChoice
  /** Null where the machine does not tell of reads and writes. */
  readonly heat: (ChoiceOf<HeatKind> & { readonly kind: HeatKind }) | null
}

/** What is seldom changed, behind one button, so that the bar is one row. */
export const MoreTools = ({ column, heat }: MoreToolsProps) => (
  <Popover.Root>
    <Tip text={heat ? 'More: text column, heat' : 'More: text column'}>
      <Popover.Trigger asChild>
        <button type="button" className="button plain icon" aria-label="More">
          <SlidersHorizontal size={14} strokeWidth={1.75} aria-hidden />
        </button>
      </Popover.Trigger>
    </Tip>
    <Popover.Portal>
      <Popover.Content
        className="popover memory-more"
        align="end"
        sideOffset={4}
        collisionPadding={8}
        aria-label="More"
      >
        <TextChoice column={column} />
        {heat ? <HeatChoice {...heat} /> : null}
      </Popover.Content>
    </Popover.Portal>
  </Popover.Root>
)

const HeatChoice = ({ kind, onChange }: ChoiceOf<HeatKind> & { readonly kind: HeatKind }) => (
  <Tip text="What makes a byte hot, in the map and among the bytes">
    <label>
      Heat
      <select className="field" value={kind} onChange={({ target }) => onChange(readHeatKind(target.value))}>
        <option value="changes">changes</option>
        <option value="reads">reads</option>
        <option value="writes">writes</option>
      </select>
    </label>
  </Tip>
)

const TextChoice = ({ column }: { readonly column: TextColumnChoice }) => (
  <>
    <Tip text="How the text column reads bytes; auto: screen codes in screen memory, PETSCII elsewhere">
      <label>
        Text
        <select className="field" value={column.text.kind} onChange={({ target }) => column.chooseKind(target.value)}>
          <option value="auto">auto</option>
          <option value="petscii">PETSCII</option>
          <option value="screen">screen</option>
        </select>
      </label>
    </Tip>
    <Check label="Small and capital letters" checked={column.text.set === 'lower'} onChange={column.switchCase} />
  </>
)

interface History {
  readonly undoLimit: string | null
  readonly redoLimit: string | null
  /** What they would do; null where there is nothing. */
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
