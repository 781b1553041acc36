import {
  ArrowLeft,
  ArrowRight,
  ClipboardPaste,
  Clapperboard,
  Copy,
  Cpu,
  Import,
  Upload,
  Pencil,
  Redo2,
  Trash2,
  Undo2,
} from 'lucide-react'
import { ActionButton } from '../../client/ActionButton'
import { AddressField } from '../../client/AddressField'
import { useSlot } from './writeSlot'

/** Sprite pointers reach every 64th byte. */
const SLOT_STEP = 64

export const SheetTools = () => {
  const slot = useSlot((state) => state.address)
  return (
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
      <AddressField
        label="Slot"
        value={slot}
        step={SLOT_STEP}
        from={() => slot}
        onChange={(address) => useSlot.setState({ address: address ?? slot })}
      />
      <ActionButton id="sheet.write" label="Write" icon={Cpu} />
    </div>
  )
}
