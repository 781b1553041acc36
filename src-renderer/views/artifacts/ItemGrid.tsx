import { useVirtualizer } from '@tanstack/react-virtual'
import { FileText } from 'lucide-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { fileName, itemKey, type GalleryItem } from './galleryItems'
import { useItemPicture } from './useItemPicture'

/** CSS px, with the gap. */
const TILE_WIDTH = 144
const TILE_HEIGHT = 152

interface ItemGridProps {
  readonly items: readonly GalleryItem[]
  /** Keys; two at most. */
  readonly chosen: readonly string[]
  readonly onChosen: (chosen: readonly string[]) => void
}

export function ItemGrid({ items, chosen, onChosen }: ItemGridProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [columns, setColumns] = useState(1)
  const [at, setAt] = useState(0)
  useEffect(() => {
    const element = scroller.current
    if (!element) return undefined
    const observer = new ResizeObserver(() => setColumns(Math.max(1, Math.floor(element.clientWidth / TILE_WIDTH))))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const rows = useVirtualizer({
    count: Math.ceil(items.length / columns),
    getScrollElement: () => scroller.current,
    estimateSize: () => TILE_HEIGHT,
    overscan: 2,
  })
  const cursor = Math.min(at, items.length - 1)
  const focus = (next: number) => {
    const to = Math.min(items.length - 1, Math.max(0, next))
    setAt(to)
    rows.scrollToIndex(Math.floor(to / columns))
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-at="${to}"]`)?.focus())
  }
  const move = (event: KeyboardEvent) => {
    const steps: Partial<Record<string, number>> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -columns,
      ArrowDown: columns,
      Home: -items.length,
      End: items.length,
    }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    focus(cursor + step)
  }
  const choose = (item: GalleryItem, isSecond: boolean) => {
    const key = itemKey(item)
    const [first] = chosen
    onChosen(isSecond && first !== undefined && first !== key ? [first, key] : [key])
  }
  return (
    <div ref={scroller} className="gallery-grid" role="group" aria-label="Files" onKeyDown={move}>
      <div style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((row) => (
          <div key={row.key} className="gallery-row" style={{ transform: `translateY(${row.start}px)` }}>
            {items.slice(row.index * columns, (row.index + 1) * columns).map((item, n) => {
              const index = row.index * columns + n
              return (
                <Tile
                  key={itemKey(item)}
                  item={item}
                  at={index}
                  isCursor={index === cursor}
                  isChosen={chosen.includes(itemKey(item))}
                  onChoose={(isSecond) => {
                    setAt(index)
                    choose(item, isSecond)
                  }}
                />
              )
            })}
          </div>
        ))}
      </div>
    </div>
  )
}

interface TileProps {
  readonly item: GalleryItem
  readonly at: number
  readonly isCursor: boolean
  readonly isChosen: boolean
  readonly onChoose: (isSecond: boolean) => void
}

function Tile({ item, at, isCursor, isChosen, onChoose }: TileProps) {
  const { url } = useItemPicture(item)
  const name = fileName(item.artifact)
  return (
    <button
      type="button"
      className="gallery-tile"
      data-at={at}
      data-panel-focus={isCursor ? true : undefined}
      tabIndex={isCursor ? 0 : -1}
      aria-pressed={isChosen}
      title={item.artifact}
      onClick={({ ctrlKey, metaKey, shiftKey }) => onChoose(ctrlKey || metaKey || shiftKey)}
    >
      <span className="gallery-thumb">
        {url === null ? <FileText size={32} strokeWidth={1.25} aria-hidden /> : <img src={url} alt="" />}
      </span>
      <span className="gallery-name data">{name}</span>
      <span className="gallery-task muted">{item.task?.name ?? item.id}</span>
    </button>
  )
}
