import type { Failure } from '@shared/contract/errors'
import type { Artwork } from '@shared/graphics/artwork'
import type { Pixels } from '@shared/graphics/artworkPixels'
import type { FilePreview } from '@shared/graphics/filePreview'
import type { ExportOptions, FormatProblem } from '@shared/graphics/format'

export interface WriteRequest {
  readonly kind: 'write'
  readonly format: string
  readonly artworks: readonly Artwork[]
  readonly options: ExportOptions
}

export interface ProbeRequest {
  readonly kind: 'probe'
  readonly formats: readonly string[]
  readonly artworks: readonly Artwork[]
  readonly options: ExportOptions
}

export interface ReadRequest {
  readonly kind: 'read'
  readonly bytes: Uint8Array
  /** Of the file's name, lower case, without a dot. */
  readonly extension: string
  /** The id of a format; null for the likeliest. */
  readonly format: string | null
  /** For pictures; null to recognise the colours. */
  readonly palette: readonly number[] | null
  readonly shownPalette: readonly number[]
  readonly romCharacters: Uint8Array
}

export type FileRequest = WriteRequest | ProbeRequest | ReadRequest

export interface WrittenAnswer {
  readonly kind: 'written'
  readonly bytes: Uint8Array
  readonly leavesOut: readonly string[]
  readonly preview: FilePreview
  readonly pictures: readonly Pixels[]
}

export interface ProbedAnswer {
  readonly kind: 'probed'
  readonly refusals: Readonly<Record<string, string>>
}

export interface ReadAnswer {
  readonly kind: 'read'
  readonly format: string | null
  /** The likeliest first. */
  readonly likely: readonly string[]
  readonly artworks: readonly Artwork[]
  readonly pictures: readonly Pixels[]
  readonly problems: readonly FormatProblem[]
  readonly notes: readonly FormatProblem[]
  readonly loadAddress: number | null
}

export type FileAnswer =
  | WrittenAnswer
  | ProbedAnswer
  | ReadAnswer
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** A newer request of its kind came before it. */
  | { readonly kind: 'overtaken' }

export interface ToFileWorker {
  readonly id: number
  readonly request: FileRequest
}

export interface FromFileWorker {
  readonly id: number
  readonly answer: FileAnswer
}
