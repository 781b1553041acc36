import type { ValueSource } from '@shared/contract/orchestration'
import { oneOf, useViewState } from '../../client/viewState'
import { visibleText } from '../../widgets/visibleText'
import { showSource } from './store'
import { sourceText } from './labels'

const readShown = oneOf(false, true)

/** Whether the place of each value is shown all the time, and not only while it is pointed at. */
export const useSourcesShown = () => useViewState('projects.sources', readShown)

interface SourceProps {
  readonly project: number
  readonly source: ValueSource | null
}

/** Beside a value: the file and line that it was read from, shown when pressed. */
export const Source = ({ project, source }: SourceProps) => (
  <span className="provenance">
    {source === null ? <span className="muted">not in a file</span> : <FileLink project={project} source={source} />}
  </span>
)

interface FileLinkProps {
  readonly project: number
  readonly source: ValueSource
  /** Its name and line, unless it is given. */
  readonly text?: string
}

/** A file that is shown below the run when pressed. */
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
