import type { ValueSource } from '@shared/contract/orchestration'
import { oneOf, useViewState } from '../../client/viewState'
import { visibleText } from '../../widgets/visibleText'
import { showSource } from './store'
import { sourceText } from './labels'

const readShown = oneOf(false, true)

export const useSourcesShown = () => useViewState('projects.sources', readShown)

interface SourceProps {
  readonly project: number
  readonly source: ValueSource | null
}

export const Source = ({ project, source }: SourceProps) => (
  <span className="provenance">
    {source === null ? <span className="muted">not in a file</span> : <FileLink project={project} source={source} />}
  </span>
)

interface FileLinkProps {
  readonly project: number
  readonly source: ValueSource
  readonly text?: string
}

export const FileLink = ({ project, source, text = sourceText(source) }: FileLinkProps) => (
  <button
    type="button"
    className="source data"
    title={`Show in ${source.file}`}
    onClick={() => showSource(project, source)}
  >
    {visibleText(text)}
  </button>
)
