import { useState } from 'react'
import { inFormerOrder, rowKey, type ListRow } from './labels'

/** The rows as they are sorted, but in the order that they had for as long as the person is at work among them. */
export function useCalmRows(sorted: readonly ListRow[]) {
  const [isAmong, setAmong] = useState(false)
  const [former, setFormer] = useState<readonly string[]>([])
  const rows = isAmong ? inFormerOrder(sorted, former) : sorted
  const keys = rows.map(rowKey)
  if (keys.join('\n') !== former.join('\n')) setFormer(keys)
  return { rows, onPointerEnter: () => setAmong(true), onPointerLeave: () => setAmong(false) }
}
