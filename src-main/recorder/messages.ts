import type { Output } from '@shared/contract/contract'
import type { Failure } from '@shared/contract/errors'
import type { Frame } from '@shared/contract/frames'
import type { Space } from '@shared/contract/memory'
import type { Condition, ExportRequest, Mark, Moment, NewMark, RecordingInfo } from '@shared/contract/recorder'
import {
  defineProtocol,
  type Nothing,
  type RequestInput as InputOf,
  type RequestName as NameOf,
  type RequestOutput as OutputOf,
} from '../rpc/protocol'

/** ms since 1970, both ends included. A missing end is open. */
export interface Span {
  readonly from?: number | undefined
  readonly to?: number | undefined
}

interface RecordingHandle {
  readonly handle: number
}
interface RecordingPath {
  readonly path: string
}
interface WrittenRecording extends RecordingPath {
  readonly handle: number | null
}
interface Cell extends RecordingPath {
  readonly space: Space
  readonly address: number
  readonly span: Span
}

export interface RecordingSize {
  readonly frames: number
  readonly bytes: number
  readonly durationMs: number
}

interface RecorderRequests {
  open(input: RecordingHandle & RecordingPath): RecordingSize
  /** Resolves when all frames sent before are on disk. */
  flush(input: RecordingHandle): Nothing
  close(input: RecordingHandle): Nothing
  marks(input: RecordingPath & { readonly span: Span }): { readonly marks: Mark[] }
  addMark(input: WrittenRecording & NewMark): Mark
  deleteMark(input: WrittenRecording & { readonly mark: number }): Nothing
  pin(input: RecordingPath & { readonly pinned: boolean }): Nothing
  /** Closes the file if a query left it open, so that it can be deleted. */
  forget(input: RecordingPath): Nothing
  info(input: RecordingPath): Omit<RecordingInfo, 'recording' | 'name' | 'open'>
  imageAt(
    input: RecordingPath & { readonly time: number; readonly spaces: readonly Space[]; readonly picture: boolean },
  ): Moment
  changes(input: Cell & { readonly order: 'first' | 'last'; readonly limit: number }): Output<'recorder.changes'>
  values(input: Cell & { readonly points: number }): Output<'recorder.values'>
  mostChanged(input: RecordingPath & { readonly space: Space; readonly limit: number }): Output<'recorder.mostChanged'>
  firstWhen(input: Cell & { readonly condition: Condition }): Output<'recorder.firstWhen'>
  difference(
    input: RecordingPath & { readonly space: Space; readonly times: readonly [number, number] },
  ): Output<'recorder.difference'>
  export(input: RecordingPath & { readonly to: string; readonly request: ExportRequest }): Output<'recorder.exportTo'>
}

export type RecordedFrame = Omit<Frame, 'accesses'>

export interface Progress extends RecordingHandle, RecordingSize {
  /** Frames received so far; those received after a failure are dropped. */
  readonly taken: number
  readonly failure: Failure | null
}

export interface RecorderChannel {
  readonly requests: RecorderRequests
  readonly posts: { readonly frame: { readonly handle: number; readonly frame: RecordedFrame } }
  readonly notices: {
    readonly progress: Progress
    readonly exported: { readonly to: string; readonly percent: number }
  }
}

export const recorderProtocol = defineProtocol<RecorderChannel>('The recorder')

export type RequestName = NameOf<RecorderChannel>
export type RequestInput<Name extends RequestName> = InputOf<RecorderChannel, Name>
export type RequestOutput<Name extends RequestName> = OutputOf<RecorderChannel, Name>
