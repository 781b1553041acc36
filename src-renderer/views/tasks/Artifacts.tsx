import { useEffect, useState } from 'react'
import type { Artifact } from '@shared/contract/tasks'
import { call } from '../../client/call'
import { describeError } from '../../client/messages'

/** More pictures at once are no help; all of them are in the folder. */
const MAX_PICTURES = 64
const MAX_FILES = 200
/** A C64's picture is far smaller. */
const MAX_PICTURE_BYTES = 1_000_000

interface ArtifactsProps {
  readonly id: string
  readonly artifacts: readonly Artifact[]
  readonly more: number
  /** Counts the readings of the task: what a recurring one writes is read again. */
  readonly reading: number
}

/** What a task wrote: pictures drawn, the others by their names. */
export function Artifacts({ id, artifacts, more, reading }: ArtifactsProps) {
  if (artifacts.length === 0) return null
  const pictures = artifacts
    .filter(({ artifact, size }) => artifact.endsWith('.png') && size <= MAX_PICTURE_BYTES)
    .slice(0, MAX_PICTURES)
  const files = artifacts.filter((artifact) => !pictures.includes(artifact)).slice(0, MAX_FILES)
  const rest = artifacts.length + more - pictures.length - files.length
  return (
    <section aria-label="Artifacts">
      <h3>Artifacts</h3>
      {pictures.length === 0 ? null : (
        <ul className="task-pictures">
          {pictures.map((picture) => (
            <Picture key={picture.artifact} id={id} picture={picture} reading={reading} />
          ))}
        </ul>
      )}
      <ul className="task-files data">
        {files.map(({ artifact, size }) => (
          <li key={artifact}>
            <span>{artifact}</span>
            <span className="muted">{sizeText(size)}</span>
          </li>
        ))}
      </ul>
      {rest > 0 ? <p className="muted">{rest} more are in the folder.</p> : null}
    </section>
  )
}

const sizeText = (bytes: number): string => (bytes < 10_000 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KiB`)

/** `sprites/sprite_2000.png` is shown as sprite_2000. */
const captionOf = (artifact: string): string => artifact.replace(/^.*\//, '').replace(/\.png$/, '')

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
    readWhole(id, artifact, abort.signal).then(
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
  const caption = captionOf(artifact)
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

async function readWhole(id: string, artifact: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let offset = 0
  for (;;) {
    const { bytes, size } = await call('tasks.artifact', { id, artifact, offset }, { signal })
    parts.push(bytes)
    offset += bytes.length
    if (offset >= size || bytes.length === 0) break
  }
  const whole = new Uint8Array(offset)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
