import { useCallback, useRef } from 'react'
import type { AddressRange } from '@shared/c64/address'
import type { Space } from '@shared/contract/memory'
import { accessKinds } from '../../frames/accessTimes'
import { frames, useDraw } from '../../frames/frames'
import { momentChange } from '../../frames/momentChange'
import { placesNow, usesNow } from '../../frames/places'
import { namesNow } from '../../client/labels'
import { useFrontMachine } from '../../client/machines'
import { hotKinds, type HotKind } from '../../widgets/heat'
import { setText } from '../../widgets/setText'
import { describeByte, describeValue, type ByteDescription } from './describe'
import { selectedText } from './hexGrid/selection'
import { heatNow, type HeatKind } from './heatKind'

/** For texts about the byte, except its value. */
const INTERVAL_MS = 100

interface StatusLineProps {
  readonly visible: boolean
  readonly space: Space
  readonly heatKind: HeatKind
  readonly cursor: number
  readonly selected: AddressRange | null
  /** The address under the pointer, which takes precedence over the cursor. */
  readonly hover: () => number | null
}

const parts = ['address', 'value', 'text', 'place', 'age'] as const satisfies readonly (keyof ByteDescription)[]

/** Updated without a React render. */
export function StatusLine({ visible, space, heatKind, cursor, selected, hover }: StatusLineProps) {
  const line = useRef<HTMLDivElement>(null)
  const standard = useFrontMachine()?.standard ?? 'pal'
  const last = useRef({ at: -Infinity, address: -1 })

  useDraw(
    visible,
    useCallback(
      (now: number) => {
        const address = hover() ?? cursor
        const isSoon = now - last.current.at < INTERVAL_MS && address === last.current.address
        const value = frames.known(space) ? (frames.image(space)[address] ?? 0) : null
        const write = (description: Partial<ByteDescription>) =>
          parts.forEach((part, index) => {
            const element = line.current?.children[index]
            const text = description[part]
            if (element instanceof HTMLElement && text !== undefined) setText(element, text)
          })
        // A machine that stands still is drawn seldom, and this draw may be its last.
        if (isSoon && !frames.stands) {
          write(describeValue(value))
          return
        }
        last.current = { at: now, address }
        const { since, kinds, isStale } = heatNow(space, heatKind)
        const isHot = (since[address] ?? -Infinity) > -Infinity
        const touched = {
          kind: heatKind === 'accesses' && isHot ? (accessKinds[kinds?.[address] ?? 0] ?? heatKind) : heatKind,
          age: frames.changeTime - (since[address] ?? -Infinity),
          isStale: isStale?.(address) ?? false,
          moment: value === null ? null : momentChange(space, address),
        }
        const use = value === null ? null : (usesNow(space, address, standard)[0] ?? null)
        write(describeByte(placesNow(space), address, value, touched, { names: namesNow(), use }))
      },
      [space, heatKind, cursor, hover, standard],
    ),
  )

  return (
    <div ref={line} className="memory-status">
      {parts.map((part) => (
        <span key={part} className={part === 'address' || part === 'value' ? 'data' : part} />
      ))}
      {selected === null ? null : <output className="data">{selectedText(selected)}</output>}
      {heatKind === 'accesses' ? <Legend /> : null}
    </div>
  )
}

const Legend = () => (
  <span className="heat-legend">
    {hotKinds.map((kind) => (
      <span key={kind}>
        <i className={kind} aria-hidden />
        {legendWords[kind]}
      </span>
    ))}
  </span>
)

const legendWords: Readonly<Record<HotKind, string>> = { changed: 'written', read: 'read', run: 'run' }
