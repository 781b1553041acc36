import { Popover } from 'radix-ui'
import { useEffect, useId, useRef } from 'react'
import { useShortcuts } from '../client/shortcuts'
import { Button } from '../widgets/Button'
import { endTour, hints, placeOf, showHint, useTour } from './tour'
import './tour.css'

/** It takes neither clicks beside it nor the keyboard, which F6 brings there. */
export function Tour() {
  const shortcutOf = useShortcuts()
  const step = useTour((tour) => tour.step)
  const hint = step === null ? undefined : hints[step]
  const place = hint && placeOf(hint)
  const anchor = useRef<HTMLElement>(null)
  const titleId = useId()
  useEffect(() => {
    place?.setAttribute('data-tour', '')
    return () => place?.removeAttribute('data-tour')
  }, [place])
  if (!hint || step === null || !place) return null
  anchor.current = place
  const isLast = step === hints.length - 1
  const shortcut = hint.action && shortcutOf(hint.action)
  return (
    <Popover.Root open>
      <Popover.Anchor virtualRef={anchor} />
      <Popover.Portal>
        <Popover.Content
          key={step}
          className="popover tour"
          side={hint.side}
          align="start"
          sideOffset={8}
          collisionPadding={8}
          data-panel="tour"
          aria-labelledby={titleId}
          onMouseDown={(event) => event.preventDefault()}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
          onInteractOutside={(event) => event.preventDefault()}
          onEscapeKeyDown={(event) => {
            // In the C64's screen this key goes to the C64.
            if (document.activeElement?.matches('[data-takes-keys]')) event.preventDefault()
            else endTour()
          }}
        >
          <h2 id={titleId}>{hint.title}</h2>
          <p>
            {hint.text} {shortcut === undefined ? null : <kbd>{shortcut}</kbd>}
          </p>
          <div className="tour-buttons">
            <span className="data muted">
              {step + 1} of {hints.length}
            </span>
            {isLast ? null : <Button label="Skip the tour" look="plain" onClick={endTour} />}
            <Button label={isLast ? 'Done' : 'Next'} look="primary" onClick={() => showHint(step + 1)} />
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
