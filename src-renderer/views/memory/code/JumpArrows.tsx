import { jumpArrows, type ListedLine } from '@shared/c64/codeListing'
import { ROW_HEIGHT_PX } from './useRows'

const LANES = 3
const LANE_PX = 8
const WIDTH_PX = LANES * LANE_PX + 6

/** The jumps within the lines, in the margin. */
export const JumpArrows = ({ lines }: { readonly lines: readonly ListedLine[] }) => (
  <svg className="jump-arrows" width={WIDTH_PX} height={lines.length * ROW_HEIGHT_PX} aria-hidden>
    {jumpArrows(lines, LANES).map(({ from, to, lane }) => {
      const [start, end] = [from, to].map((line) => line * ROW_HEIGHT_PX + ROW_HEIGHT_PX / 2)
      const x = WIDTH_PX - 6 - lane * LANE_PX
      return (
        <g key={`${from} ${to}`}>
          <path d={`M${WIDTH_PX} ${start} H${x} V${end} H${WIDTH_PX - 3}`} />
          <path className="head" d={`M${WIDTH_PX} ${end} l-4 -3 v6 z`} />
        </g>
      )
    })}
  </svg>
)
