import { describeFailure } from '@shared/contract/errors'
import type { ValueSource } from '@shared/contract/orchestration'
import { call } from '../../client/call'
import { useAnswer } from '../../client/useAnswer'
import { visibleText } from '../../widgets/visibleText'
import { FileLines } from './FileLines'

const LINES_AROUND = 8

interface LinesAroundProps {
  readonly project: number
  readonly revision: number
  readonly source: ValueSource
  readonly linesAround?: number
  readonly label?: string
}

export function LinesAround({
  project,
  revision,
  source: { file, line = 1 },
  linesAround = LINES_AROUND,
  label = 'In its file',
}: LinesAroundProps) {
  const { data, failure } = useAnswer(
    `${project} ${file} ${line}`,
    true,
    (signal) => call('projects.file', { project, file, line }, { signal }),
    revision,
  )
  if (data === null)
    return failure === null ? null : <p className="muted">{visibleText(`${file}: ${describeFailure(failure)}`)}</p>
  const lines = data.text.split('\n')
  const first = Math.max(0, line - data.firstLine - linesAround)
  return (
    <section className="lines-around" aria-label={visibleText(label)}>
      <h3 className="data">{visibleText(file)}</h3>
      <FileLines
        firstLine={data.firstLine + first}
        lines={lines.slice(first, line - data.firstLine + linesAround + 1)}
        marked={line}
      />
    </section>
  )
}
