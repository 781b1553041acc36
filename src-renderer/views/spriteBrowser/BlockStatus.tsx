import { useEffect, useImperativeHandle, useRef, type Ref } from 'react'
import { frames } from '../../frames/frames'
import { spriteUses } from '../../frames/spriteUses'
import type { GridSelection } from '../../widgets/pixelGrid/gridSelection'
import { setText } from '../../widgets/setText'
import type { BlockBoard } from './blockBoard'
import { describeBlock } from './blockDescription'

export interface BlockStatusHandle {
  /**
   * @param now `performance.now()`
   * @param isNew whether more may be known
   */
  readonly show: (board: BlockBoard, now: number, isNew: boolean) => void
}

interface BlockStatusProps {
  readonly ref: Ref<BlockStatusHandle>
  readonly selection: GridSelection
}

const INTERVAL_MS = 100

interface Said {
  readonly at: number
  isOld: boolean
  readonly board: BlockBoard | null
  readonly cursor: number
  readonly selected: number
}

/** Updated without a React render per frame. */
export function BlockStatus({ ref, selection }: BlockStatusProps) {
  const line = useRef<HTMLDivElement>(null)
  const last = useRef<Said>({ at: -Infinity, isOld: true, board: null, cursor: -1, selected: 0 })
  const { cursor, picked } = selection
  useImperativeHandle(
    ref,
    () => ({
      show: (board, now, isNew) => {
        const { at, isOld, ...before } = last.current
        const isSame = before.board === board && before.cursor === cursor && before.selected === picked.size
        if (isSame && !isOld && !isNew) return
        if (isSame && now - at < INTERVAL_MS) {
          last.current.isOld = true
          frames.requestDraw()
          return
        }
        last.current = { at: now, isOld: false, board, cursor, selected: picked.size }
        const texts = textsOf(board, cursor, picked.size)
        ;[...(line.current?.children ?? [])].forEach((child, index) => {
          if (child instanceof HTMLElement) setText(child, texts[index] ?? '')
        })
      },
    }),
    [cursor, picked],
  )
  useEffect(() => frames.requestDraw(), [cursor, picked])
  return (
    <div ref={line} className="sprite-browser-status" role="group" aria-label="Selected block">
      <span className="data" />
      <span />
      <span />
      <span />
    </div>
  )
}

function textsOf(board: BlockBoard, cursor: number, selected: number): readonly string[] {
  const [block] = board.blocksAt(cursor)
  if (block === undefined) return []
  const { blocks } = board
  const address = blocks.addressOf(block)
  const use = spriteUses.all.get(address)
  const {
    place,
    shape,
    use: used,
  } = describeBlock({
    address,
    block,
    use,
    shape: blocks.shapeOf(block),
    isLikely: board.isLikely(block),
    isUsedNow: spriteUses.now.has(address),
    age: use === undefined ? 0 : frames.changeTime - use.time,
  })
  return [place, shape, used, selected > 1 ? `${selected} selected` : '']
}
