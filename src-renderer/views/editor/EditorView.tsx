import { PenTool, Plus } from 'lucide-react'
import { counted } from '@shared/countedText'
import { perform } from '../../client/actions'
import { useArtworkSource } from '../../client/artworkSources'
import { isInMachine, isOfSheet, useEdited, type Edited } from '../../client/edited'
import { useLimit, useMachines } from '../../client/machines'
import type { ViewProps } from '../../client/view'
import { useCharacterRom } from '../../frames/characterRom'
import { useGraphicsWish } from '../../frames/graphicsImage'
import { usePlayback } from '../../frames/shownMoment'
import { Button } from '../../widgets/Button'
import { EmptyState } from '../../widgets/EmptyState'
import { ZoomButtons } from '../../widgets/ZoomButtons'
import { Colours } from './Colours'
import { editedSubjects } from './editedArtwork'
import { useEditor } from './editorState'
import { zoomBy } from './keys'
import { Stage } from './Stage'
import { ToolBar } from './ToolBar'
import { useUnwritten } from './unwritten'
import './editor.css'

export function EditorView({ visible }: ViewProps) {
  useArtworkSource('editor', editedSubjects)
  const { edited } = useEdited()
  return edited ? <Editor edited={edited} visible={visible} /> : <Nothing visible={visible} />
}

function Nothing({ visible }: ViewProps) {
  useGraphicsWish(visible)
  return (
    <div className="view-content" role="group" tabIndex={0} data-panel-focus aria-label="Editor">
      <EmptyState
        title="Nothing to edit yet"
        action={
          <div className="editor-offers">
            <Button label="Sprite 0" icon={PenTool} onClick={() => perform('editor.openSprite')} />
            <Button label="Screen" onClick={() => perform('editor.openScreen')} />
            <Button label="Bitmap" onClick={() => perform('editor.openBitmap')} />
          </div>
        }
      >
        <p>
          Open a sprite, characters or a picture here from the other views. Each stroke goes to the running machine, or
          into the sheet.
        </p>
      </EmptyState>
    </div>
  )
}

const noExpansion = { x: false, y: false }

function Editor({ edited, visible }: ViewProps & { readonly edited: Edited }) {
  const usesMachine = isInMachine(edited)
  useGraphicsWish(visible && usesMachine)
  // A screen of the sheet may use the characters of the machine's ROM.
  useCharacterRom(visible && isOfSheet(edited) && edited.kind === 'screen')
  const limit = useEditLimit(usesMachine)
  const { title, zoom } = useEditor()
  const expand = edited.kind === 'sprites' ? { x: edited.look.expandX, y: edited.look.expandY } : noExpansion
  return (
    <div className="editor">
      <ToolBar edited={edited} limit={limit} />
      {limit === null ? null : (
        <div className="editor-limit">
          <p role="status">{limit}</p>
          <ToSheet />
        </div>
      )}
      {usesMachine ? <NotWritten /> : null}
      <div className="editor-parts">
        <Stage visible={visible} expand={expand} />
        <div className="editor-beside">
          <div className="editor-head">
            <h2>{title}</h2>
            <ZoomButtons
              wholeLabel={zoom === null ? 'Fits the space' : 'Fit to the space'}
              step={2}
              onZoom={(factor) => zoomBy(factor > 1 ? 1 : -1)}
              onFit={() => useEditor.setState({ zoom: null })}
            />
          </div>
          <Colours edited={edited} visible={visible} limit={limit} />
        </div>
      </div>
    </div>
  )
}

const ToSheet = () => <Button label="To the sheet" icon={Plus} onClick={() => perform('editor.toSheet')} />

/** What the machine did not take stays drawn until it is written again or taken back. */
function NotWritten() {
  const front = useMachines((state) => state.front)
  const unwritten = useUnwritten((all) => all[front])
  const limit = useEditLimit(true)
  if (!unwritten || unwritten.bytes === 0) return null
  return (
    <div className="editor-limit">
      <p role="status">
        Not written: {counted(unwritten.bytes, 'byte')}. {unwritten.reason}
      </p>
      <Button label="Write again" why={limit} onClick={() => perform('editor.writeAgain')} />
      <Button label="Take back" onClick={() => perform('editor.takeBack')} />
      {limit === null ? <ToSheet /> : null}
    </div>
  )
}

function useEditLimit(usesMachine: boolean): string | null {
  const limit = useLimit('writeMemory')
  const isPast = usePlayback(({ shown }) => shown !== null)
  if (!usesMachine) return null
  return isPast ? 'The views show a recorded moment, which cannot be changed. Esc goes back to live.' : limit
}
