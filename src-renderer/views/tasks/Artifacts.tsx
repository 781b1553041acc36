import { FileText, Image } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Artifact } from '@shared/contract/tasks'
import { readArtifact } from '../../client/artifacts'
import { call } from '../../client/call'
import { FilePath } from '../../client/FilePath'
import { describeError } from '../../client/messages'
import { fullPath } from '../../widgets/fullPath'

const MAX_PICTURES = 64
const MAX_FILES = 200
/** Upper limit, far above any picture of a C64. */
const MAX_PICTURE_BYTES = 1_000_000

interface ArtifactsProps {
  readonly id: string
  readonly folder: string
  readonly artifacts: readonly Artifact[]
  readonly more: number
  readonly reading: number
}

export function Artifacts({ id, folder, artifacts, more, reading }: ArtifactsProps) {
  if (artifacts.length === 0) return null
  const pictures = artifacts
    .filter(({ artifact, size }) => artifact.endsWith('.png') && size <= MAX_PICTURE_BYTES)
    .slice(0, MAX_PICTURES)
  const files = artifacts.slice(0, MAX_FILES)
  const rest = artifacts.length + more - files.length
  return (
    <section aria-label="Files">
      <h3>Files</h3>
      {pictures.length === 0 ? null : (
        <ul className="task-pictures">
          {pictures.map((picture) => (
            <Picture key={picture.artifact} id={id} picture={picture} reading={reading} />
          ))}
        </ul>
      )}
      <ul className="task-files data">
        {files.map((file) => (
          <FileRow key={file.artifact} id={id} folder={folder} file={file} />
        ))}
      </ul>
      {rest > 0 ? <p className="muted">{rest} more are in the folder.</p> : null}
    </section>
  )
}

const sizeText = (bytes: number): string => (bytes < 10_000 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KiB`)

interface FileRowProps {
  readonly id: string
  readonly folder: string
  readonly file: Artifact
}

function FileRow({ id, folder, file: { artifact, size } }: FileRowProps) {
  const Icon = artifact.endsWith('.png') ? Image : FileText
  return (
    <li>
      <Icon size={16} aria-hidden />
      <FilePath path={fullPath(folder, artifact)} onShow={() => call('tasks.showInFolder', { id, artifact })}>
        <span>{artifact.replace(/^artifacts\//, '')}</span>
      </FilePath>
      <span className="muted">{sizeText(size)}</span>
    </li>
  )
}

const nameOf = (artifact: string): string => artifact.replace(/^.*\//, '')

function Picture({
  id,
  picture: { artifact },
  reading,
}: {
  readonly id: string
  readonly picture: Artifact
  readonly reading: number
}) {
  const [shown, setShown] = useState<{ readonly url: string } | { readonly problem: string } | null>(null)
  useEffect(() => {
    const abort = new AbortController()
    let url: string | undefined
    readArtifact(id, artifact, abort.signal).then(
      (bytes) => {
        if (abort.signal.aborted) return
        url = URL.createObjectURL(new Blob([bytes], { type: 'image/png' }))
        setShown({ url })
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setShown({ problem: describeError(error) })
      },
    )
    return () => {
      abort.abort()
      if (url !== undefined) URL.revokeObjectURL(url)
    }
  }, [id, artifact, reading])
  const caption = nameOf(artifact)
  return (
    <li>
      <figure>
        {shown === null ? null : 'url' in shown ? (
          <img src={shown.url} alt={`Picture of ${caption}`} />
        ) : (
          <p className="problem">{shown.problem}</p>
        )}
        <figcaption className="data">{caption}</figcaption>
      </figure>
    </li>
  )
}
