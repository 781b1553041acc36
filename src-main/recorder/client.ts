import { AppError } from '@shared/contract/errors'
import type { NoticeHandlers } from '../rpc/protocol'
import { startWorker, type RunningWorker } from '../rpc/startWorker'
import {
  recorderProtocol,
  type RecordedFrame,
  type RecorderChannel,
  type RequestInput,
  type RequestName,
  type RequestOutput,
} from './messages'

interface ClientOptions extends Partial<NoticeHandlers<RecorderChannel>> {
  readonly workerPath: string
  /** The worker ended unexpectedly: frames since the last progress are lost. */
  readonly onLost?: (reason: AppError) => void
}

const ignore = (): void => undefined

export class RecorderClient {
  readonly #options: ClientOptions
  #worker: RunningWorker<RecorderChannel> | undefined

  constructor(options: ClientOptions) {
    this.#options = options
  }

  /** @throws AppError CANCELLED when the signal aborts, LOST when the worker ends, or the worker's own error */
  call<Name extends RequestName>(
    name: Name,
    input: RequestInput<Name>,
    signal?: AbortSignal,
  ): Promise<RequestOutput<Name>> {
    return this.#running().call(name, input, { signal })
  }

  sendFrame(handle: number, frame: RecordedFrame): void {
    this.#running().post('frame', { handle, frame })
  }

  async end(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    await worker?.end(new AppError('CANCELLED', 'The recorder was stopped.'))
  }

  #running(): RunningWorker<RecorderChannel> {
    const { workerPath, progress = ignore, exported = ignore, onLost } = this.#options
    this.#worker ??= startWorker(recorderProtocol, workerPath, {
      notices: { progress, exported },
      onLost: (reason) => {
        this.#worker = undefined
        onLost?.(reason)
      },
      lossHint: 'Record again.',
      endsItself: true,
    })
    return this.#worker
  }
}
