import { perform } from '../../client/actions'
import { useShortcuts } from '../../client/shortcuts'
import { Button } from '../../widgets/Button'

export interface CharacterActionsOf {
  readonly onEdit: () => void
  readonly onKeep: () => void
  readonly onMemory: () => void
}

interface CharacterActionsProps extends CharacterActionsOf {
  readonly count: number
  readonly editLimit: string | null
  readonly memoryLimit: string | null
}

export const CharacterActions = ({
  count,
  editLimit,
  memoryLimit,
  onEdit,
  onKeep,
  onMemory,
}: CharacterActionsProps) => (
  <div className="character-actions" role="group" aria-label="With the chosen characters">
    <span className="muted">{count === 1 ? '1 character' : `${count} characters`}</span>
    <Button label="Open in editor" shortcut="Enter" why={editLimit} onClick={onEdit} />
    <Button label="Keep in sheet" shortcut="K" onClick={onKeep} />
    <Button label="Export…" shortcut={useShortcuts()('graphics.export')} onClick={() => perform('graphics.export')} />
    <Button label="Show in memory" shortcut="M" why={memoryLimit} onClick={onMemory} />
  </div>
)

export function performCharacterKey(key: string, { onEdit, onKeep, onMemory }: CharacterActionsOf): boolean {
  const perform = { enter: onEdit, k: onKeep, m: onMemory }[key.toLowerCase()]
  perform?.()
  return perform !== undefined
}
