import type { ValueSource } from '@shared/contract/orchestration'
import { visibleText } from '../../widgets/visibleText'
import { showSource } from './store'
import { sourceText } from './labels'

/** Beside a value: the file and line that it was read from, shown when pressed. */
export function Source({ project, source }: { readonly project: number; readonly source: ValueSource | null }) {
  if (source === null) return <span className="muted">not in a file</span>
  return (
    <button
      type="button"
      className="source data"
      title={`Show in ${source.file}`}
      onClick={() => showSource(project, source)}
    >
      {visibleText(sourceText(source))}
    </button>
  )
}
