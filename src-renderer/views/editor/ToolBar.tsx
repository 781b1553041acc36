import {
  ArrowDown,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  ClipboardPaste,
  Contrast,
  Copy,
  Eraser,
  FlipHorizontal2,
  FlipVertical2,
  Redo2,
  RotateCw,
  Replace,
  Undo2,
  type LucideIcon,
} from 'lucide-react'
import { actions } from '@shared/actions'
import { ChoiceSegments } from '../../client/ChoiceSegments'
import { perform } from '../../client/actions'
import { useChosen } from '../../client/chosen'
import type { Edited } from '../../client/edited'
import { shortcutText } from '../../client/shortcuts'
import { valuesOf, viewChoice } from '../../client/viewChoices'
import { IconButton } from '../../widgets/IconButton'
import { editorKeys, type KeyedAction } from './keys'
import { useEditor } from './editorState'
import { stepsOf, useSteps } from './editSession'
import { tools } from './tools'

const groups: readonly (readonly (readonly [id: KeyedAction, label: string, icon: LucideIcon])[])[] = [
  [
    ['editor.copy', 'Copy', Copy],
    ['editor.paste', 'Paste', ClipboardPaste],
    ['editor.clear', 'Clear', Eraser],
  ],
  [
    ['editor.mirrorX', 'Mirror left to right', FlipHorizontal2],
    ['editor.mirrorY', 'Mirror top to bottom', FlipVertical2],
    ['editor.rotate', 'Rotate by 90 degrees', RotateCw],
    ['editor.invert', 'Invert', Contrast],
    ['editor.exchange', 'Exchange colours', Replace],
  ],
  [
    ['editor.shiftLeft', 'Shift left', ArrowLeft],
    ['editor.shiftRight', 'Shift right', ArrowRight],
    ['editor.shiftUp', 'Shift up', ArrowUp],
    ['editor.shiftDown', 'Shift down', ArrowDown],
  ],
]

const shortcutOfKey = (id: KeyedAction): string => shortcutText(editorKeys[id].replace('Ctrl', 'CmdOrCtrl'))

export function ToolBar({ edited, limit }: { readonly edited: Edited; readonly limit: string | null }) {
  const hasCopy = useEditor((state) => state.hasCopy)
  const whyOf = (id: KeyedAction) =>
    id === 'editor.copy' ? null : (limit ?? (id === 'editor.paste' && !hasCopy ? 'Nothing was copied yet.' : null))
  return (
    <div className="toolbar editor-tools">
      <ToolChoice isScreen={edited.kind === 'screen'} limit={limit} />
      <History limit={limit} />
      {groups.map((group) => (
        <span key={group[0]?.[0]} className="editor-group">
          {group.map(([id, label, icon]) => (
            <IconButton
              key={id}
              label={label}
              tip={actions[id].title}
              icon={icon}
              look="plain"
              shortcut={shortcutOfKey(id)}
              why={whyOf(id)}
              onClick={() => perform(id)}
            />
          ))}
        </span>
      ))}
      {edited.kind === 'screen' ? <ChoiceSegments choice="editor.brush" /> : null}
      {edited.kind === 'bitmap' ? <ChoiceSegments choice="editor.fullCell" /> : null}
      {edited.kind === 'sprites' && edited.areOverlays ? <ChoiceSegments choice="editor.layer" /> : null}
    </div>
  )
}

function ToolChoice({ isScreen, limit }: { readonly isScreen: boolean; readonly limit: string | null }) {
  const [chosen, chooseTool] = useChosen('editor.tool')
  const { label, options, tips } = viewChoice('editor.tool')
  return (
    <span className="editor-group" role="group" aria-label={label}>
      {valuesOf('editor.tool')
        .filter((tool) => isScreen || tool !== 'text')
        .map((tool) => (
          <IconButton
            key={tool}
            label={options[tool] ?? tool}
            tip={tips?.[tool] ?? options[tool] ?? tool}
            icon={tools[tool].icon}
            look="plain"
            shortcut={tools[tool].key}
            pressed={chosen === tool}
            why={tool === 'select' ? null : limit}
            onClick={() => chooseTool(tool)}
          />
        ))}
    </span>
  )
}

function History({ limit }: { readonly limit: string | null }) {
  const thing = useEditor((state) => state.thing)
  const steps = stepsOf(useSteps(), thing)
  return (
    <span className="editor-group">
      <IconButton
        label="Undo"
        tip={actions['editor.undo'].title}
        icon={Undo2}
        look="plain"
        shortcut={shortcutOfKey('editor.undo')}
        why={limit ?? (steps.done.length === 0 ? 'Nothing to undo.' : null)}
        onClick={() => perform('editor.undo')}
      />
      <IconButton
        label="Redo"
        tip={actions['editor.redo'].title}
        icon={Redo2}
        look="plain"
        shortcut={shortcutOfKey('editor.redo')}
        why={limit ?? (steps.undone.length === 0 ? 'Nothing to redo.' : null)}
        onClick={() => perform('editor.redo')}
      />
    </span>
  )
}
