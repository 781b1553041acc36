import { formatAddress } from '@shared/c64/address'
import type { Artwork } from '@shared/graphics/artwork'
import { loadedText } from '@shared/graphics/artworkText'
import type { FormatProblem } from '@shared/graphics/format'
import { visibleText } from '../../widgets/visibleText'

interface FileProblemsProps {
  readonly problems: readonly FormatProblem[]
  readonly notes: readonly FormatProblem[]
  readonly artworks: readonly Artwork[]
}

export function FileProblems({ problems, notes, artworks }: FileProblemsProps) {
  return (
    <>
      {problems.length > 0 ? (
        <section className="file-problems" aria-label="Problems of the file">
          <p className="problem">
            {problems.length === 1 ? '1 problem in the file.' : `${problems.length} problems in the file.`}{' '}
            {loadedText(artworks)}
          </p>
          <Places label="Problems" places={problems} />
        </section>
      ) : null}
      {notes.length > 0 ? (
        <section className="file-problems" aria-label="Notes on the file">
          <p className="muted">Not everything in the file is loaded as it is.</p>
          <Places label="Notes" places={notes} />
        </section>
      ) : null}
    </>
  )
}

function Places({ label, places }: { readonly label: string; readonly places: readonly FormatProblem[] }) {
  return (
    <ul tabIndex={0} aria-label={label}>
      {places.map(({ offset, text }, at) => (
        <li key={at}>
          <span className="data">
            Byte {offset} ({formatAddress(offset)})
          </span>{' '}
          {visibleText(text)}
        </li>
      ))}
    </ul>
  )
}
