import { CircleAlert, Info, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '../widgets/Button'
import { TextLink } from '../widgets/TextLink'
import { dismiss, holdMessagesWhile, useMessages, type MessageLink } from '../client/messages'
import { useShellState } from './shellState'
import { useToastCorner } from './useToastCorner'

export function Toasts() {
  const isListed = useShellState((state) => state.messagesAreOpen)
  const messages = useMessages((state) => state.open)
  const open = isListed ? [] : messages
  const toasts = useRef<HTMLDivElement>(null)
  const corner = useToastCorner(toasts, open.length > 0)
  useEffect(() => holdMessagesWhile(() => toasts.current?.matches(':is(:hover, :focus-within)') === true), [])
  return (
    <div ref={toasts} className={`toasts ${corner}`} role="log" aria-label="Messages" aria-live="polite">
      {open.map(({ id, kind, text, hint, count, offer, links }) => (
        <div key={id} className={`toast ${kind}`}>
          {kind === 'error' ? <CircleAlert size={14} aria-label="Error" /> : <Info size={14} aria-hidden />}
          <div>
            <p>
              <Linked text={text} links={links} />
              {count === 1 ? null : <span className="muted"> ({count} times)</span>}
            </p>
            {hint === null ? null : (
              <p className="muted">
                <Linked text={hint} links={links} />
              </p>
            )}
            {offer === null ? null : (
              <Button
                label={offer.label}
                onClick={() => {
                  dismiss(id)
                  offer.run()
                }}
              />
            )}
          </div>
          <Button label="Dismiss" icon={X} iconOnly look="plain" onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  )
}

interface LinkedProps {
  readonly text: string
  readonly links: readonly MessageLink[]
}

function Linked({ text, links: [link, ...others] }: LinkedProps) {
  const at = link ? text.indexOf(link.text) : -1
  if (!link) return text
  if (at < 0) return <Linked text={text} links={others} />
  return (
    <>
      <Linked text={text.slice(0, at)} links={others} />
      <TextLink text={link.text} tip="Show the file" onOpen={link.open} />
      <Linked text={text.slice(at + link.text.length)} links={others} />
    </>
  )
}
