import { jumpArrows, type ListedLine } from '@shared/c64/codeListing'
import './jumpArrows.css'

export const CODE_ROW_PX = 18

const LANES = 3
const LANE_PX = 8
const WIDTH_PX = LANES * LANE_PX + 6

interface JumpArrowsProps {
  readonly lines: readonly ListedLine[]
  readonly rows?: readonly number[]
}

export function JumpArrows({ lines, rows }: JumpArrowsProps) {
  const rowOf = (line: number): number => rows?.[line] ?? line
  const arrows = jumpArrows(lines, LANES)
  const last = Math.max(0, ...arrows.flatMap(({ from, to }) => [rowOf(from), rowOf(to)]))
  return (
    <svg className="jump-arrows" width={WIDTH_PX} height={(last + 1) * CODE_ROW_PX} aria-hidden>
      {arrows.map(({ from, to, lane }) => {
        const [start, end] = [from, to].map((line) => rowOf(line) * CODE_ROW_PX + CODE_ROW_PX / 2)
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
}
