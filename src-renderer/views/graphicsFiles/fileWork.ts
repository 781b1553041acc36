import { AppError, fromFailure } from '@shared/contract/errors'
import type {
  FileAnswer,
  FileRequest,
  FromFileWorker,
  ProbedAnswer,
  ProbeRequest,
  ReadAnswer,
  ReadRequest,
  WriteRequest,
  WrittenAnswer,
} from './fileMessages'
import workerAddress from './fileWorker?worker&url'

let worker: Worker | null = null
let nextId = 0
const waiting = new Map<number, (answer: FileAnswer) => void>()

function startWorker(): Worker {
  const started = new Worker(workerAddress, { type: 'module', name: 'graphics files' })
  started.onmessage = ({ data: { id, answer } }: MessageEvent<FromFileWorker>) => {
    waiting.get(id)?.(answer)
    waiting.delete(id)
  }
  started.onerror = () => {
    started.terminate()
    worker = null
    const failure = { code: 'INTERNAL' as const, message: 'The file could not be read or written: its process ended.' }
    for (const settle of waiting.values()) settle({ kind: 'failed', failure })
    waiting.clear()
  }
  return started
}

const ask = (request: FileRequest): Promise<FileAnswer> =>
  new Promise((resolve) => {
    worker ??= startWorker()
    const id = nextId++
    waiting.set(id, resolve)
    worker.postMessage({ id, request })
  })

/** @throws AppError, CANCELLED where a newer request of its kind came before it */
async function answered<Kind extends FileAnswer['kind']>(
  request: FileRequest,
  kind: Kind,
): Promise<Extract<FileAnswer, { kind: Kind }>> {
  const answer = await ask(request)
  if (isOf(answer, kind)) return answer
  throw answer.kind === 'failed' ? fromFailure(answer.failure) : new AppError('CANCELLED', 'A newer request came.')
}

const isOf = <Kind extends FileAnswer['kind']>(
  answer: FileAnswer,
  kind: Kind,
): answer is Extract<FileAnswer, { kind: Kind }> => answer.kind === kind

export const writeFile = (request: Omit<WriteRequest, 'kind'>): Promise<WrittenAnswer> =>
  answered({ ...request, kind: 'write' }, 'written')

export const probeFormats = (request: Omit<ProbeRequest, 'kind'>): Promise<ProbedAnswer> =>
  answered({ ...request, kind: 'probe' }, 'probed')

export const readFile = (request: Omit<ReadRequest, 'kind'>): Promise<ReadAnswer> =>
  answered({ ...request, kind: 'read' }, 'read')
