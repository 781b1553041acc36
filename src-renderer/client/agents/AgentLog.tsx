import { ArrowDown, ArrowUp } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { logStreams, type AgentRun } from '@shared/contract/agents'
import { Button } from '../../widgets/Button'
import { Check } from '../../widgets/Check'
import { IconButton } from '../../widgets/IconButton'
import { Segments } from '../../widgets/Segments'
import { LogPane } from './LogPane'
import { streamTitle, streamWithText } from './agentRows'
import type { Stream } from './useLog'
import { useLogSearch, type LogSearch } from './useLogSearch'
import './agentLog.css'

interface AgentLogProps {
  readonly run: AgentRun
  /** Before the choice of the log. */
  readonly children?: ReactNode
}

/** Words by which programs name an error. */
const ERROR = String.raw`\b(?:[Ee]rror|ERROR|[Ff]ailed|FAILED|[Ff]ailure|[Ff]atal|FATAL|[Ee]xception|[Tt]raceback|[Pp]anic)\b`

/**
 * The prompt that an agent got and what it printed: output or errors, of which the one that has text is opened, followed and
 * searched.
 */
export function AgentLog({ run, children }: AgentLogProps) {
  const [stream, setStream] = useState<Stream>(streamWithText(run))
  const [isPicked, setPicked] = useState(false)
  const [follows, setFollows] = useState(true)
  const search = useLogSearch(run.run, stream)
  // The first text that comes is shown; after that nothing changes under the reader.
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
        <SearchTools search={search} />
      </div>
      <LogPane
        key={`${run.run} ${stream}`}
        run={run}
        stream={stream}
        wanted={search.wanted}
        follows={follows}
        onFollow={setFollows}
      />
    </>
  )
}

function SearchTools({ search }: { readonly search: LogSearch }) {
  const { find, setFind, isExpression, setExpression, problem, summary, step, searchFor, forget } = search
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
        tip="Searches for the first line that names an error"
        onClick={() => searchFor(ERROR)}
      />
      <IconButton label="Previous match" icon={ArrowUp} shortcut="Shift+Enter" onClick={() => step(-1)} />
      <IconButton label="Next match" icon={ArrowDown} shortcut="Enter" onClick={() => step(1)} />
      <span role="status" className={problem === null ? 'muted' : 'problem'}>
        {problem ?? summary}
      </span>
    </>
  )
}
