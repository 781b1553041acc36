import { Bell, CircleAlert, Info } from 'lucide-react'
import { Popover } from 'radix-ui'
import { readHistory, useMessages } from '../client/messages'
import { shortcutOf } from '../client/shortcuts'
import { Tip } from '../widgets/Tip'
import { timeOfDay } from '../widgets/times'
import { useShellState } from './shellState'

const label = (missed: number): string =>
  missed === 0 ? 'Messages' : `Messages, ${missed} ${missed === 1 ? 'error' : 'errors'} not read`

export function MessageList() {
  const { history, missedErrors } = useMessages()
  const isOpen = useShellState((state) => state.messagesAreOpen)
  const setOpen = (messagesAreOpen: boolean) => {
    readHistory()
    useShellState.setState({ messagesAreOpen })
  }
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Tip text={label(missedErrors)} shortcut={shortcutOf('view.messages')}>
        <Popover.Trigger asChild>
          <button type="button" className="status-item" aria-label={label(missedErrors)}>
            <Bell size={14} strokeWidth={1.75} aria-hidden />
            {missedErrors === 0 ? null : <span className="data bad-text">{missedErrors}</span>}
          </button>
        </Popover.Trigger>
      </Tip>
      <Popover.Portal>
        <Popover.Content
          aria-label="Messages"
          className="popover message-list"
          side="top"
          align="end"
          sideOffset={4}
          collisionPadding={8}
        >
          <h2>Messages</h2>
          {history.length === 0 ? <p className="muted">No messages since the start.</p> : null}
          <ul tabIndex={0} aria-label="Messages, newest first">
            {history.map(({ id, kind, time, text, hint, count }) => (
              <li key={id} className={kind}>
                {kind === 'error' ? <CircleAlert size={14} aria-label="Error" /> : <Info size={14} aria-hidden />}
                <span className="data muted">{timeOfDay(time)}</span>
                <span>
                  {text}
                  {count === 1 ? null : <span className="muted"> ({count} times)</span>}
                  {hint === null ? null : <span className="muted"> {hint}</span>}
                </span>
              </li>
            ))}
          </ul>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
