import { useEffect, useState } from 'react'
import { counted } from '@shared/countedText'
import type { WrittenAnswer } from './fileMessages'
import { ArtworkPicture } from './ArtworkPicture'

export function ExportPreview({ written, title }: { readonly written: WrittenAnswer; readonly title: string }) {
  const { preview, pictures, bytes, leavesOut } = written
  return (
    <>
      <div className="file-preview scroll-pane" role="region" aria-label="Preview" tabIndex={0}>
        {preview.kind === 'text' ? (
          <pre className="data">
            {preview.text}
            {preview.isCut ? '\n…' : ''}
          </pre>
        ) : preview.kind === 'picture' ? (
          <FilePicture bytes={bytes} type={preview.type} />
        ) : (
          pictures.map((pixels, at) => <ArtworkPicture key={at} pixels={pixels} label={`Picture of ${title}`} />)
        )}
      </div>
      <p className="muted file-facts" role="status">
        {title}, {counted(bytes.length, 'byte')}.
        {leavesOut.length === 0 ? '' : ` Not in the file: ${leavesOut.join(', ')}.`}
      </p>
    </>
  )
}

function FilePicture({ bytes, type }: { readonly bytes: Uint8Array; readonly type: string }) {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes.slice()], { type }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [bytes, type])
  return url === null ? null : <img className="artwork-picture" src={url} alt="The picture as it will be saved" />
}
