import { formatAddress } from '@shared/c64/address'
import type { Artwork } from '@shared/graphics/artwork'
import { loadedText } from '@shared/graphics/artworkText'
import type { FormatProblem } from '@shared/graphics/format'
import { visibleText } from '../../widgets/visibleText'

interface FileProblemsProps {
  readonly problems: readonly FormatProblem[]
  /** What was loaded nonetheless. */
  readonly artworks: readonly Artwork[]
}

/** What is wrong with a file, where, and what of it is there nonetheless. */
export function FileProblems({ problems, artworks }: FileProblemsProps) {
  if (problems.length === 0) return null
  return (
    <section className="file-problems" aria-label="Problems of the file">
      <p className="problem">
        {problems.length === 1 ? '1 problem in the file.' : `${problems.length} problems in the file.`}{' '}
        {loadedText(artworks)}
      </p>
      <ul tabIndex={0} aria-label="Problems">
        {problems.map(({ offset, text }, at) => (
          <li key={at}>
            <span className="data">
              Byte {offset} ({formatAddress(offset)})
            </span>{' '}
            {visibleText(text)}
          </li>
        ))}
      </ul>
    </section>
  )
}
