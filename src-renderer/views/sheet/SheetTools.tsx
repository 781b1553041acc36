import {
  ArrowLeft,
  ArrowRight,
  ClipboardPaste,
  Clapperboard,
  Copy,
  Import,
  Upload,
  Pencil,
  Redo2,
  Trash2,
  Undo2,
} from 'lucide-react'
import { ActionButton } from '../../client/ActionButton'

export const SheetTools = () => (
  <div className="toolbar">
    <ActionButton id="sheet.undo" label="Undo" icon={Undo2} />
    <ActionButton id="sheet.redo" label="Redo" icon={Redo2} />
    <ActionButton id="sheet.edit" label="Edit" icon={Pencil} />
    <ActionButton id="sheet.copy" label="Copy" icon={Copy} />
    <ActionButton id="sheet.paste" label="Paste" icon={ClipboardPaste} />
    <ActionButton id="sheet.moveBack" label="Move towards the front" icon={ArrowLeft} />
    <ActionButton id="sheet.moveOn" label="Move towards the end" icon={ArrowRight} />
    <ActionButton id="sheet.animate" label="Animate" icon={Clapperboard} />
    <ActionButton id="graphics.import" label="Import" icon={Import} />
    <ActionButton id="graphics.export" label="Export" icon={Upload} />
    <ActionButton id="sheet.delete" label="Delete" icon={Trash2} />
  </div>
)
