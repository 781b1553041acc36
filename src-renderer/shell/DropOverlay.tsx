import { useEffect, useState } from 'react'
import { useActionLimit } from '../client/actions'
import { useFrontMachine } from '../client/machines'

/** While a file is dragged over the window: what dropping it will do. The drop itself is taken by the preload script. */
export function DropOverlay() {
  const [dragging, setDragging] = useState(false)
  const title = useFrontMachine()?.title ?? 'the machine'
  const limit = useActionLimit('program.load')
  useEffect(() => {
    const begin = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) setDragging(true)
    }
    // Leaving the window has no element that is entered instead.
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setDragging(false)
    }
    const end = () => setDragging(false)
    window.addEventListener('dragenter', begin)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', end)
    return () => {
      window.removeEventListener('dragenter', begin)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', end)
    }
  }, [])
  if (!dragging) return null
  return (
    <div className="drop-overlay">
      <p>
        {limit ?? `Drop a PRG to run it on ${title}. It is loaded again whenever it is rebuilt.`} Drop a folder to open
        it as a project.
      </p>
    </div>
  )
}
