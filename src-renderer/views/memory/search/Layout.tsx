import type { ReactNode } from 'react'
import { formatRange } from '@shared/c64/address'
import type { LaidOut } from '@shared/c64/laidOut'
import { memoryLayout } from '@shared/c64/memoryLayout'
import { counted } from '@shared/countedText'
import { ChoiceSegments } from '../../../client/ChoiceSegments'
import { useCursor } from '../../../client/memoryCursor'
import { useFrontMachine } from '../../../client/machines'
import { useProgramParts } from './programParts'
import { frames, useFrameWish } from '../../../frames/frames'
import { Help } from '../../../widgets/form/Field'
import { ListBox } from '../../../widgets/ListBox'
import { useClock } from '../../../widgets/useClock'

const INTERVAL_MS = 1_000
const ROW_PX = 20

interface LayoutProps {
  readonly visible: boolean
  readonly close: ReactNode
  readonly onGo: (address: number) => void
  readonly onOpen: () => void
}

export function Layout({ visible, close, onGo, onOpen }: LayoutProps) {
  const space = useFrontMachine()?.capabilities.ramUnderRom === null ? 'ram' : 'cpu'
  useFrameWish(visible, [space, 'io'])
  useClock(visible, INTERVAL_MS)
  const { programs, segments } = useProgramParts(visible)
  const cursor = useCursor(({ address }) => address)
  const parts =
    frames.known(space) && frames.known('io')
      ? memoryLayout(
          { ram: frames.image(space), io: frames.image('io').subarray(0xd000, 0xe000), isHidden: space === 'cpu' },
          { programs, segments },
        )
      : null
  // Parts overlap: the smallest of those that hold the cursor.
  const chosen = parts
    ?.filter(({ start, end }) => cursor >= start && cursor <= end)
    .toSorted((a, b) => a.end - a.start - (b.end - b.start))[0]
  return (
    <>
      <form onSubmit={(event) => event.preventDefault()}>
        <ChoiceSegments choice="memory.searchPart" />
        <Help help="What BASIC’s pointers, the VIC-II and the processor port say of memory now, the programs that Bridgedeck loaded since the last reset, and the segments of their debug files. Parts can lie over each other." />
        <span className="muted" role="status">
          {parts === null ? 'Waiting for memory…' : counted(parts.length, 'part')}
        </span>
        {close}
      </form>
      {parts === null ? null : (
        <ListBox
          label="Memory layout"
          items={parts}
          keyOf={keyOf}
          chosen={chosen ? keyOf(chosen) : null}
          onChoose={({ start }) => onGo(start)}
          onOpen={onOpen}
          height={ROW_PX}
          render={(part) => (
            <span className="memory-match memory-part data">
              <span>{formatRange({ start: part.start, end: part.end + 1 })}</span>
              <span>{part.name}</span>
              <span className="muted">{counted(part.end - part.start + 1, 'byte')}</span>
              <span className="muted">{part.why}</span>
            </span>
          )}
        />
      )}
    </>
  )
}

const keyOf = ({ start, end, name }: LaidOut): string => `${start} ${end} ${name}`
