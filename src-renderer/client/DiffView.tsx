import type { Preview } from '@shared/contract/edits'
import { visibleText } from '../widgets/visibleText'
import './diffView.css'

const kinds = { changed: '', created: 'new', deleted: 'deleted', moved: 'moved' } as const

export function DiffView({
  preview: { files, more, remembered, git, warnings },
  label,
}: {
  readonly preview: Preview
  readonly label: string
}) {
  return (
    <div className="diff-view" role="region" aria-label={label} tabIndex={0}>
      {warnings.map((warning) => (
        <p key={warning} className="warn-text">
          {visibleText(warning)}
        </p>
      ))}
      {git === null ? null : <pre className="projects-text">{visibleText(git)}</pre>}
      {files.map(({ file, from, kind, added, removed, bytes, isTooLarge, hunks }) => (
        <div key={file}>
          <h3>
            <span className="data">{visibleText(from === null ? file : `${from} → ${file}`)}</span>{' '}
            <span className="muted">{kinds[kind]}</span>{' '}
            {bytes !== null || (kind === 'moved' && added + removed === 0) ? null : (
              <>
                <span className="ok-text">+{added}</span> <span className="bad-text">−{removed}</span>
              </>
            )}
          </h3>
          {bytes === null ? null : <p className="muted">Not text: {bytes.toLocaleString('en')} bytes.</p>}
          {isTooLarge ? (
            <p className="muted">Too large to show: {(added + removed).toLocaleString('en')} lines.</p>
          ) : null}
          <table>
            <tbody>
              {hunks.map((hunk) => {
                let [before, after] = [hunk.before, hunk.after]
                return hunk.lines.map((line, index) => {
                  const sign = line.slice(0, 1)
                  if (sign === '\\') return null
                  const numbers = [sign === '+' ? '' : before++, sign === '-' ? '' : after++]
                  return (
                    <tr
                      key={`${hunk.after} ${index}`}
                      className={sign === '+' ? 'added' : sign === '-' ? 'removed' : index === 0 ? 'first' : ''}
                    >
                      <td>{numbers[0]}</td>
                      <td>{numbers[1]}</td>
                      <td>
                        <span className="sign">{sign === '-' ? '−' : sign}</span>
                        {visibleText(line.slice(1).replace(/\r$/, ''))}
                      </td>
                    </tr>
                  )
                })
              })}
            </tbody>
          </table>
        </div>
      ))}
      {files.length === 0 && remembered === 0 && git === null ? (
        <p className="muted">The files already say this: nothing to write.</p>
      ) : null}
      {remembered === 0 ? null : (
        <p className="muted">The format has no field for this: Bridgedeck stores it beside the files.</p>
      )}
      {more === 0 ? null : <p className="muted">And {more.toLocaleString('en')} more lines.</p>}
    </div>
  )
}
