import { Button } from '../../widgets/Button'

interface PictureActionsProps {
  readonly isText: boolean
  /** Why the editor cannot open it. */
  readonly editLimit: string | null
  readonly onEdit: () => void
  readonly onKeep: () => void
  readonly onMemory: () => void
  readonly onCopy: () => void
}

export const PictureActions = ({ isText, editLimit, onEdit, onKeep, onMemory, onCopy }: PictureActionsProps) => (
  <div className="picture-actions" role="group" aria-label="With the picture">
    <Button label="Open in editor" shortcut="Enter" why={editLimit} onClick={onEdit} />
    <Button label="Keep in sheet" shortcut="K" onClick={onKeep} />
    <Button label="Show in memory" shortcut="M" onClick={onMemory} />
    <Button label="Copy text" shortcut="T" why={isText ? null : 'A bitmap has no text.'} onClick={onCopy} />
  </div>
)
