import { perform } from '../../client/actions'
import { useShortcuts } from '../../client/shortcuts'
import { Button } from '../../widgets/Button'

interface PictureActionsProps {
  readonly kind: 'waiting' | 'invalid' | 'screen' | 'bitmap'
  readonly editLimit: string | null
  readonly onEdit: () => void
  readonly onKeep: () => void
  readonly onMemory: () => void
  readonly onCopy: () => void
}

const NOTHING = 'There is no picture.'

export function PictureActions({ kind, editLimit, onEdit, onKeep, onMemory, onCopy }: PictureActionsProps) {
  const shortcuts = useShortcuts()
  const none = kind === 'waiting' || kind === 'invalid' ? NOTHING : null
  const textLimit = none ?? (kind === 'bitmap' ? 'A bitmap has no text.' : null)
  return (
    <div className="picture-actions" role="group" aria-label="With the picture">
      <Button label="Open in editor" shortcut="Enter" why={none ?? editLimit} onClick={onEdit} />
      <Button label="Keep in sheet" shortcut="K" why={none} onClick={onKeep} />
      <Button
        label="Export…"
        shortcut={shortcuts('graphics.export')}
        why={none}
        onClick={() => perform('graphics.export')}
      />
      <Button label="Show in memory" shortcut="M" why={none} onClick={onMemory} />
      <Button label="Copy text" shortcut="T" why={textLimit} onClick={onCopy} />
    </div>
  )
}
