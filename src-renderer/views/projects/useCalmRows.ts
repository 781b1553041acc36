import { useEffect, useState } from 'react'
import { inFormerOrder, rowKey, type ListRow } from './labels'

const CALM = '.projects, .scrim, .dialog, .toasts'

/** The rows keep their order while the pointer is among them, or in what lies over them. */
export function useCalmRows(sorted: readonly ListRow[]): readonly ListRow[] {
  const [isAmong, setAmong] = useState(false)
  const [former, setFormer] = useState<readonly string[]>([])
  useEffect(() => {
    const follow = ({ target }: PointerEvent) => setAmong(target instanceof Element && target.closest(CALM) !== null)
    document.addEventListener('pointerover', follow)
    return () => document.removeEventListener('pointerover', follow)
  }, [])
  const rows = isAmong ? inFormerOrder(sorted, former) : sorted
  const keys = rows.map(rowKey)
  if (keys.join('\n') !== former.join('\n')) setFormer(keys)
  return rows
}
