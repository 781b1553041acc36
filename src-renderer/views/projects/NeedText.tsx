import type { RunNeed } from '@shared/contract/orchestration'
import { InertMarkdown } from '../../widgets/InertMarkdown'
import { visibleText } from '../../widgets/visibleText'

/** What is asked, in full, where its title and options do not say it. Agents write their questions as Markdown; what failed is shown as it stands. */
export function NeedText({ need: { kind, title, detail, options } }: { readonly need: RunNeed }) {
  if (detail === '' || detail === title || detail === options.join('\n')) return null
  return kind === 'question' ? (
    <InertMarkdown text={detail} />
  ) : (
    <pre className="projects-text">{visibleText(detail)}</pre>
  )
}
