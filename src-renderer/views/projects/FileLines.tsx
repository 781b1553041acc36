import { useEffect, useRef } from 'react'
import { visibleText } from '../../widgets/visibleText'

const MAX_LINE_CHARACTERS = 2_000

interface FileLinesProps {
  readonly firstLine: number
  readonly lines: readonly string[]
  readonly marked: number
  readonly centre?: string
}

export function FileLines({ firstLine, lines, marked, centre }: FileLinesProps) {
  const markedLine = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (centre !== undefined) markedLine.current?.scrollIntoView({ block: 'center' })
  }, [centre])
  return (
    <ol className="projects-lines data" tabIndex={0} aria-label="Lines" start={firstLine}>
      {lines.map((text, index) => {
        const number = firstLine + index
        const isMarked = number === marked
        return (
          <li key={number} ref={isMarked ? markedLine : undefined} aria-current={isMarked ? 'location' : undefined}>
            <span className="muted" aria-hidden>
              {number}
            </span>
            <span>
              {visibleText(
                text.length > MAX_LINE_CHARACTERS
                  ? `${text.slice(0, MAX_LINE_CHARACTERS)}… (${text.length} characters)`
                  : text,
              )}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
