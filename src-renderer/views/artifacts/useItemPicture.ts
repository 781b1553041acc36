import { useEffect, useState } from 'react'
import { readArtifact } from '../../client/artifacts'
import { describeError } from '../../client/messages'
import { isPicture, type GalleryItem } from './galleryItems'

/** A C64's picture is far smaller. */
const MAX_PICTURE_BYTES = 1_000_000

export interface ItemPicture {
  readonly url: string | null
  readonly problem: string | null
}

const none: ItemPicture = { url: null, problem: null }

export function useItemPicture({ id, artifact, size }: GalleryItem): ItemPicture {
  const [picture, setPicture] = useState<ItemPicture>(none)
  const isShown = isPicture({ artifact }) && size <= MAX_PICTURE_BYTES
  useEffect(() => {
    if (!isShown) return undefined
    const abort = new AbortController()
    let url: string | null = null
    readArtifact(id, artifact, abort.signal).then(
      (bytes) => {
        if (abort.signal.aborted) return
        url = URL.createObjectURL(new Blob([bytes], { type: 'image/png' }))
        setPicture({ url, problem: null })
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setPicture({ url: null, problem: describeError(error) })
      },
    )
    return () => {
      abort.abort()
      if (url !== null) URL.revokeObjectURL(url)
    }
  }, [id, artifact, isShown])
  return isShown ? picture : none
}
