import type { Failure } from '@shared/contract/errors'
import type { Conversion } from '@shared/graphics/photo/convertPhoto'
import type { PhotoOptions } from '@shared/graphics/photo/options'
import type { Photo } from '@shared/graphics/photo/photo'

/** `id` counts the requests: a later request cancels the earlier ones. */
export type ToPhotoWorker =
  | { readonly kind: 'open'; readonly id: number; readonly file: Uint8Array }
  | { readonly kind: 'convert'; readonly id: number; readonly options: PhotoOptions }

export type FromPhotoWorker =
  | { readonly kind: 'opened'; readonly id: number; readonly width: number; readonly height: number }
  | { readonly kind: 'progress'; readonly id: number; readonly share: number }
  | { readonly kind: 'framed'; readonly id: number; readonly framed: Photo }
  | { readonly kind: 'converted'; readonly id: number; readonly conversion: Conversion }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: Failure }
