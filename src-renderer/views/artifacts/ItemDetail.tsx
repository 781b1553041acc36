import { ExternalLink, Upload, FolderOpen, Pencil, Plus } from 'lucide-react'
import { perform } from '../../client/actions'
import { call } from '../../client/call'
import { attempt } from '../../client/messages'
import { openTask } from '../../client/tasks'
import { useGraphicsWish } from '../../frames/graphicsImage'
import { Button } from '../../widgets/Button'
import { editItem, keepItem } from './gallery'
import { dateOf, fileName, type GalleryItem } from './galleryItems'
import { mayBeArtwork } from './itemArtwork'
import { useItemPicture } from './useItemPicture'

export function ItemDetail({ item }: { readonly item: GalleryItem }) {
  const { id, artifact, size, task, data } = item
  const { url, problem } = useItemPicture(item)
  const name = fileName(artifact)
  useGraphicsWish(true)
  const none = mayBeArtwork(data) ? null : 'This file holds no sprites, characters or bitmap.'
  return (
    <section className="gallery-detail" aria-label={name}>
      <h3 className="data">{name}</h3>
      {url === null ? null : <img className="gallery-large" src={url} alt={`Picture of ${name}`} />}
      {problem === null ? null : <p className="problem">{problem}</p>}
      <dl>
        <dt className="muted">Task</dt>
        <dd className="data">{id}</dd>
        <dt className="muted">Operation</dt>
        <dd className="data">{task?.operation ?? 'unknown'}</dd>
        <dt className="muted">Date</dt>
        <dd className="data">{dateOf(task)}</dd>
        <dt className="muted">Size</dt>
        <dd className="data">{size} bytes</dd>
      </dl>
      <div className="gallery-buttons">
        <Button
          label="Open in the editor"
          tip="Keeps it in the sheet, and edits it there"
          icon={Pencil}
          why={none}
          onClick={() => attempt(() => editItem(item))}
        />
        <Button label="Keep in the sheet" icon={Plus} why={none} onClick={() => attempt(() => keepItem(item))} />
        <Button label="Export…" icon={Upload} why={none} onClick={() => perform('graphics.export')} />
        <Button label="Show the task" icon={ExternalLink} onClick={() => attempt(() => openTask(id))} />
        <Button
          label="Show in folder"
          icon={FolderOpen}
          onClick={() => attempt(() => call('tasks.showInFolder', { id, artifact }))}
        />
      </div>
      <p className="muted">Ctrl+Enter or Ctrl+click on another file compares the two.</p>
    </section>
  )
}
