import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent, useMemo, useRef, type KeyboardEvent, type ReactNode } from 'react'
import './listBox.css'

interface ListBoxProps<Item> {
  readonly label: string
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  readonly chosen: string | null
  readonly onChoose: (item: Item) => void
  /** Enter or a double click. */
  readonly onOpen?: (item: Item) => void
  /** Row height, CSS px; the minimum for rows that grow. */
  readonly height: number
  readonly grows?: boolean
  readonly render: (item: Item) => ReactNode
  readonly context?: number
  /** F6 moves the focus here. */
  readonly isFirst?: boolean
  readonly onEnd?: () => void
}

/** Renders only the rows in view. */
export function ListBox<Item>({
  label,
  items,
  keyOf,
  chosen,
  onChoose,
  onOpen,
  height,
  grows = false,
  render,
  context = 0,
  isFirst = false,
  onEnd,
}: ListBoxProps<Item>) {
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 8,
    getItemKey: (index) => {
      const item = items[index]
      return item === undefined ? index : keyOf(item)
    },
    scrollPaddingStart: context * height,
    scrollPaddingEnd: context * height,
  })
  // Not searched on each render: there may be 65,536 items.
  const at = useMemo(() => items.findIndex((item) => keyOf(item) === chosen), [items, keyOf, chosen])
  const idOf = (item: Item | undefined): string | undefined =>
    item === undefined ? undefined : `${label}-${encodeURIComponent(keyOf(item))}`.replaceAll(' ', '-')

  useEffect(() => {
    if (at >= 0) rows.scrollToIndex(at)
    // Rows may move without a new choice; then the list stays where it is.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [chosen])

  const isAtEnd = items.length > 0 && (rows.getVirtualItems().at(-1)?.index ?? -1) >= items.length - 1
  const reachEnd = useEffectEvent(() => onEnd?.())
  useEffect(() => {
    if (isAtEnd) reachEnd()
  }, [isAtEnd, items.length])

  const moveBy = (event: KeyboardEvent) => {
    const current = items[at]
    if (event.key === 'Enter' && onOpen && current !== undefined) {
      event.preventDefault()
      onOpen(current)
      return
    }
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / height) - 1)
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }
    const isPlain = !(event.ctrlKey || event.metaKey || event.altKey)
    const step = { ...steps, ...(isPlain ? { j: 1, k: -1 } : {}) }[event.key]
    if (step === undefined || items.length === 0) return
    event.preventDefault()
    const next = items[at < 0 ? 0 : Math.min(items.length - 1, Math.max(0, at + step))]
    if (next !== undefined) onChoose(next)
  }

  return (
    <div
      ref={scroller}
      className="list-box scroll-pane"
      role="listbox"
      aria-label={label}
      tabIndex={0}
      {...(isFirst ? { 'data-panel-focus': true } : {})}
      aria-activedescendant={at < 0 ? undefined : idOf(items[at])}
      onKeyDown={moveBy}
    >
      <div role="presentation" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const item = items[index]
          if (item === undefined) return null
          const key = keyOf(item)
          return (
            <div
              key={key}
              id={idOf(item)}
              role="option"
              aria-selected={key === chosen}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              className="list-option"
              {...(grows ? { ref: rows.measureElement, 'data-index': index } : {})}
              style={{ transform: `translateY(${start}px)`, [grows ? 'minHeight' : 'height']: height }}
              onClick={() => onChoose(item)}
              onDoubleClick={onOpen && (() => onOpen(item))}
            >
              {render(item)}
            </div>
          )
        })}
      </div>
    </div>
  )
}
