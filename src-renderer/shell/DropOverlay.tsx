import { Check, X } from 'lucide-react'
import { Fragment, useEffect, useState } from 'react'
import { describeDrops } from '../client/drops'
import { useFrontMachine } from '../client/machines'

/** No page is told file names before the drop, so it lists what each kind of file does. */
export function DropOverlay() {
  const [dragging, setDragging] = useState(false)
  const state = useFrontMachine()
  useEffect(() => {
    const begin = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) setDragging(true)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setDragging(false)
    }
    const end = () => setDragging(false)
    window.addEventListener('dragenter', begin)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', end, { capture: true })
    return () => {
      window.removeEventListener('dragenter', begin)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', end, { capture: true })
    }
  }, [])
  if (!dragging) return null
  return (
    <div className="drop-overlay">
      <div className="drop-kinds" role="status">
        <h2>Drop on {state?.title ?? 'the window'}</h2>
        <dl>
          {describeDrops(state).map(({ title, effect, why }) => (
            <Fragment key={title}>
              <dt className="data">{title}</dt>
              <dd className={why === null ? undefined : 'muted'}>
                {why === null ? <Check size={14} aria-hidden /> : <X size={14} aria-label="Not here:" />}
                {why ?? effect}
              </dd>
            </Fragment>
          ))}
        </dl>
      </div>
    </div>
  )
}
