import { useCallback } from 'react'
import type { RunNeed } from '@shared/contract/orchestration'
import { InertMarkdown } from '../../widgets/InertMarkdown'
import { visibleText } from '../../widgets/visibleText'
import { withoutOptions } from './inbox/withoutOptions'
import { LinkedText } from './links/LinkedText'

interface NeedTextProps {
  readonly need: RunNeed
  readonly of?: { readonly project: number; readonly run: string }
}

/** Agents write their questions as Markdown; an error is shown as it is. */
export function NeedText({ need: { kind, title, detail, options }, of }: NeedTextProps) {
  const { project, run } = of ?? {}
  const draw = useCallback(
    (text: string) =>
      project === undefined || run === undefined ? visibleText(text) : <LinkedText {...{ project, run, text }} />,
    [project, run],
  )
  if (detail === '' || detail === title || detail === options.join('\n')) return null
  return kind === 'question' ? (
    <InertMarkdown text={withoutOptions(detail, options)} renderText={draw} />
  ) : (
    <pre className="projects-text">{draw(detail)}</pre>
  )
}
