import { useState, type PointerEvent } from 'react'
import { inFormerOrder, rowKey, type ListRow } from './labels'

/** The rows as they are sorted, but in the order that they had for as long as the pointer is among them, or in a dialog above. */
export function useCalmRows(sorted: readonly ListRow[]) {
  const [isAmong, setAmong] = useState(false)
  const [former, setFormer] = useState<readonly string[]>([])
  const rows = isAmong ? inFormerOrder(sorted, former) : sorted
  const keys = rows.map(rowKey)
  if (keys.join('\n') !== former.join('\n')) setFormer(keys)
  return {
    rows,
    onPointerEnter: () => setAmong(true),
    onPointerLeave: ({ relatedTarget }: PointerEvent) => {
      const isInDialog = relatedTarget instanceof Element && relatedTarget.closest('.scrim, .dialog') !== null
      if (!isInDialog) setAmong(false)
    },
  }
}
