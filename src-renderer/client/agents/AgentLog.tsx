import { ArrowDown, ArrowUp } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { logStreams, type AgentRun, type LogStep } from '@shared/contract/agents'
import { Button } from '../../widgets/Button'
import { Check } from '../../widgets/Check'
import { IconButton } from '../../widgets/IconButton'
import { Segments } from '../../widgets/Segments'
import { LogPane } from './LogPane'
import { streamTitle, streamWithText } from './agentRows'
import type { Stream } from './useLog'
import { useLogSearch, type LogSearch } from './useLogSearch'
import { useLogSteps } from './useLogSteps'
import './agentLog.css'

interface AgentLogProps {
  readonly run: AgentRun
  readonly children?: ReactNode
}

const noSteps: readonly LogStep[] = []

const ERROR = String.raw`\b(?:[Ee]rror|ERROR|[Ff]ailed|FAILED|[Ff]ailure|[Ff]atal|FATAL|[Ee]xception|[Tt]raceback|[Pp]anic)\b`

export function AgentLog({ run, children }: AgentLogProps) {
  const [stream, setStream] = useState<Stream>(streamWithText(run))
  const [isPicked, setPicked] = useState(false)
  const [follows, setFollows] = useState(true)
  const [isFolded, setFolded] = useState(true)
  const search = useLogSearch(run.run, stream)
  const steps = useLogSteps(run)
  const hasSteps = stream === 'output' && steps.length > 0
  // Shows the first text that comes; after that nothing changes under the reader.
  if (!isPicked && stream !== 'prompt' && run[stream].lines === 0 && streamWithText(run) !== stream)
    setStream(streamWithText(run))
  return (
    <>
      <div className="agent-buttons">
        {children}
        <Segments
          label="Which log"
          value={stream}
          options={logStreams.map((value) => ({ value, label: streamTitle(run, value) }))}
          onChange={(value) => {
            search.forget()
            setPicked(true)
            setStream(value)
          }}
        />
        <Check
          label={
            <>
              Follow log <kbd>End</kbd>
            </>
          }
          checked={follows}
          onChange={setFollows}
        />
        {stream === 'output' && run.preset !== 'custom' ? (
          <Check label="Fold steps" checked={isFolded} onChange={setFolded} />
        ) : null}
        <SearchTools search={search} failed={hasSteps ? steps.find(({ hasFailed }) => hasFailed)?.line : undefined} />
      </div>
      <LogPane
        key={`${run.run} ${stream}`}
        run={run}
        stream={stream}
        steps={hasSteps && isFolded ? steps : noSteps}
        wanted={search.wanted}
        follows={follows}
        onFollow={setFollows}
      />
    </>
  )
}

interface SearchToolsProps {
  readonly search: LogSearch
  readonly failed: number | undefined
}

function SearchTools({ search, failed }: SearchToolsProps) {
  const { find, setFind, isExpression, setExpression, problem, summary, step, searchFor, show, forget } = search
  return (
    <>
      <input
        className="field log-search"
        type="search"
        data-log-search
        aria-label="Search the log"
        placeholder="Search the log  /"
        value={find}
        onChange={({ target }) => setFind(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') step(event.shiftKey ? -1 : 1)
          if (event.key === 'Escape') forget()
        }}
      />
      <Check label="Regular expression" checked={isExpression} onChange={setExpression} />
      <Button
        label="First error"
        tip="The first step that failed, else the first line that names an error"
        onClick={() => (failed === undefined ? searchFor(ERROR) : show(failed))}
      />
      <IconButton label="Previous match" icon={ArrowUp} shortcut="Shift+Enter" onClick={() => step(-1)} />
      <IconButton label="Next match" icon={ArrowDown} shortcut="Enter" onClick={() => step(1)} />
      <span role="status" className={problem === null ? 'muted' : 'problem'}>
        {problem ?? summary}
      </span>
    </>
  )
}
