/** What the page and its worker for files of graphics say to each other. */
import type { Failure } from '@shared/contract/errors'
import type { Artwork } from '@shared/graphics/artwork'
import type { Pixels } from '@shared/graphics/artworkPixels'
import type { FilePreview } from '@shared/graphics/filePreview'
import type { ExportOptions, FormatProblem } from '@shared/graphics/format'

export interface WriteRequest {
  readonly kind: 'write'
  /** Its id. */
  readonly format: string
  readonly artworks: readonly Artwork[]
  readonly options: ExportOptions
}

/** Which formats cannot hold the artworks. */
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
  /** Its id; null for the likeliest. */
  readonly format: string | null
  /** Of pictures, as the person chose it; null to recognise it. */
  readonly palette: readonly number[] | null
  /** The window's own colours. */
  readonly shownPalette: readonly number[]
  readonly romCharacters: Uint8Array
}

export type FileRequest = WriteRequest | ProbeRequest | ReadRequest

export interface WrittenAnswer {
  readonly kind: 'written'
  readonly bytes: Uint8Array
  /** A noun each. */
  readonly leavesOut: readonly string[]
  readonly preview: FilePreview
  /** Of the artworks, where the file itself cannot be shown. */
  readonly pictures: readonly Pixels[]
}

export interface ProbedAnswer {
  readonly kind: 'probed'
  /** Why not, by the ids of formats. */
  readonly refusals: Readonly<Record<string, string>>
}

export interface ReadAnswer {
  readonly kind: 'read'
  /** Null where none is known. */
  readonly format: string | null
  /** Those that the file may have, the likeliest first. */
  readonly likely: readonly string[]
  readonly artworks: readonly Artwork[]
  /** One for each artwork. */
  readonly pictures: readonly Pixels[]
  readonly problems: readonly FormatProblem[]
  readonly notes: readonly FormatProblem[]
  /** Of a program. */
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
