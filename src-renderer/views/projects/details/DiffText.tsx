import { createTwoFilesPatch } from 'diff'
import { visibleText } from '../../../widgets/visibleText'

/** Comparing longer texts would take too long. */
const MAX_COMPARED_CHARACTERS = 40_000
/** Lines taken out and put in: the time grows with the square. */
const MAX_EDIT_LENGTH = 1_000

export function madeDiff(file: string | null, before: string | null, after: string | null): string | null {
  if (before === null && after === null) return null
  if ((before?.length ?? 0) + (after?.length ?? 0) > MAX_COMPARED_CHARACTERS) return null
  const limits = { context: 3, maxEditLength: MAX_EDIT_LENGTH }
  const patch = createTwoFilesPatch(file ?? '', file ?? '', before ?? '', after ?? '', '', '', limits)
  return patch?.split('\n').slice(1).join('\n') ?? null
}

const lineTones: Readonly<Record<string, string>> = { '+': 'diff-added', '-': 'diff-removed', '@': 'muted' }

export function DiffText({ text }: { readonly text: string | null }) {
  if (text === null) return <p className="muted">The file gives no diff and no text to compare.</p>
  return (
    <pre className="projects-text details-diff" tabIndex={0} aria-label="Diff">
      {text.split('\n').map((line, at) => (
        <span key={at} className={lineTones[line[0] ?? ''] ?? ''}>
          {visibleText(line)}
          {'\n'}
        </span>
      ))}
    </pre>
  )
}
